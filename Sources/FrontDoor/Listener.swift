import CLinux
import Glibc

/// The socket that listens. One owner; closed with it.
struct Listener: ~Copyable {
    let descriptor: CInt
    /// The real one, where 0 was asked for.
    let port: UInt16

    /// Bound and listening: from here on clients queue up, even before anybody accepts.
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

    /// Returns the port.
    private static func startListening(_ descriptor: CInt, on address: ListenAddress, backlog: Int32)
        throws(FrontDoorError) -> UInt16
    {
        // A restart must not wait for connections of the last run in TIME_WAIT.
        set(descriptor, level: SOL_SOCKET, option: SO_REUSEADDR, to: 1)
        // `[::]` serves IPv4 too, whatever the system's default (net.ipv6.bindv6only) is.
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
        return Peer(bound)?.port ?? address.port
    }

    deinit { close(descriptor) }

    static func set(_ descriptor: CInt, level: CInt, option: CInt, to value: CInt) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }
}
