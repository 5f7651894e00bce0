import Foundation

/// Runs a blocking function on a new thread, because the pool has only one thread for each core.
func offPool<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

struct CallerError: Error {
    let errno: CInt
}

/// A TCP client that can send any bytes.
final class Caller: Sendable {
    let descriptor: CInt

    init(port: UInt16, ipv6: Bool = false) throws {
        descriptor = socket(ipv6 ? AF_INET6 : AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var result: CInt
        if ipv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            result = Self.connect(descriptor, &address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            result = Self.connect(descriptor, &address)
        }
        guard result == 0 else {
            defer { close(descriptor) }
            throw CallerError(errno: errno)
        }
    }

    deinit { close(descriptor) }

    private static func connect<Address>(_ descriptor: CInt, _ address: inout Address) -> CInt {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
    func send(_ text: String) { send(Array(text.utf8)) }
    func finishSending() { _ = shutdown(descriptor, CInt(SHUT_WR)) }

    /// Waits until the server closes the connection, and returns all bytes that the server sent.
    func end() async throws -> [UInt8] {
        try await offPool { [descriptor] in
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count == 0 || (count < 0 && errno == ECONNRESET) { return all }
                guard count > 0 else { throw CallerError(errno: errno) }
                all += buffer[..<count]
            }
        }
    }
}
