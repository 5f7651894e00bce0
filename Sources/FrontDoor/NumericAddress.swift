import Glibc

/// An IPv4 or IPv6 address as a number. An IPv4 address and its mapped form (`::ffff:a.b.c.d`, RFC 4291
/// §2.5.5.2) are the same one.
package struct NumericAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 128 bits, of which an IPv4 address has the last 32, behind `::ffff`.
    let high: UInt64
    let low: UInt64

    /// How many bits come before those of an IPv4 address.
    static let mappedBits = 96

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Nil for what is not exactly an address: no brackets, no port, no zone.
    package init?(_ text: some StringProtocol) {
        // The longest is of 45 characters; the limit keeps hostile text from being copied.
        guard (2...45).contains(text.utf8.count) else { return nil }
        let text = String(text)
        var ipv4 = in_addr()
        if inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(high: 0, low: 0xffff_0000_0000 | UInt64(UInt32(bigEndian: ipv4.s_addr)))
            return
        }
        var ipv6 = in6_addr()
        guard inet_pton(AF_INET6, text, &ipv6) == 1 else { return nil }
        let (high, low) = withUnsafeBytes(of: ipv6) {
            ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// The 4 or 16 bytes of an address; nil for another number of them.
    package init?(bytes: [UInt8]) {
        func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self.init(high: 0, low: 0xffff_0000_0000 | number(bytes))
        case 16: self.init(high: number(bytes.prefix(8)), low: number(bytes.suffix(8)))
        default: return nil
        }
    }

    var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// What belongs to one household or host: of IPv6 the first 64 bits, since everybody has that many
    /// addresses (RFC 6177).
    var household: NumericAddress { isIPv4 ? self : NumericAddress(high: high, low: 0) }

    /// As `inet_ntop` writes it; a mapped one as IPv4.
    package var description: String {
        if isIPv4 {
            return (0..<4).map { String(low >> (24 - 8 * UInt64($0)) & 0xff) }.joined(separator: ".")
        }
        var ipv6 = in6_addr()
        withUnsafeMutableBytes(of: &ipv6) {
            $0.storeBytes(of: high.bigEndian, as: UInt64.self)
            $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let text = inet_ntop(AF_INET6, &ipv6, buffer.baseAddress, socklen_t(buffer.count)) else {
                return "::"
            }
            return String(cString: text)
        }
    }
}
