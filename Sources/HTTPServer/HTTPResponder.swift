/// The handler of a server's requests. All functions except `respond(to:)` run on the server's only thread,
/// and delay all connections. These functions must not block or compute for long.
package protocol HTTPResponder: Sendable {
    /// Accepts or refuses a request after its head is read and before its body is read.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission

    /// Answers a complete request at once from memory, such as a health check or a static file. If the result
    /// is nil, which is the default, the server calls `respond(to:)`.
    func respondAtOnce(to request: HTTPRequest) -> HTTPResponse?

    /// Answers a complete request in a task. The task is not notified if the client disconnects meanwhile.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// Returns the response to a request that the server itself refuses. `head` is nil if the head could not
    /// be read. The response's status should be `reason.status`.
    func refusal(_ reason: HTTPRefusal, head: HTTPRequestHead?) -> HTTPResponse

    /// The server calls this function when a request has ended, once for each request that was answered or
    /// whose head could be read.
    func finished(_ exchange: HTTPExchange)
}

extension HTTPResponder {
    package func respondAtOnce(to request: HTTPRequest) -> HTTPResponse? { nil }
    package func finished(_ exchange: HTTPExchange) {}
}

/// The responder's decision about a request whose head is read.
package enum HTTPAdmission: Sendable {
    /// Accepts the request. If the body has more than `bodyLimit` bytes, the server refuses the request with
    /// `HTTPRefusal.bodyTooLarge`. The server stores `context` in the complete request.
    ///
    /// If the body may have more than `HTTPSettings.smallBody` bytes, the server first calls `check` in a
    /// task, and reads the body only if `check` returns nil. A response of `check` refuses the request.
    ///
    /// If `waits`, the response may take long, because it waits for news. Such requests have a limit of their
    /// own (`HTTPSettings.waitingLimit`).
    ///
    /// If `isShort` and the body has at most `HTTPSettings.smallBody` bytes, the loop's own thread calls
    /// `respond(to:)`. This saves four changes of threads, but all connections are delayed while the function
    /// computes. The function may suspend.
    case accept(
        bodyLimit: Int, context: (any AnyObject & Sendable)? = nil,
        check: (@Sendable () async -> HTTPResponse?)? = nil, waits: Bool = false, isShort: Bool = false)
    /// Refuses the request with this response. The server first reads and ignores a short body, so that the
    /// connection can be used for further requests.
    case refuse(HTTPResponse)
}

/// A request that has ended, for logs and metrics.
package struct HTTPExchange: Sendable {
    /// The head of the request. If the server rejected the head, this value contains no headers, and "-" in
    /// place of a malformed method or path.
    package let head: HTTPRequestHead
    /// The status of the response, or nil if the client disconnected before the response.
    package let status: Int?
    /// The size of the response's body in bytes, even if the client did not receive all of it.
    package let bodyBytes: Int
    /// The time from the request line until the last byte of the response was written to the socket.
    package let duration: Duration
    /// Whether the whole response was sent.
    package let isComplete: Bool
    /// The response's tag. Empty if there was no response.
    package let tag: String
}

/// The reason why the server itself refuses a request.
package enum HTTPRefusal: Sendable, Equatable, CaseIterable {
    /// 400: the target, a header, the version or a chunk does not conform to HTTP/1, or `Host` is missing.
    /// Ends the connection.
    case malformed
    /// 400: `Content-Length` is ambiguous or malformed. Ends the connection.
    case ambiguousLength
    /// 501: the request has a transfer coding other than `chunked`. Ends the connection.
    case unsupportedCoding
    /// 408: the request did not arrive in time. Ends the connection.
    case tooSlow
    /// 413: the body is larger than `HTTPResponder.admit` allowed.
    case bodyTooLarge
    /// 431: the head is larger than `HTTPSettings.headLimit`. Ends the connection.
    case headTooLarge
    /// 503: the server is already answering `HTTPSettings.inFlightLimit` requests.
    case tooManyInFlight
    /// 503: the bodies of the current requests have already filled their share of the memory
    /// (`HTTPSettings.mediumBodiesShare`, `HTTPSettings.largeBodiesShare`).
    case tooManyBodyBytes
    /// 503: `HTTPSettings.connectionLimit` clients are already connected. Ends the connection.
    case tooManyConnections
    /// 503: the server is shutting down and cannot finish the request. Ends the connection.
    case shuttingDown
    /// 500: the responder's response is invalid and cannot be sent (see `HTTPResponse.headers`).
    case unsendableAnswer

    package var status: Int {
        switch self {
        case .malformed, .ambiguousLength: 400
        case .tooSlow: 408
        case .bodyTooLarge: 413
        case .headTooLarge: 431
        case .unsendableAnswer: 500
        case .unsupportedCoding: 501
        case .tooManyInFlight, .tooManyBodyBytes, .tooManyConnections, .shuttingDown: 503
        }
    }

    /// Whether the connection ends after the response, because the server cannot trust the following bytes or
    /// will not read them.
    package var endsConnection: Bool {
        switch self {
        case .bodyTooLarge, .tooManyInFlight, .tooManyBodyBytes, .unsendableAnswer: false
        default: true
        }
    }
}
