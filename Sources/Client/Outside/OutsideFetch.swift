/// Fetches from addresses that strangers name, and reaches nothing for them that they could not reach
/// themselves: every address is judged as the socket to it is opened, after its name was looked up, of each
/// redirect anew. No proxy stands between, no connection is used twice, and no credentials are sent.
package struct OutsideFetch: Sendable {
    /// How a request goes whose address somebody else chose.
    package struct Limits: Sendable {
        package let mostBytes: Int
        package let mostRedirects: Int
        /// Told the 4 or 16 bytes of an address.
        package let allows: @Sendable ([UInt8]) -> Bool
    }

    /// From the look-up of the name to the last byte, redirects included.
    package static let timeout = Duration.seconds(10)
    package static let mostRedirects = 3

    private let transport: HTTPTransport
    private let allows: @Sendable ([UInt8]) -> Bool

    /// - Parameters:
    ///   - environment: the certificates to trust, as for `HTTPTransport`.
    ///   - alsoFrom: addresses that are fetched from though they are not everybody's: those of an operator's
    ///     own network.
    package init(
        environment: [String: String] = [:], alsoFrom: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
    ) {
        // Four at once: hosts import seldom, and a slow address must not hold many.
        transport = HTTPTransport(parallel: 4, environment: environment)
        allows = { PublicInternet.holds($0) || alsoFrom($0) }
    }

    /// The answer behind the redirects, of whatever status. `url` is of `http` or `https`.
    package func fetch(_ url: String, mostBytes: Int) async throws(TransportError) -> HTTPAnswer {
        var request = HTTPRequest(
            "GET", url, headers: [("Accept", "application/json")], timeout: Self.timeout)
        request.outside = Limits(mostBytes: mostBytes, mostRedirects: Self.mostRedirects, allows: allows)
        return try await transport.send(request)
    }
}
