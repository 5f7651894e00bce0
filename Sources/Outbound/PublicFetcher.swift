/// Fetches documents from URLs that a user of the server chose, and reaches nothing that this user could not
/// reach alone: no address of the server's own network.
///
/// Each address is checked when the socket to it is opened, after its name was looked up, and again for each
/// redirect. No proxy stands between, no connection is used twice, and no credentials are sent.
package struct PublicFetcher: Sendable {
    /// The limits of a request whose URL somebody else chose.
    package struct Limits: Sendable {
        package let mostBytes: Int
        package let mostRedirects: Int
        /// Gets the 4 or 16 bytes of an address, and returns whether it may be reached. Called on the thread
        /// of libcurl.
        package let allows: @Sendable ([UInt8]) -> Bool
    }

    /// From the look-up of the name to the last byte, redirects included.
    package static let timeout = Duration.seconds(10)
    package static let mostRedirects = 3

    private let transport: HTTPTransport
    private let allows: @Sendable ([UInt8]) -> Bool

    /// - Parameters:
    ///   - userAgent: the `User-Agent` of all requests.
    ///   - environment: the certificates to trust, as for `HTTPTransport`.
    ///   - alsoFrom: further addresses to fetch from, such as the operator's own network.
    package init(
        userAgent: String, environment: [String: String] = [:],
        alsoFrom: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
    ) {
        // Four at once: hosts import seldom, and a slow server must not hold many connections.
        transport = HTTPTransport(parallel: 4, userAgent: userAgent, environment: environment)
        allows = { PublicInternet.contains($0) || alsoFrom($0) }
    }

    /// Gets `url`, follows redirects, and returns the last response, whatever its status.
    ///
    /// - Parameters:
    ///   - url: of `http` or `https`.
    ///   - mostBytes: the largest body to accept.
    /// - Throws: `.addressRefused` if an address on the way is not allowed; `.responseTooLarge`; the other
    ///   errors if no response came within 10 s.
    package func fetch(_ url: String, mostBytes: Int) async throws(TransportError) -> OutboundResponse {
        var request = OutboundRequest(
            "GET", url, headers: [("Accept", "application/json")], timeout: Self.timeout)
        request.limits = Limits(mostBytes: mostBytes, mostRedirects: Self.mostRedirects, allows: allows)
        return try await transport.send(request)
    }
}

/// The globally reachable addresses, by IANA's special-purpose registries (RFC 6890).
package enum PublicInternet {
    /// The first bytes of a range, and how many of their bits count.
    private typealias Range = (first: [UInt8], bits: Int)

    private static let reservedIPv4: [Range] = [
        ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8),
        ([169, 254, 0, 0], 16), ([172, 16, 0, 0], 12),
        ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24), ([192, 88, 99, 0], 24), ([192, 168, 0, 0], 16),
        ([198, 18, 0, 0], 15),
        ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24), ([224, 0, 0, 0], 4), ([240, 0, 0, 0], 4),
    ]
    /// The reserved ranges of global unicast: protocols' own ranges, documentation, and 6to4. Teredo and 6to4
    /// addresses contain another address, which nobody has checked.
    private static let reservedIPv6: [Range] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16),
        ([0x3F, 0xFF, 0x00], 20),
    ]

    /// Whether an address is globally reachable.
    ///
    /// - Parameter address: the 4 or 16 bytes of an IPv4 or IPv6 address; false for any other number.
    package static func contains(_ address: [UInt8]) -> Bool {
        switch address.count {
        case 4: return !reservedIPv4.contains { begins(address, with: $0) }
        case 16:
            // An IPv6 address that contains an IPv4 address, mapped (RFC 4291) or translated (RFC 6052), is
            // judged as that IPv4 address.
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
            if address.starts(with: mapped) || address.starts(with: translated) {
                return contains(Array(address.suffix(4)))
            }
            return begins(address, with: ([0x20], 3)) && !reservedIPv6.contains { begins(address, with: $0) }
        default: return false
        }
    }

    private static func begins(_ address: [UInt8], with range: Range) -> Bool {
        for (index, byte) in range.first.enumerated() {
            let bits = min(8, max(0, range.bits - 8 * index))
            let mask = bits == 0 ? 0 : UInt8(truncatingIfNeeded: 0xFF << (8 - bits))
            if (address[index] ^ byte) & mask != 0 { return false }
        }
        return true
    }
}
