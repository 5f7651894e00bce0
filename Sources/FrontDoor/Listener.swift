import CLinux
import Glibc

/// An address to listen on, such as `127.0.0.1:8080`, `0.0.0.0:0` or `[::]:8080`.
package struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// The IP address, without brackets.
    package let host: String
    /// The port. If it is 0, the system chooses a port, and `FrontDoor.port` returns the chosen port.
    package let port: UInt16
    let isIPv6: Bool

    /// Parses an IPv4 address, or an IPv6 address in brackets, with a colon and a port from 0 to 65535.
    /// Returns nil if the text is malformed. Host names are not accepted, because a resolver must not decide
    /// on which address a server listens.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits)
        else { return nil }
        var host = text[..<colon]
        let bracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if bracketed { host = host.dropFirst().dropLast() }
        var ipv4 = in_addr()
        var ipv6 = in6_addr()
        let isNumeric =
            bracketed
            ? inet_pton(AF_INET6, String(host), &ipv6) == 1 : inet_pton(AF_INET, String(host), &ipv4) == 1
        guard isNumeric else { return nil }
        self.host = String(host)
        self.port = port
        self.isIPv6 = bracketed
    }

    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Calls `body` with this address as a `sockaddr`.
    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        let length = withUnsafeMutableBytes(of: &storage) { bytes -> Int in
            if isIPv6 {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = port.bigEndian
                _ = inet_pton(AF_INET6, host, &address.sin6_addr)
                bytes.storeBytes(of: address, as: sockaddr_in6.self)
                return MemoryLayout<sockaddr_in6>.size
            }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            _ = inet_pton(AF_INET, host, &address.sin_addr)
            bytes.storeBytes(of: address, as: sockaddr_in.self)
            return MemoryLayout<sockaddr_in>.size
        }
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}

/// The listening socket. The socket is closed when this value is destroyed.
struct Listener: ~Copyable {
    let descriptor: CInt
    /// The port on which the socket listens. If the address has port 0, this is the port that the system
    /// chose.
    let port: UInt16

    /// Binds the address and listens on it. The system then queues connections until they are accepted.
    init(_ address: ListenAddress, backlog: Int32) throws(FrontDoorError) {
        let family = address.isIPv6 ? AF_INET6 : AF_INET
        let flags = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, flags, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        do throws(FrontDoorError) {
            port = try Self.startListening(descriptor, on: address, backlog: backlog)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    /// Binds a socket and listens on it. Returns the port.
    private static func startListening(_ descriptor: CInt, on address: ListenAddress, backlog: Int32)
        throws(FrontDoorError) -> UInt16
    {
        // A restarted server must not wait until the previous server's connections have left TIME_WAIT.
        set(descriptor, level: SOL_SOCKET, option: SO_REUSEADDR, to: 1)
        // `[::]` also accepts IPv4 clients, independent of the system's default (net.ipv6.bindv6only).
        if address.isIPv6 { set(descriptor, level: CInt(IPPROTO_IPV6), option: IPV6_V6ONLY, to: 0) }
        guard address.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else {
            throw .binding(address, call: "bind", errno: errno)
        }
        guard listen(descriptor, backlog) == 0 else { throw .binding(address, call: "listen", errno: errno) }
        var bound = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard named == 0 else { throw .system(call: "getsockname", errno: errno) }
        return PeerAddress(bound)?.port ?? address.port
    }

    deinit { close(descriptor) }

    static func set(_ descriptor: CInt, level: CInt, option: CInt, to value: CInt) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }
}
