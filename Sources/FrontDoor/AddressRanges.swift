/// Addresses by their first bits, such as those of the proxies that an operator trusts.
package struct AddressRanges: Sendable, Equatable {
    private struct Range: Sendable, Equatable {
        let first: NumericAddress
        let bits: Int

        func contains(_ address: NumericAddress) -> Bool {
            let (high, low) = (AddressRanges.mask(min(bits, 64)), AddressRanges.mask(max(0, bits - 64)))
            return (address.high ^ first.high) & high == 0 && (address.low ^ first.low) & low == 0
        }
    }

    private var ranges: [Range] = []

    package init() {}

    /// The text that is no range.
    package struct Fault: Error, Equatable {
        package let text: String
    }

    /// Reads `10.0.0.0/8`, `fd00::/8`, one address, or `loopback` (`127.0.0.0/8` and `::1`), separated by
    /// commas; white space does not count. What stands behind the first bits does not count either:
    /// `172.17.0.1/16` is the network of that address.
    package init(_ text: String) throws(Fault) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let written = String(part.filter { $0 != " " && $0 != "\t" })
            if written == "loopback" {
                ranges += [Self.range("127.0.0.0/8"), Self.range("::1")].compactMap(\.self)
            } else if let range = Self.range(written) {
                ranges.append(range)
            } else {
                throw Fault(text: written)
            }
        }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    package mutating func formUnion(_ others: AddressRanges) { ranges += others.ranges }

    package func contains(_ address: NumericAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// False for what is no address.
    package func contains(_ address: some StringProtocol) -> Bool {
        !ranges.isEmpty && NumericAddress(address).map(contains) ?? false
    }

    /// Whether every address of these is one of `others`; where two of `others` make up a third, that is not
    /// seen.
    package func isWithin(_ others: AddressRanges) -> Bool {
        ranges.allSatisfy { range in
            others.ranges.contains { $0.bits <= range.bits && $0.contains(range.first) }
        }
    }

    /// Those of which fewer bits are given than `ipv4` or `ipv6`, as they would be written.
    package func wider(thanIPv4 ipv4: Int, ipv6: Int) -> [String] {
        ranges.compactMap { range in
            let isIPv4 = range.first.isIPv4 && range.bits >= NumericAddress.mappedBits
            let bits = isIPv4 ? range.bits - NumericAddress.mappedBits : range.bits
            return bits < (isIPv4 ? ipv4 : ipv6) ? "\(range.first)/\(bits)" : nil
        }
    }

    private static func range(_ text: String) -> Range? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NumericAddress(parts[0]) else { return nil }
        guard parts.count == 2 else { return Range(first: address, bits: 128) }
        let isIPv4 = !parts[0].contains(":")
        guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let bits = Int(parts[1]),
            bits <= (isIPv4 ? 32 : 128)
        else { return nil }
        return Range(first: address, bits: bits + (isIPv4 ? NumericAddress.mappedBits : 0))
    }

    /// The first `bits` of 64.
    private static func mask(_ bits: Int) -> UInt64 { bits == 0 ? 0 : ~0 << UInt64(64 - bits) }
}
