import HTTPServer
import Meetings
import Wire

/// A route: method, path, access, query, body, answer and handler. Only the route declares its access;
/// commands check the rights again inside their transaction.
///
/// A route is an object, because each request refers to its route from several values.
final class Route: Sendable {
    typealias Handler = @Sendable (RequestContext) async throws -> HTTPResponse
    typealias HandlerFromMemory = @Sendable (RequestContext) throws -> HTTPResponse?

    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        case options = "OPTIONS"
    }

    let method: Method
    /// The path, for example `/api/v1/sessions/{id}`: literal segments, and parameter names in braces.
    let pattern: String
    let access: Access
    /// A short sentence for the API's description, in the imperative and without a full stop, for example
    /// "Show a meeting with its latest session".
    let summary: String
    let body: Body
    let query: [QueryParameter]
    let gives: Answer
    /// Whether the log names the client's address. If not, neither does any other method of this path, except
    /// GET: a browser sends a preflight just before the request. Reads of groups of interest hide it too,
    /// because the two phones of a request to meet read at the same moment.
    let logsAddress: Bool
    let keys: KeyRule
    /// The problems of this route's own rules. The problems of its method, access, body and query are
    /// derived.
    let refuses: [ProblemCode]
    /// Whether pages of other origins may use the route (`OtherOrigins`).
    let isForAnyOrigin: Bool
    /// Whether the command may become a job. If the client prefers an early answer, the route then answers
    /// 202 (`RequestContext.performLong`).
    let mayBeLong: Bool
    /// Whether an account whose e-mail address is not verified may use the route, even if the server requires
    /// verification.
    let allowsUnverified: Bool
    /// Which named tokens may use the route.
    let namedTokens: NamedTokens
    /// Whether the answer waits for news, so that it does not count as a request in flight.
    let waits: Bool
    /// Whether the handler computes for a few microseconds only, so that the HTTP loop's thread runs it.
    let isShort: Bool
    /// The headers that do not follow from `gives`.
    let sends: [SentHeader]
    let handle: Handler
    /// Answers a request from memory, on the HTTP loop, so it neither waits nor computes for long. If it
    /// returns nil or throws, or if the caller is not known (`AccessCheck.knownCaller`), `handle` answers.
    let fromMemory: HandlerFromMemory?

    enum Body: Sendable {
        case none
        /// A JSON object of this type.
        case json(any (Readable & SendableMetatype).Type)
        /// `application/x-www-form-urlencoded`.
        case form
        /// A file of one of these types, at most `limit` bytes, or a JSON object with the same content.
        case upload(limit: Int, json: any (Readable & SendableMetatype).Type, files: [String])
        /// A JPEG or PNG image. The server ignores the file name.
        case image
        /// The packets of Engine.IO, in any type.
        case packets

        /// Whether the route reads the body, so that the caller is checked before a larger body arrives.
        var isRead: Bool { if case .none = self { false } else { true } }

        var limit: Int {
            switch self {
            // Unexpected bodies of up to 1 KB are read and ignored.
            case .none: 1024
            case .json, .form, .packets: 65_536
            case .upload(let limit, _, _): limit
            case .image: MeetingImage.mostBytes
            }
        }
    }

    /// Whether a request counts as a change of the caller's account. A sign-out does not, because it must
    /// always succeed.
    var countsAsChange: Bool {
        switch (method, access) {
        case (.get, _), (.options, _), (_, .anyone), (_, .attendee), (_, .memberOrAttendee), (_, .kiosk),
            (_, .satellite):
            false
        default: !pattern.hasSuffix("/tokens/current") && !pattern.hasSuffix("/sign-out")
        }
    }

    /// The named tokens that may use a route for which being signed in is enough; by default, none. Routes
    /// of a meeting follow the token's limits, and operators' routes refuse all named tokens.
    enum NamedTokens: Sendable {
        /// None, because the route concerns the account and its sign-ins.
        case none
        /// The tokens that are not limited to a meeting.
        case ofAllMeetings
        case all
    }

    enum SentHeader: Sendable {
        case cookies
        /// The `ETag` of a file, which clients send in `If-None-Match` and `If-Match`.
        case fileTag
        /// The `Retry-After` of a successful answer, as long as the answer will change soon.
        case pollingPause
    }

    /// The answer of a successful request.
    enum Answer: Sendable {
        /// A JSON body. If `located`, a `Location` header names the new resource. If `tagged`, the `ETag` is
        /// the version of the resource that the body is a part of.
        case json(
            any (Decodable & SendableMetatype).Type, status: Int = 200, located: Bool = false,
            tagged: Bool = false)
        case noContent
        /// 200 with a body, or 204 if there is no such resource.
        case jsonOrNothing(any (Decodable & SendableMetatype).Type)
        /// 201 for a new resource or 200 for an existing one, with the same body.
        case jsonNewOrKnown(any (Decodable & SendableMetatype).Type)
        case file(String)
        /// A preflight's answer, which has only headers (`OtherOrigins`).
        case preflight
        /// A file of one of these types. The client may store the file and revalidate it by its tag. The
        /// answer is 304 if the file has not changed.
        case cachedFile([String])
        /// A JSON body, which the client revalidates by its tag as a file.
        case cachedJSON(any (Decodable & SendableMetatype).Type)
        case document
        case page
        /// A page, or 303 to the own page of a phone that has checked in.
        case pageOrOwn
        /// A websocket. The front door answers the upgrade with 101. Requests that reach this route are
        /// refused with 426.
        case webSocket
        /// A stream of server-sent events. The front door gives its request to the websockets. Requests that
        /// reach this route are sent to another connection, or refused.
        case eventStream
    }

    /// Makes a route. `keys` has an effect only on a POST of the API.
    init(
        _ method: Method, _ pattern: String, _ access: Access, does summary: String = "", body: Body = .none,
        query: [QueryParameter] = [], gives: Answer, logsAddress: Bool = true,
        refuses: [ProblemCode] = [], sends: [SentHeader] = [], keys: KeyRule = .stored,
        forAnyOrigin: Bool = false, mayBeLong: Bool = false, allowsUnverified: Bool = false,
        namedTokens: NamedTokens = .none, waits: Bool = false, isShort: Bool = false,
        fromMemory: HandlerFromMemory? = nil, _ handle: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.summary = summary
        self.body = body
        self.query = query
        self.gives = gives
        self.logsAddress = logsAddress
        self.keys = keys
        self.refuses = refuses
        isForAnyOrigin = forAnyOrigin
        self.mayBeLong = mayBeLong
        self.allowsUnverified = allowsUnverified
        self.namedTokens = namedTokens
        self.sends = sends
        self.waits = waits
        self.isShort = isShort
        self.fromMemory = fromMemory
        self.handle = handle
    }

    /// Makes a route that reads a `Request` from a JSON body.
    convenience init<Request: Readable & Sendable>(
        _ method: Method, _ pattern: String, _ access: Access, does summary: String = "",
        reading type: Request.Type, query: [QueryParameter] = [], gives: Answer, logsAddress: Bool = true,
        refuses: [ProblemCode] = [], sends: [SentHeader] = [], keys: KeyRule = .stored,
        mayBeLong: Bool = false, allowsUnverified: Bool = false, namedTokens: NamedTokens = .none,
        isShort: Bool = false,
        _ handle: @escaping @Sendable (RequestContext, Request) async throws -> HTTPResponse
    ) {
        self.init(
            method, pattern, access, does: summary, body: .json(type), query: query, gives: gives,
            logsAddress: logsAddress, refuses: refuses,
            sends: sends, keys: keys, mayBeLong: mayBeLong, allowsUnverified: allowsUnverified,
            namedTokens: namedTokens, isShort: isShort
        ) { context in
            try await handle(context, try context.read(type))
        }
    }
}

