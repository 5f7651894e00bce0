import HTTPServer
import Meetings
import Wire

/// One line of the route table: what a request is, who may send it, and what answers. Rights stand here and
/// nowhere else; commands look once more, inside their transaction.
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
    /// `/api/v1/sessions/{id}`: literal segments, and names in braces for the others.
    let pattern: String
    let access: Access
    /// One short sentence for the API's description, in the imperative and without a full stop: "Show a
    /// meeting with its latest session".
    let summary: String
    let body: Body
    let query: [QueryParameter]
    let gives: Answer
    let keys: KeyRule
    /// The problems that only this route's rules can bring. What follows from its method, access, body and
    /// query is not repeated here.
    let refuses: [ProblemCode]
    /// Whether programs in pages of other origins may use it (`OtherOrigins`).
    let isForAnyOrigin: Bool
    /// Headers beside those that follow from what it gives.
    let sends: [SentHeader]
    let handle: Handler

    enum Body: Sendable {
        case none
        /// A JSON object, read as this.
        case json(any (Readable & SendableMetatype).Type)
        /// `application/x-www-form-urlencoded`.
        case form
        /// A file of one of these types, of so many bytes at most; or a JSON object that says the same.
        case upload(limit: Int, json: any (Readable & SendableMetatype).Type, files: [String])
        /// A JPEG or PNG, whatever it is called.
        case image

        var limit: Int {
            switch self {
            // A body where none is asked for is read, within reason, and passed over.
            case .none: 1024
            case .json, .form: 65_536
            case .upload(let limit, _, _): limit
            case .image: MeetingImage.mostBytes
            }
        }
    }

    enum SentHeader: Sendable {
        case cookies
        /// The `ETag` of a file, which `If-None-Match` and `If-Match` take.
        case fileTag
    }

    /// What a request comes to when nothing is in its way.
    enum Answer: Sendable {
        /// `located`: a `Location` says where the new thing is. `tagged`: an `ETag` says the version of what
        /// the body is only a part of.
        case json(
            any (Decodable & SendableMetatype).Type, status: Int = 200, located: Bool = false,
            tagged: Bool = false)
        case noContent
        /// 200 with a body, or 204 where there is none.
        case jsonOrNothing(any (Decodable & SendableMetatype).Type)
        /// Two statuses with one body: new, or there already.
        case jsonNewOrKnown(any (Decodable & SendableMetatype).Type)
        case file(String)
        /// Nothing but headers, for browsers (`OtherOrigins`).
        case preflight
        /// A file of one of these types, which the caller may keep and asks for anew by its tag: 304 where it
        /// has not changed.
        case keptFile([String])
        case document
        case page
        /// 101, by the front door. Requests that reach the route are refused with 426.
        case webSocket
    }

    /// `keys` counts on a POST of the API only.
    init(
        _ method: Method, _ pattern: String, _ access: Access, does summary: String = "", body: Body = .none,
        query: [QueryParameter] = [], gives: Answer,
        refuses: [ProblemCode] = [], sends: [SentHeader] = [], keys: KeyRule = .kept,
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
        refuses: [ProblemCode] = [], sends: [SentHeader] = [], keys: KeyRule = .kept,
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

/// Who may send a request.
enum Access: Sendable, Hashable {
    case anyone
    case signedIn
    /// The holder of an account that is an operator's.
    case `operator`
    /// A member of the meeting that the path's id names, directly or by its session, question or attendee,
    /// with at least this role.
    case member(Role, of: Scope)
    /// A member, or the holder of a presenter link to the session.
    case memberOrPresenter
    /// A member, or the holder of a receipt of the session.
    case memberOrAttendee
    /// The holder of a receipt.
    case attendee

    enum Scope: Sendable, Hashable { case meeting, session, question, attendee }
}
