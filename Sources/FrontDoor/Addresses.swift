import Glibc

/// An IPv4 or IPv6 address as a number of 128 bits. An IPv4 address is equal to its mapped form
/// (`::ffff:a.b.c.d`, RFC 4291 §2.5.5.2).
package struct NumericAddress: Hashable, Sendable, CustomStringConvertible {
    /// The first 64 bits of the address. `low` contains the other 64 bits. An IPv4 address is in the last 32
    /// bits, after `::ffff`.
    let high: UInt64
    let low: UInt64

    /// The number of bits before an IPv4 address in its mapped form.
    static let mappedBits = 96

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Parses an address. Returns nil if the text contains anything else, such as brackets, a port or a zone.
    package init?(_ text: some StringProtocol) {
        if text == PeerAddress.unix {
            // The unspecified address, which no peer has, stands for all peers of Unix sockets.
            self.init(high: 0, low: 0)
            return
        }
        // The longest address has 45 characters. The limit prevents copies of longer text that an attacker
        // sends.
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

    /// - Parameter bytes: the 4 or 16 bytes of an address. The result is nil for any other number of bytes.
    package init?(bytes: [UInt8]) {
        func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self.init(high: 0, low: 0xffff_0000_0000 | number(bytes))
        case 16: self.init(high: number(bytes.prefix(8)), low: number(bytes.suffix(8)))
        default: return nil
        }
    }

    var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// The address under which the connections of a household are counted. An IPv4 address is unchanged. Of
    /// an IPv6 address, only the first 64 bits remain, because a household has all addresses with these bits
    /// (RFC 6177).
    var household: NumericAddress { isIPv4 ? self : NumericAddress(high: high, low: 0) }

    /// The address as `inet_ntop` writes it. A mapped address is written as an IPv4 address.
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

/// A set of address ranges, such as the proxies that an operator trusts. A range is defined by its first
/// bits.
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

    /// The error of a malformed range, with its text.
    package struct Fault: Error, Equatable {
        package let text: String
    }

    /// Parses ranges that are separated by commas: `10.0.0.0/8`, `fd00::/8`, a single address, `loopback`
    /// (`127.0.0.0/8` and `::1`), or `unix` (the peers of Unix sockets). Spaces and tabs are ignored. The
    /// bits after the network part are ignored too, so that `172.17.0.1/16` equals `172.17.0.0/16`.
    ///
    /// - Throws: a `Fault` with the first malformed range.
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

    /// Adds the ranges of `others`.
    package mutating func formUnion(_ others: AddressRanges) { ranges += others.ranges }

    /// Whether the address is in one of the ranges.
    package func contains(_ address: NumericAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// Whether the text is an address in one of the ranges. The result is false if the text is not an
    /// address.
    package func contains(_ address: some StringProtocol) -> Bool {
        !ranges.isEmpty && NumericAddress(address).map(contains) ?? false
    }

    /// Whether each range is within a single range of `others`. The result is also false if a range is
    /// covered only by two ranges of `others` together.
    package func isWithin(_ others: AddressRanges) -> Bool {
        ranges.allSatisfy { range in
            others.ranges.contains { $0.bits <= range.bits && $0.contains(range.first) }
        }
    }

    /// Returns the text of the ranges that have fewer network bits than `ipv4` or `ipv6`.
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

    /// Returns a mask of 64 bits whose first `bits` bits are set.
    private static func mask(_ bits: Int) -> UInt64 { bits == 0 ? 0 : ~0 << UInt64(64 - bits) }
}

/// The IP address and the port of a socket's remote end. If the server is behind a proxy, this is the proxy's
/// address.
package struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The IP address, without port, brackets or zone. If an IPv4 client connects to a socket that listens on
    /// `[::]`, this is its IPv4 address.
    package let address: String
    package let port: UInt16

    /// The address of every peer of a Unix socket.
    package static let unix = "unix"

    package init(address: String, port: UInt16) {
        self.address = address
        self.port = port
    }

    package var description: String {
        address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// Converts an address of the system. Returns nil if the address is neither IPv4, IPv6 nor a Unix socket.
    init?(_ storage: sockaddr_storage) {
        let described: PeerAddress? = withUnsafeBytes(of: storage) { bytes in
            switch CInt(storage.ss_family) {
            case AF_INET:
                let address = bytes.load(as: sockaddr_in.self)
                return PeerAddress(numeric: address.sin_addr, family: AF_INET, port: address.sin_port)
            case AF_INET6:
                let address = bytes.load(as: sockaddr_in6.self)
                let octets = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
                // A dual-stack socket reports the address of an IPv4 client as ::ffff:a.b.c.d (RFC 4291
                // §2.5.5.2).
                if octets.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]) {
                    return PeerAddress(
                        address: octets[12...].map { String($0) }.joined(separator: "."),
                        port: UInt16(bigEndian: address.sin6_port))
                }
                return PeerAddress(numeric: address.sin6_addr, family: AF_INET6, port: address.sin6_port)
            case AF_UNIX: return PeerAddress(address: Self.unix, port: 0)
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
