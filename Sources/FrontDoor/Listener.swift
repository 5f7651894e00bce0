import CLinux
import Glibc

/// An address to listen on, such as `127.0.0.1:8080`, `0.0.0.0:0`, `[::]:8080` or
/// `unix:/run/qring/qring.sock`.
package struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// The IP address, without brackets; empty for a Unix socket.
    package let host: String
    /// The port. If it is 0, the system chooses a port, and `FrontDoor.port` returns the chosen port.
    package let port: UInt16
    let isIPv6: Bool
    /// The path of a Unix socket; nil for an IP address.
    package let path: String?

    /// The most bytes of a path. The kernel's field has one more for the zero byte (unix(7)).
    private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Parses an IPv4 address, or an IPv6 address in brackets, with a colon and a port from 0 to 65535.
    /// Also parses `unix:` and an absolute path. Returns nil if the text is malformed. Host names are not
    /// accepted, because a resolver must not decide on which address a server listens.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard path.hasPrefix("/"), path.utf8.count <= Self.longestPath else { return nil }
            (host, port, isIPv6, self.path) = ("", 0, false, path)
            return
        }
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
        path = nil
    }

    /// The address of a listening socket; nil if it is no IP address and no path.
    package init?(of descriptor: CInt) {
        var bound = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard named == 0 else { return nil }
        if bound.ss_family == sa_family_t(AF_UNIX) {
            let path = withUnsafeBytes(of: bound) { bytes in
                String(decoding: bytes.dropFirst(2).prefix(Int(length) - 2).prefix { $0 != 0 }, as: UTF8.self)
            }
            self.init("unix:\(path)")
        } else if bound.ss_family == sa_family_t(AF_INET6) {
            // `PeerAddress` writes `::` as such, and a mapped address as an IPv4 address.
            guard let address = PeerAddress(bound) else { return nil }
            let isMapped = !address.address.contains(":")
            self.init(isMapped ? "[::ffff:\(address.address)]:\(address.port)" : "\(address)")
        } else if let address = PeerAddress(bound) {
            self.init("\(address)")
        } else {
            return nil
        }
    }

    package var description: String {
        path.map { "unix:\($0)" } ?? (isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)")
    }

    /// Calls `body` with this address as a `sockaddr`.
    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        let length = withUnsafeMutableBytes(of: &storage) { bytes -> Int in
            if let path {
                bytes.storeBytes(of: sa_family_t(AF_UNIX), as: sa_family_t.self)
                // The rest of the storage is zero, which ends the path.
                bytes.baseAddress?.advanced(by: 2).copyMemory(from: path, byteCount: path.utf8.count)
                return MemoryLayout<sockaddr_un>.size
            }
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

extension ListenAddress {
    /// Whether a process listens on this Unix socket. A full queue of connections gives EAGAIN at once, which
    /// means "in use", too.
    package var acceptsConnections: Bool {
        let probe = socket(AF_UNIX, Listener.streams, 0)
        defer { close(probe) }
        return withSocketAddress { connect(probe, $0, $1) } == 0
            || errno != ECONNREFUSED && errno != ENOENT
    }
}

/// The listening socket. The socket is closed when this value is destroyed.
struct Listener: ~Copyable {
    let descriptor: CInt
    /// The port on which the socket listens. If the address has port 0, this is the port that the system
    /// chose.
    let port: UInt16

    /// Takes over a socket that already listens on the address.
    init(inheriting descriptor: CInt, _ address: ListenAddress) {
        (self.descriptor, port) = (descriptor, address.port)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// The type of a socket that never blocks and that no other program inherits.
    static let streams =
        CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)

    /// Binds the address and listens on it. The system then queues connections until they are accepted.
    init(_ address: ListenAddress, backlog: Int32, mode: mode_t) throws(FrontDoorError) {
        let family = address.path != nil ? AF_UNIX : address.isIPv6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, Self.streams, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        do throws(FrontDoorError) {
            port = try Self.startListening(descriptor, on: address, backlog: backlog, mode: mode)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    /// Binds a socket and listens on it. Returns the port.
    private static func startListening(
        _ descriptor: CInt, on address: ListenAddress, backlog: Int32, mode: mode_t
    ) throws(FrontDoorError) -> UInt16 {
        if let path = address.path { try prepare(descriptor, path, address, mode) }
        // A restarted server must not wait until the previous server's connections have left TIME_WAIT.
        if address.path == nil { set(descriptor, level: SOL_SOCKET, option: SO_REUSEADDR, to: 1) }
        // `[::]` also accepts IPv4 clients, independent of the system's default (net.ipv6.bindv6only).
        if address.isIPv6 { set(descriptor, level: CInt(IPPROTO_IPV6), option: IPV6_V6ONLY, to: 0) }
        guard address.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else {
            throw .binding(address, call: "bind", errno: errno)
        }
        // The umask may have taken the right of the group away. Nobody can connect before the next call.
        if let path = address.path { _ = chmod(path, mode) }
        guard listen(descriptor, backlog) == 0 else { throw .binding(address, call: "listen", errno: errno) }
        guard let bound = ListenAddress(of: descriptor) else {
            throw .system(call: "getsockname", errno: errno)
        }
        return bound.port
    }

    /// Sets the mode of a Unix socket before it has a name, so that it is never open to others, even with a
    /// umask of 0 (unix(7)). Removes the socket of a server that has ended, and nothing else.
    private static func prepare(
        _ descriptor: CInt, _ path: String, _ address: ListenAddress, _ mode: mode_t
    ) throws(FrontDoorError) {
        _ = fchmod(descriptor, mode)
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        guard !address.acceptsConnections else { throw .addressInUse(address) }
        unlink(path)
    }

    deinit { close(descriptor) }

    static func set(_ descriptor: CInt, level: CInt, option: CInt, to value: CInt) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }
}
