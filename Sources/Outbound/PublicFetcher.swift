/// Downloads documents from URLs that a user of the server chose. Only addresses of the public Internet are
/// allowed, so that a user cannot reach the server's private network through the server.
///
/// Each address is checked after the host name is resolved, when the socket is opened. The address of each
/// redirect is checked too. No proxy is used, no connection is reused, and no credentials are sent.
package struct PublicFetcher: Sendable {
    /// The limits of a request whose URL a user of the server chose.
    package struct Limits: Sendable {
        package let mostBytes: Int
        package let mostRedirects: Int
        /// Whether the rest of a larger body is ignored. Otherwise it is an error.
        package var ignoresRest = false
        /// Returns whether a connection to an IP address is allowed. The argument is the 4 or 16 bytes of the
        /// address. The loop of libcurl calls this function on its thread.
        package let allows: @Sendable ([UInt8]) -> Bool
    }

    /// The longest time from the look-up of the name to the last byte, with all redirects.
    package static let timeout = Duration.seconds(10)
    package static let mostRedirects = 3

    private let transport: HTTPTransport
    private let allows: @Sendable ([UInt8]) -> Bool

    /// - Parameters:
    ///   - userAgent: the `User-Agent` of all requests.
    ///   - environment: the environment variables that define the trusted certificates (see `HTTPTransport`).
    ///   - alsoFrom: returns whether a non-public address is allowed too, such as an address of the
    ///     operator's network.
    package init(
        userAgent: String, environment: [String: String] = [:],
        alsoFrom: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
    ) {
        // At most four requests run at the same time, so that slow servers cannot occupy many connections.
        // Four are enough, because hosts import files rarely.
        transport = HTTPTransport(parallel: 4, userAgent: userAgent, environment: environment)
        allows = { PublicInternet.contains($0) || alsoFrom($0) }
    }

    /// Sends a GET request to `url`, follows redirects, and returns the last response with any status.
    ///
    /// - Parameters:
    ///   - url: a URL with the scheme `http` or `https`.
    ///   - mostBytes: the largest body that is accepted, in bytes.
    /// - Throws: `.addressRefused` if an address of the server or of a redirect is not allowed,
    ///   `.responseTooLarge`, or another error if there is no response within 10 s.
    package func fetch(_ url: String, mostBytes: Int) async throws(TransportError) -> OutboundResponse {
        var request = OutboundRequest(
            "GET", url, headers: [("Accept", "application/json")], timeout: Self.timeout)
        request.limits = Limits(mostBytes: mostBytes, mostRedirects: Self.mostRedirects, allows: allows)
        return try await transport.send(request)
    }
}

/// Posts to URLs that a user of the server chose, with the same checks as `PublicFetcher`. A redirect is
/// returned like any other response. Without TLS, only the operator's own networks are allowed.
package struct PublicPoster: Sendable {
    private let transport: HTTPTransport
    private let alsoTo: @Sendable ([UInt8]) -> Bool

    /// The longest time from the look-up of the name to the last byte of the answer.
    package static let timeout = Duration.seconds(20)
    /// The bytes that are stored of the body of an answer. The rest is ignored.
    package static let mostBytes = 65_536

    /// - Parameters:
    ///   - parallel: the most requests that run at the same time.
    ///   - alsoTo: returns whether a non-public address is allowed too.
    package init(
        parallel: Int, userAgent: String, environment: [String: String],
        alsoTo: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        transport = HTTPTransport(parallel: parallel, userAgent: userAgent, environment: environment)
        self.alsoTo = alsoTo
    }

    /// Posts the body. Returns the response with any status.
    /// - Throws: `.addressRefused` if no address of the server is allowed, or another error if there is no
    ///   response in time.
    package func post(_ url: String, headers: [(name: String, value: String)], body: [UInt8])
        async throws(TransportError) -> OutboundResponse
    {
        var request = OutboundRequest("POST", url, headers: headers, body: body, timeout: Self.timeout)
        let (alsoTo, isSecure) = (alsoTo, url.lowercased().hasPrefix("https:"))
        request.limits = PublicFetcher.Limits(
            mostBytes: Self.mostBytes, mostRedirects: 0, ignoresRest: true
        ) {
            isSecure && PublicInternet.contains($0) || alsoTo($0)
        }
        return try await transport.send(request)
    }
}

/// The globally reachable addresses, according to IANA's special-purpose registries (RFC 6890).
package enum PublicInternet {
    /// A range of addresses: its first bytes, and the number of bits that are compared.
    private typealias Range = (first: [UInt8], bits: Int)

    private static let reservedIPv4: [Range] = [
        ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8),
        ([169, 254, 0, 0], 16), ([172, 16, 0, 0], 12),
        ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24), ([192, 88, 99, 0], 24), ([192, 168, 0, 0], 16),
        ([198, 18, 0, 0], 15),
        ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24), ([224, 0, 0, 0], 4), ([240, 0, 0, 0], 4),
    ]
    /// The reserved ranges of the global unicast addresses: protocol assignments, documentation, and 6to4.
    /// Teredo and 6to4 addresses are not allowed, because they contain another address that is not checked.
    private static let reservedIPv6: [Range] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16),
        ([0x3F, 0xFF, 0x00], 20),
    ]

    /// Whether an IP address is globally reachable.
    ///
    /// - Parameter address: the 4 or 16 bytes of an IPv4 or IPv6 address. The result is false for any other
    ///   number of bytes.
    package static func contains(_ address: [UInt8]) -> Bool {
        switch address.count {
        case 4: return !reservedIPv4.contains { begins(address, with: $0) }
        case 16:
            // If an IPv6 address contains a mapped (RFC 4291) or translated (RFC 6052) IPv4 address, the IPv4
            // address is checked.
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
