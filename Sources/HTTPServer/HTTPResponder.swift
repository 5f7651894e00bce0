/// What answers requests. Everything but `respond(to:)` runs on the server's one loop thread and holds up
/// every connection: it must neither block nor compute for long.
package protocol HTTPResponder: Sendable {
    /// The head is complete; nothing of the body has been read.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission

    /// A complete request that can be answered from memory, without a task: a health check, a static file.
    /// Nil (the default) sends it to `respond(to:)`.
    func respondAtOnce(to request: HTTPRequest) -> HTTPResponse?

    /// The one answer, given off the loop. The client may be gone meanwhile; nobody can tell.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// How the server's own refusals are worded. `head` is nil where none could be read. The status should be
    /// `reason.status`.
    func refusal(_ reason: HTTPRefusal, head: HTTPRequestHead?) -> HTTPResponse

    /// Called once for every request that was answered or whose head could be read, when it is over.
    func finished(_ exchange: HTTPExchange)
}

extension HTTPResponder {
    package func respondAtOnce(to request: HTTPRequest) -> HTTPResponse? { nil }
    package func finished(_ exchange: HTTPExchange) {}
}

/// What becomes of a request whose head has been read.
package enum HTTPAdmission: Sendable {
    /// Its body is read, if it is at most this many bytes; otherwise `HTTPRefusal.bodyTooLarge`. What was
    /// found out about it is handed on with the request.
    case accept(bodyLimit: Int, finding: (any AnyObject & Sendable)? = nil)
    /// This is the answer; a body is read and thrown away first, where it is short enough to be worth the
    /// connection.
    case refuse(HTTPResponse)
}

/// A request that is over, for logs and metrics.
package struct HTTPExchange: Sendable {
    /// If the head was rejected, only its readable parts: no headers, and "-" for a malformed method or path.
    package let head: HTTPRequestHead
    /// Of the answer; nil where the client was gone before there was one.
    package let status: Int?
    /// The body's, whether or not every byte of it was delivered.
    package let bodyBytes: Int
    /// From the request line to the last byte given to the system.
    package let duration: Duration
    /// Whether the answer was sent as a whole.
    package let isComplete: Bool
    /// The answer's; empty where there was none.
    package let tag: String
}

/// Why the server itself refuses.
package enum HTTPRefusal: Sendable, Equatable, CaseIterable {
    /// 400: a target, header, version or chunk that is not HTTP/1's, or no `Host`. Ends the connection.
    case malformed
    /// 400: `Content-Length` that is ambiguous or malformed. Ends the connection.
    case ambiguousLength
    /// 501: a transfer coding other than `chunked`. Ends the connection.
    case unsupportedCoding
    /// 408: it did not arrive in time. Ends the connection.
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
    /// 500: the responder's answer cannot be sent (see `HTTPResponse.headers`).
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

    /// Whether the bytes that follow cannot be trusted, or nobody will read them.
    package var endsConnection: Bool {
        switch self {
        case .bodyTooLarge, .tooManyInFlight, .unsendableAnswer: false
        default: true
        }
    }
}
