import HTTPServer
import Meetings
import Wire

/// One route: method, path, access, query, body, answer and handler. Access is declared only here; commands
/// check it again inside their transaction.
struct Route: Sendable {
    typealias Handler = @Sendable (RequestContext) async throws -> HTTPResponse

    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        case options = "OPTIONS"
    }

    let method: Method
    /// `/api/v1/sessions/{id}`: literal segments, and parameter names in braces.
    let pattern: String
    let access: Access
    /// One short sentence for the API's description, imperative and without a full stop: "Show a meeting with
    /// its latest session".
    let summary: String
    let body: Body
    let query: [QueryParameter]
    let gives: Answer
    let keys: KeyRule
    /// The problems of this route's own rules. Problems that follow from its method, access, body and query
    /// are derived.
    let refuses: [ProblemCode]
    /// Whether pages of other origins may use it (`OtherOrigins`).
    let isForAnyOrigin: Bool
    /// Headers in addition to those that follow from `gives`.
    let sends: [SentHeader]
    let handle: Handler

    enum Body: Sendable {
        case none
        /// A JSON object of this type.
        case json(any (Readable & SendableMetatype).Type)
        /// `application/x-www-form-urlencoded`.
        case form
        /// A file of one of these types, at most `limit` bytes, or a JSON object with the same content.
        case upload(limit: Int, json: any (Readable & SendableMetatype).Type, files: [String])
        /// A JPEG or PNG, whatever its file name.
        case image

        var limit: Int {
            switch self {
            // Unexpected bodies of up to 1 KB are read and ignored.
            case .none: 1024
            case .json, .form: 65_536
            case .upload(let limit, _, _): limit
            case .image: MeetingImage.mostBytes
            }
        }
    }

    enum SentHeader: Sendable {
        case cookies
        /// The `ETag` of a file, for `If-None-Match` and `If-Match`.
        case fileTag
    }

    /// The answer of a successful request.
    enum Answer: Sendable {
        /// `located`: a `Location` header names the new resource. `tagged`: an `ETag` is the version of the
        /// whole that the body is a part of.
        case json(
            any (Decodable & SendableMetatype).Type, status: Int = 200, located: Bool = false,
            tagged: Bool = false)
        case noContent
        /// 200 with a body, or 204 if there is nothing.
        case jsonOrNothing(any (Decodable & SendableMetatype).Type)
        /// 201 or 200 with the same body: newly created, or existing.
        case jsonNewOrKnown(any (Decodable & SendableMetatype).Type)
        case file(String)
        /// Headers only, for browsers (`OtherOrigins`).
        case preflight
        /// A file of one of these types that the client may store and revalidate by its tag; 304 if it has
        /// not changed.
        case cachedFile([String])
        case document
        case page
        /// 101 by the front door. Requests that reach the route itself are refused with 426.
        case webSocket
    }

    /// `keys` has an effect only on a POST of the API.
    init(
        _ method: Method, _ pattern: String, _ access: Access, does summary: String = "", body: Body = .none,
        query: [QueryParameter] = [], gives: Answer,
        refuses: [ProblemCode] = [], sends: [SentHeader] = [], keys: KeyRule = .stored,
        forAnyOrigin: Bool = false,
        _ handle: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.summary = summary
        self.body = body
        self.query = query
        self.gives = gives
        self.keys = keys
        self.refuses = refuses
        isForAnyOrigin = forAnyOrigin
        self.sends = sends
        self.handle = handle
    }

    /// A route that reads `Request` from a JSON body.
    init<Request: Readable & Sendable>(
        _ method: Method, _ pattern: String, _ access: Access, does summary: String = "",
        reading type: Request.Type, query: [QueryParameter] = [], gives: Answer,
        refuses: [ProblemCode] = [], sends: [SentHeader] = [], keys: KeyRule = .stored,
        _ handle: @escaping @Sendable (RequestContext, Request) async throws -> HTTPResponse
    ) {
        self.init(
            method, pattern, access, does: summary, body: .json(type), query: query, gives: gives,
            refuses: refuses,
            sends: sends, keys: keys
        ) { context in
            try await handle(context, try context.read(type))
        }
    }
}

/// The callers that a route allows.
enum Access: Sendable, Hashable {
    case anyone
    case signedIn
    /// An operator.
    case `operator`
    /// A member of the meeting with at least this role. The path's id names the meeting directly, or by its
    /// session, question or attendee.
    case member(Role, of: Scope)
    /// A member, or the holder of a presenter link to the session.
    case memberOrPresenter
    /// A member, or the holder of a receipt of the session.
    case memberOrAttendee
    /// The holder of a receipt.
    case attendee

    enum Scope: Sendable, Hashable { case meeting, session, question, attendee }
}
