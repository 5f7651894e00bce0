import Glibc

/// A listener on 127.0.0.1 that accepts no connection, or answers only the first connection with fixed
/// bytes.
final class SilentListener: Sendable {
    let port: UInt16
    private let listener: CInt

    init(answering answer: String? = nil) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = Loopback.address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard bound else { throw Loopback.Failure.system(errno) }
        port = UInt16(bigEndian: address.sin_port)
        guard let answer else { return }
        // The thread has a descriptor of its own, because the number of the other can be another test's
        // listener after `deinit`.
        let own = Unmanaged.passRetained(Answer(listener: dup(listener), text: answer))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, answerOne, own.toOpaque()) == 0 else {
            throw Loopback.Failure.system(errno)
        }
        pthread_detach(thread)
    }

    deinit {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }

    /// Blocks the thread until a client has connected, or for 20 s.
    func waitForConnection() {
        var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        poll(&ready, 1, 20_000)
    }
}

private final class Answer: Sendable {
    let listener: CInt
    let text: String

    init(listener: CInt, text: String) {
        self.listener = listener
        self.text = text
    }

    func give() {
        defer { close(listener) }
        let accepted = accept(listener, nil, nil)
        guard accepted >= 0 else { return }
        var request = [UInt8](repeating: 0, count: 4_096)
        recv(accepted, &request, request.count, 0)
        Array(text.utf8).withUnsafeBytes { _ = send(accepted, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        close(accepted)
    }
}

private nonisolated func answerOne(_ own: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let own { Unmanaged<Answer>.fromOpaque(own).takeRetainedValue().give() }
    return nil
}
