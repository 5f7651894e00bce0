/// Which addresses are everybody's: by IANA's special-purpose registries (RFC 6890) those that are globally
/// reachable.
package enum PublicInternet {
    /// First bytes, and how many bits of them count.
    private static let reservedIPv4: [(first: [UInt8], bits: Int)] = [
        ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8),
        ([169, 254, 0, 0], 16), ([172, 16, 0, 0], 12),
        ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24), ([192, 88, 99, 0], 24), ([192, 168, 0, 0], 16),
        ([198, 18, 0, 0], 15),
        ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24), ([224, 0, 0, 0], 4), ([240, 0, 0, 0], 4),
    ]
    /// Of what is global unicast: protocols' own (Teredo among them, which holds another address),
    /// documentation, and 6to4, which does as well.
    private static let reservedIPv6: [(first: [UInt8], bits: Int)] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16),
        ([0x3F, 0xFF, 0x00], 20),
    ]

    /// - Parameter address: the 4 or 16 bytes of an IPv4 or IPv6 address; anything else is nobody's.
    package static func holds(_ address: [UInt8]) -> Bool {
        switch address.count {
        case 4: return !reservedIPv4.contains { begins(address, with: $0) }
        case 16:
            // An IPv4 address in the clothes of IPv6, mapped (RFC 4291) or translated (RFC 6052), is judged
            // as what it is.
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
            if address.starts(with: mapped) || address.starts(with: translated) {
                return holds(Array(address.suffix(4)))
            }
            return begins(address, with: ([0x20], 3)) && !reservedIPv6.contains { begins(address, with: $0) }
        default: return false
        }
    }

    private static func begins(_ address: [UInt8], with range: (first: [UInt8], bits: Int)) -> Bool {
        for (index, byte) in range.first.enumerated() {
            let bits = min(8, max(0, range.bits - 8 * index))
            let mask = bits == 0 ? 0 : UInt8(truncatingIfNeeded: 0xFF << (8 - bits))
            if (address[index] ^ byte) & mask != 0 { return false }
        }
        return true
    }
}
