/// A request to a server outside this process.
package struct OutboundRequest: Sendable {
    package var method: String
    /// Absolute, of `http` or `https`: `http://127.0.0.1:8080/api/v1/me`.
    package var url: String
    package var headers: [(name: String, value: String)]
    /// Nil sends no body. The caller adds the `Content-Type`.
    package var body: [UInt8]?
    /// From the moment when the request leaves the queue to the last byte of the response.
    package var timeout: Duration
    /// Set if somebody else chose the URL. Without limits, redirects are not followed, and a response may
    /// have 16 MB.
    package var limits: PublicFetcher.Limits?

    package init(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// A server's response, of any status.
package struct OutboundResponse: Sendable {
    package let status: Int
    /// Names in lower case. If a header is repeated, its last value.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why no response came. A response of any status is not an error.
package enum TransportError: Error, Hashable, Sendable {
    /// There was no connection, or it broke. `detail` is libcurl's text.
    case unreachable(detail: String)
    case timedOut
    /// The limits of the request do not allow the server's address.
    case addressRefused
    case cancelled
    /// The response has more bytes than the request allows.
    case responseTooLarge
}

/// Sends requests over libcurl: keep-alive, HTTP and HTTPS, IPv4 and IPv6, many at once. Requests wait in a
/// queue while `parallel` requests are on the wire. No thread of Swift's pool waits with them.
package final class HTTPTransport: Sendable {
    private let loop: CurlLoop?
    /// A file of certificates to trust; nil means the system's certificates.
    package let certificates: String?

    /// Starts the thread that sends. It ends when the transport is released.
    ///
    /// - Parameters:
    ///   - parallel: the most connections; 1–1,024. Values outside this range are cut to it.
    ///   - userAgent: the `User-Agent` of all requests.
    ///   - environment: `NO_PROXY`, and `QRING_CA_FILE` or else `SSL_CERT_FILE`, which name the certificates
    ///     to trust.
    package init(parallel: Int, userAgent: String, environment: [String: String]) {
        // No proxy may stand between this program and a server on the same machine.
        let excluded = [environment["no_proxy"] ?? environment["NO_PROXY"], "localhost,127.0.0.0/8,::1"]
        certificates = [environment["QRING_CA_FILE"], environment["SSL_CERT_FILE"]].compactMap(\.self).first {
            !$0.isEmpty
        }
        loop = CurlLoop(
            parallel: min(max(1, parallel), 1024), userAgent: userAgent,
            notProxied: excluded.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ","),
            certificates: certificates)
    }

    deinit { loop?.stop() }

    /// Sends a request, and returns the response, whatever its status. Redirects are responses too, unless
    /// the request has limits.
    ///
    /// - Throws: `.cancelled` if the task is cancelled; the other errors if no response came.
    package func send(_ request: OutboundRequest) async throws(TransportError) -> OutboundResponse {
        guard let loop else { throw .unreachable(detail: "libcurl could not start") }
        let number = loop.number()
        let result: Result<OutboundResponse, TransportError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.start(Exchange(request, number: number, continuation: continuation))
                // If the task was cancelled before this, the handler below has run and found no exchange.
                if Task.isCancelled { loop.cancel(number) }
            }
        } onCancel: {
            loop.cancel(number)
        }
        return try result.get()
    }
}
