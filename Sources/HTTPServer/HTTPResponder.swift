/// The owner of a server, which answers its requests. All functions but `respond(to:)` run on the server's
/// one thread and hold up every connection: they must not block or compute for long.
package protocol HTTPResponder: Sendable {
    /// Decides about a request whose head is complete and whose body has not been read.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission

    /// Answers a complete request from memory, such as a health check or a static file. Nil, the default,
    /// leaves it to `respond(to:)`.
    func respondAtOnce(to request: HTTPRequest) -> HTTPResponse?

    /// Answers a complete request in a task. The client may have disconnected meanwhile, without a notice.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// Returns the response for a refusal of the server itself. `head` is nil if none could be read. The
    /// status should be `reason.status`.
    func refusal(_ reason: HTTPRefusal, head: HTTPRequestHead?) -> HTTPResponse

    /// Called when a request is over, once for each request that was answered or whose head could be read.
    func finished(_ exchange: HTTPExchange)
}

extension HTTPResponder {
    package func respondAtOnce(to request: HTTPRequest) -> HTTPResponse? { nil }
    package func finished(_ exchange: HTTPExchange) {}
}

/// The decision about a request whose head has been read.
package enum HTTPAdmission: Sendable {
    /// The body is read if it has at most `bodyLimit` bytes; otherwise the request is refused with
    /// `HTTPRefusal.bodyTooLarge`. The complete request carries `context`.
    case accept(bodyLimit: Int, context: (any AnyObject & Sendable)? = nil)
    /// The request gets this response. A short body is read and ignored first, so that the connection stays
    /// usable.
    case refuse(HTTPResponse)
}

/// A request that is over, for logs and metrics.
package struct HTTPExchange: Sendable {
    /// If the head was rejected, only its readable parts: no headers, and "-" for a malformed method or path.
    package let head: HTTPRequestHead
    /// The status of the response; nil if the client disconnected before there was one.
    package let status: Int?
    /// The size of the response's body, even if not every byte was delivered.
    package let bodyBytes: Int
    /// From the request line to the last byte given to the system.
    package let duration: Duration
    /// Whether the whole response was sent.
    package let isComplete: Bool
    /// The tag of the response; empty if there was none.
    package let tag: String
}

/// Why the server itself refuses a request.
package enum HTTPRefusal: Sendable, Equatable, CaseIterable {
    /// 400: a target, header, version or chunk that is not HTTP/1's, or no `Host`. Ends the connection.
    case malformed
    /// 400: `Content-Length` that is ambiguous or malformed. Ends the connection.
    case ambiguousLength
    /// 501: a transfer coding other than `chunked`. Ends the connection.
    case unsupportedCoding
    /// 408: the request did not arrive in time. Ends the connection.
    case tooSlow
    /// 413: more than `admit` allowed.
    case bodyTooLarge
    /// 431: more than `HTTPSettings.headLimit`. Ends the connection.
    case headTooLarge
    /// 503: `HTTPSettings.inFlightLimit` requests are being answered.
    case tooManyInFlight
    /// 503: `HTTPSettings.connectionLimit` clients are connected. Ends the connection.
    case tooManyConnections
    /// 503: the server ends before this could be answered. Ends the connection.
    case shuttingDown
    /// 500: the responder's response cannot be sent (see `HTTPResponse.headers`).
    case unsendableAnswer

    package var status: Int {
        switch self {
        case .malformed, .ambiguousLength: 400
        case .tooSlow: 408
        case .bodyTooLarge: 413
        case .headTooLarge: 431
        case .unsendableAnswer: 500
        case .unsupportedCoding: 501
        case .tooManyInFlight, .tooManyConnections, .shuttingDown: 503
        }
    }

    /// Whether the connection ends after the response, because its next bytes cannot be trusted or nobody
    /// reads them.
    package var endsConnection: Bool {
        switch self {
        case .bodyTooLarge, .tooManyInFlight, .unsendableAnswer: false
        default: true
        }
    }
}
