import Glibc

/// The other end of a connection, as the socket names it; behind a proxy, that is the proxy.
package struct Peer: Sendable, Hashable, CustomStringConvertible {
    /// Numeric, without a port, brackets or zone. An IPv4 client of a socket that listens on `[::]` is named
    /// by its IPv4 address.
    package let address: String
    package let port: UInt16

    package init(address: String, port: UInt16) {
        self.address = address
        self.port = port
    }

    package var description: String {
        address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// Nil for what is neither IPv4 nor IPv6.
    init?(_ storage: sockaddr_storage) {
        let described: Peer? = withUnsafeBytes(of: storage) { bytes in
            switch CInt(storage.ss_family) {
            case AF_INET:
                let address = bytes.load(as: sockaddr_in.self)
                return Peer(numeric: address.sin_addr, family: AF_INET, port: address.sin_port)
            case AF_INET6:
                let address = bytes.load(as: sockaddr_in6.self)
                let octets = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
                // ::ffff:a.b.c.d (RFC 4291 §2.5.5.2) is how a dual-stack socket shows an IPv4 client.
                if octets.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]) {
                    return Peer(
                        address: octets[12...].map { String($0) }.joined(separator: "."),
                        port: UInt16(bigEndian: address.sin6_port))
                }
                return Peer(numeric: address.sin6_addr, family: AF_INET6, port: address.sin6_port)
            default: return nil
            }
        }
        guard let described else { return nil }
        self = described
    }

    private init?(numeric address: some Any, family: CInt, port: in_port_t) {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) {
            buffer -> String? in
            let written = withUnsafeBytes(of: address) {
                inet_ntop(family, $0.baseAddress, buffer.baseAddress, socklen_t(buffer.count))
            }
            return written.map { String(cString: $0) }
        }
        guard let text else { return nil }
        self.init(address: text, port: UInt16(bigEndian: port))
    }
}
