import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// A request and everything that its handler and the encoder of its answer need. An encoder is a function of
/// the command's result and this context, so that it gives the same answer on any thread.
struct RequestContext: Sendable {
    let request: HTTPRequest
    /// The values of the names in the route's pattern.
    let parameters: [String: String]
    let language: Language
    let requestID: String
    let services: Services
    /// Nil if the request's peer is not a trusted proxy.
    let forwarded: ForwardedRequest?
    /// The client's IP address, which a trusted proxy may have reported.
    let client: String
    /// The server address that the client used: URLs in the answer begin with it.
    let address: PublicAddress
    /// When the server began to answer: the moment of every decision and of the whole answer.
    let now: Instant
    /// The same moment on the clock of rotating codes.
    let codeNow: Instant
    var caller = Caller()
    /// Nil if the client sent no key, or if the route ignores keys.
    var idempotencyKey: IdempotencyKey?

    init(
        _ request: HTTPRequest, parameters: [String: String], language: Language, requestID: String,
        services: Services, forwarded: ForwardedRequest?
    ) {
        self.request = request
        self.parameters = parameters
        self.language = language
        self.requestID = requestID
        self.services = services
        self.forwarded = forwarded
        client = forwarded?.client ?? request.peer
        address = services.addresses.address(for: forwarded)
        now = services.clock.now
        codeNow = services.codeClock.now
    }

    /// The caller as the route's access check identified them.
    struct Caller: Sendable {
        var token: Token?
        var role: Role?
        var meeting: Meeting?
        var record: SessionRecord?
        var attendeeID: AttendeeID?
    }

    var storage: RequestStorage { RequestStorage(services.storage) }

    /// The caller's account. Traps on a route whose access does not require one.
    var accountID: AccountID {
        guard let token = caller.token else {
            preconditionFailure("\(request.path) does not ask for an account")
        }
        return token.accountID
    }

    /// The session that the access check found by the path's id. Traps on a route without one.
    var record: SessionRecord {
        guard let record = caller.record else {
            preconditionFailure("\(request.path) does not ask for a session")
        }
        return record
    }

    var meeting: Meeting {
        guard let meeting = caller.meeting else {
            preconditionFailure("\(request.path) does not ask for a meeting")
        }
        return meeting
    }

    var attendeeID: AttendeeID {
        guard let id = caller.attendeeID else {
            preconditionFailure("\(request.path) does not ask for a receipt")
        }
        return id
    }

    /// The caller's role in the meeting. A presenter counts as a viewer.
    var role: Role { caller.role ?? .viewer }

    /// Returns the id in the path.
    /// - Throws: `Refusal.notFound` if it is malformed.
    func id<Of>(_ type: Of.Type, _ thing: Thing, named name: String = "id") throws -> ID<Of> {
        guard let id = parameters[name].flatMap({ ID<Of>($0) }) else { throw Refusal.notFound(thing) }
        return id
    }

    func read<Request: Readable>(_ type: Request.Type) throws -> Request {
        guard ContentType.isJSON(request.headers.first("content-type")) else {
            throw RequestError(.unsupportedMediaType, ["expected": "application/json"])
        }
        return try Fields.read(type, from: try JSONDocument(request.body), patterns: storage.patterns)
    }

    /// Returns the precondition as a version. An unknown tag matches no version.
    func expectedVersion() throws -> ExpectedVersion {
        switch try precondition() {
        case .any: return .any
        case .nothing: return .version(0)
        case .tag(let tag):
            guard tag.hasPrefix("\"v"), tag.hasSuffix("\""), let version = Int(tag.dropFirst(2).dropLast())
            else { return .version(-1) }
            return .version(version)
        }
    }

    /// The state that a change expects.
    enum Precondition {
        case any
        case nothing
        /// The tag with its quotation marks; empty if no tag can match.
        case tag(String)
    }

    /// Reads `If-Match` (RFC 9110 §13.1.1). For a PATCH or PUT it also reads `If-None-Match: *` (§13.1.2),
    /// which creates a new resource.
    /// - Throws: 428 for a PATCH or PUT without either (RFC 6585 §3), so that no work is overwritten unseen;
    ///   422 for an `If-None-Match` other than `*`, because an unchecked condition must not be ignored.
    func precondition() throws -> Precondition {
        let (seen, isEdit) = (
            request.headers.first("if-match"), request.method == "PATCH" || request.method == "PUT"
        )
        if isEdit, let unseen = request.headers.first("if-none-match") {
            guard unseen.filter({ !$0.isWhitespace }) == "*", request.headers.count(of: "if-none-match") == 1
            else {
                throw Refusal.invalid([FieldError("If-None-Match", .notOneOf(["*"]))])
            }
            // `If-Match` requires an existing resource and `If-None-Match` a missing one: no state meets
            // both.
            return seen == nil ? .nothing : .tag("")
        }
        guard let seen else {
            guard !isEdit else { throw RequestError(.preconditionRequired) }
            return .any
        }
        let tags = seen.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        if tags.contains("*") { return .any }
        return .tag(tags.count == 1 ? tags[0] : "")
    }
}

/// An error that ends a request before its answer and is not a rule's refusal.
struct RequestError: Error {
    let code: ProblemCode
    let values: [String: String]
    var retryAfterSeconds: Int?

    init(_ code: ProblemCode, _ values: [String: String] = [:], retryAfterSeconds: Int? = nil) {
        self.code = code
        self.values = values
        self.retryAfterSeconds = retryAfterSeconds
    }
}
