import Glibc
import WebSockets

/// A listener on 127.0.0.1 whose thread gives every accepted socket to a server.
final class LoopbackDoor: Sendable {
    let port: UInt16
    private let listener: CInt

    init(to server: WebSocketServer) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = Loopback.address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 4096) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard bound else { throw Loopback.Failure.system(errno) }
        port = UInt16(bigEndian: address.sin_port)
        let own = Unmanaged.passRetained(Acceptor(listener: listener, server: server))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, acceptConnections, own.toOpaque()) == 0 else {
            throw Loopback.Failure.system(errno)
        }
        pthread_detach(thread)
    }

    deinit {
        // The shutdown makes `accept` fail in the thread, and the thread then closes the listener.
        shutdown(listener, CInt(SHUT_RDWR))
    }
}

private final class Acceptor: Sendable {
    let listener: CInt
    let server: WebSocketServer

    init(listener: CInt, server: WebSocketServer) {
        self.listener = listener
        self.server = server
    }

    func run() {
        while true {
            let accepted = accept(listener, nil, nil)
            if accepted >= 0 { server.adopt(accepted, peer: "127.0.0.1") } else if errno != EINTR { break }
        }
        close(listener)
    }
}

private nonisolated func acceptConnections(_ own: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let own { Unmanaged<Acceptor>.fromOpaque(own).takeRetainedValue().run() }
    return nil
}

enum Loopback {
    enum Failure: Error {
        case system(CInt)
        case notUpgraded(String)
        case ended
        case timedOut
    }

    static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
