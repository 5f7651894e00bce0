import Glibc

/// Where to listen: a numeric address and a port, written `127.0.0.1:8080`, `0.0.0.0:0` or `[::]:8080`.
package struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// Without brackets.
    package let host: String
    /// 0 lets the system choose; `FrontDoor.port` says which it was.
    package let port: UInt16
    let isIPv6: Bool

    /// Nil where the text is not a numeric IPv4 address, or an IPv6 address in brackets, with a colon and a
    /// port of 0–65535. Names are not resolved: a server must not listen on whatever a resolver happens to
    /// say.
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

    /// Calls `body` with this address as the system wants it.
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