/// The callers that a route allows.
enum Access: Sendable, Hashable {
    case anyone
    case signedIn
    /// An account, or the holder of an attendee's receipt.
    case accountOrAttendee
    /// An operator.
    case `operator`
    /// A member of the meeting with this right. The id in the path is the id of the meeting, or of one of
    /// its sessions, questions or attendees.
    case member(MemberRight, of: Scope)
    /// A member who may read the meeting, or the holder of a presenter link to the session.
    case memberOrPresenter
    /// The holder of a kiosk's link to the session.
    case kiosk
    /// A member who may read the meeting, or the holder of a receipt of the session.
    case memberOrAttendee
    /// The holder of an attendee's receipt.
    case attendee
    /// An offline door. The handler decides what a revoked one may still do.
    case satellite

    enum Scope: Sendable, Hashable { case meeting, session, question, attendee }
}

/// A right in a meeting. Most are named by the role that has no other right.
enum MemberRight: Sendable, Hashable {
    case owner, host, viewer
    /// The right to let people in and out. Viewers do not have it.
    case steward
    case anyRole

    func belongs(to role: Role) -> Bool {
        switch self {
        case .owner: role == .owner
        case .host: role.isHost
        case .viewer: role.isReader
        case .steward: role.isAtDoor
        case .anyRole: true
        }
    }
}
