internal import CCurl
internal import Synchronization

/// A request to an HTTP server.
package struct OutboundRequest: Sendable {
    package var method: String
    /// An absolute URL with the scheme `http` or `https`, such as `http://127.0.0.1:8080/api/v1/me`.
    package var url: String
    package var headers: [(name: String, value: String)]
    /// The body, or nil for a request without a body. The caller adds the `Content-Type` header.
    package var body: [UInt8]?
    /// The longest time from when the request leaves the queue until the last byte of the response arrives.
    package var timeout: Duration
    /// The path of a Unix socket through which the request goes, whatever the host of the URL is.
    package var unixSocket: String?
    /// The limits for a URL that a user of the server chose. Nil means that redirects are not followed, and
    /// that a response may have 16 MB.
    package var limits: PublicFetcher.Limits?
    /// The mail that the request hands over to an SMTP server; nil for an HTTP request.
    var mail: SMTPRequest?

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

/// A server's response, with any status.
package struct OutboundResponse: Sendable {
    package let status: Int
    /// The headers, with names in lower case. If a header is repeated, the last value is stored.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The time of `Retry-After` (RFC 9110 §10.2.3), in seconds from `now`, which counts from 1970; nil if
    /// there is none or if it is malformed. Call it only for a response of `HTTPTransport`, which has opened
    /// libcurl.
    package func retryAfter(from now: Int64) -> Int64? {
        guard let text = headers["retry-after"] else { return nil }
        if let seconds = Int64(text) { return max(0, seconds) }
        let date = curl_getdate(text, nil)
        return date < 0 ? nil : max(0, Int64(date) - now)
    }
}

/// The reason why a request got no response. A response with any status is not an error.
package enum TransportError: Error, Hashable, Sendable {
    /// The connection could not be established, or it broke. `detail` is the error message of libcurl.
    case unreachable(detail: String)
    case timedOut
    /// The request's limits do not allow the server's address.
    case addressRefused
    case cancelled
    /// The response has more bytes than the request allows.
    case responseTooLarge
    /// The SMTP server did not take the mail.
    case mailNotTaken(SMTPFailure)
}

/// Sends HTTP and HTTPS requests with libcurl, over IPv4 and IPv6. Connections are reused. At most `parallel`
/// requests run at the same time, and further requests wait in a queue. No thread of Swift's pool is blocked
/// while requests wait.
package final class HTTPTransport: Sendable {
    /// The loop. Nil before the first request, which opens libcurl. If that fails, the next request tries
    /// again.
    private let loop = Mutex<(loop: CurlLoop, since: ContinuousClock.Instant)?>(nil)
    private let makeLoop: @Sendable () -> CurlLoop?
    /// The path of a file with trusted certificates. If nil, the system's certificates are trusted.
    package let certificates: String?

    /// Creates a transport. Its thread starts with the first request, and ends when the transport is
    /// released.
    ///
    /// - Parameters:
    ///   - parallel: the most requests that run at the same time, 1 to 1,024. Values outside this range are
    ///     limited to it.
    ///   - userAgent: the `User-Agent` of all requests.
    ///   - environment: the environment variables. `NO_PROXY` lists the hosts for which no proxy is used.
    ///     `QRING_CA_FILE`, or otherwise `SSL_CERT_FILE`, is the path of a file with trusted certificates.
    package init(parallel: Int, userAgent: String, environment: [String: String]) {
        // Requests to this machine never use a proxy.
        let excluded = [environment["no_proxy"] ?? environment["NO_PROXY"], "localhost,127.0.0.0/8,::1"]
        certificates = [environment["QRING_CA_FILE"], environment["SSL_CERT_FILE"]].compactMap(\.self).first {
            !$0.isEmpty
        }
        let notProxied = excluded.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ",")
        makeLoop = { [certificates] in
            CurlLoop(
                parallel: min(max(1, parallel), 1024), userAgent: userAgent, notProxied: notProxied,
                certificates: certificates)
        }
    }

    deinit { loop.withLock { $0 }?.loop.stop() }

    /// The users of a transport notice a silence of the network within this time of each other.
    private static let freshness = Duration.seconds(15)

    /// Gives all connections up, because the network may have forgotten them without a word, unless they are
    /// new. Requests to change something that still wait there fail with `.timedOut`; others begin again.
    package func reconnect() {
        loop.withLock { started in
            guard let old = started, old.since.duration(to: .now) > Self.freshness else { return }
            old.loop.stop()
            started = nil
        }
    }

    private func startedLoop() -> CurlLoop? {
        loop.withLock { started in
            if started == nil { started = makeLoop().map { ($0, .now) } }
            return started?.loop
        }
    }

    /// Sends a request, and returns the response with any status. If the request has no limits, a redirect is
    /// returned like any other response.
    ///
    /// - Throws: `.cancelled` if the task is cancelled, or another error if there is no response.
    package func send(_ request: OutboundRequest) async throws(TransportError) -> OutboundResponse {
        do throws(TransportError) { return try await sendOnce(request) } catch {
            // `reconnect` has ended the loop.
            guard error == .cancelled, !Task.isCancelled else { throw error }
            guard request.method == "GET" else { throw .timedOut }
            return try await sendOnce(request)
        }
    }

    private func sendOnce(_ request: OutboundRequest) async throws(TransportError) -> OutboundResponse {
        guard let loop = startedLoop() else {
            throw .unreachable(detail: CurlLibrary.failure() ?? "libcurl could not start")
        }
        let number = loop.number()
        let result: Result<OutboundResponse, TransportError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.start(Exchange(request, number: number, continuation: continuation))
                // If the task was cancelled before this line, the cancellation handler below has already run
                // and found no exchange.
                if Task.isCancelled { loop.cancel(number) }
            }
        } onCancel: {
            loop.cancel(number)
        }
        return try result.get()
    }
}
