import HTTPServer
import Meetings
import Wire

/// One line of the route table: what a request is, who may send it, and what answers. Rights stand here and nowhere else; commands look once
/// more, inside their transaction.
struct Route: Sendable {
    typealias Handler = @Sendable (RequestContext) async throws -> HTTPResponse

    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    let method: Method
    /// `/api/v1/sessions/{id}`: literal segments, and names in braces for the others.
    let pattern: String
    let access: Access
    let body: Body
    let gives: Answer
    let handle: Handler

    enum Body: Sendable {
        case none
        /// A JSON object; the closure writes down its schema for the API's description.
        case json(@Sendable () -> Schema)
        /// `application/x-www-form-urlencoded`.
        case form

        var limit: Int {
            switch self {
            // A body where none is asked for is read, within reason, and passed over.
            case .none: 1024
            case .json, .form: 65_536
            }
        }
    }

    /// What a request comes to when nothing is in its way.
    enum Answer: Sendable {
        case json(any (Decodable & SendableMetatype).Type, status: Int = 200)
        case noContent
        /// 200 with a body, or 204 where there is none.
        case jsonOrNothing(any (Decodable & SendableMetatype).Type)
        /// Two statuses with one body: new, or there already.
        case jsonNewOrKnown(any (Decodable & SendableMetatype).Type)
        case file(String)
        case document
        case page
    }

    init(_ method: Method, _ pattern: String, _ access: Access, body: Body = .none, gives: Answer, _ handle: @escaping Handler) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.body = body
        self.gives = gives
        self.handle = handle
    }

    /// A route that reads `Request` from a JSON body.
    init<Request: Readable & Sendable>(
        _ method: Method, _ pattern: String, _ access: Access, reading type: Request.Type, gives: Answer,
        _ handle: @escaping @Sendable (RequestContext, Request) async throws -> HTTPResponse
    ) {
        self.init(method, pattern, access, body: .json { Fields.schema(of: type) }, gives: gives) { context in
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
    /// A member of the meeting that the path's id names, directly or by its session or question, with at least this role.
    case member(Role, of: Scope)
    /// A member, or the holder of a presenter link to the session.
    case memberOrPresenter
    /// A member, or the holder of a receipt of the session.
    case memberOrAttendee
    /// The holder of a receipt.
    case attendee

    enum Scope: Sendable, Hashable { case meeting, session, question }
}
