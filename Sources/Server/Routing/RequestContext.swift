import HTTPServer
import Journal
import Meetings
import Phrases
import Synchronization
import Wire

/// A request, with everything that its handler and the encoder of its answer need. The encoder uses only the
/// command's result and this context, so it gives the same answer on any thread.
struct RequestContext: Sendable {
    private let facts: Facts
    var caller = Caller.nobody
    /// The request's idempotency key; nil if the client sent no key, or if the route ignores keys.
    var idempotencyKey: IdempotencyKey?

    /// The part that all copies of the context share, because handlers and their functions copy it. Only the
    /// meeting's language changes: the handler learns it from the rows that it reads.
    private final class Facts: Sendable {
        let request: HTTPRequest
        let parameters: [String: String]
        let route: Route?
        let languages: RequestedLanguages
        let meetingLanguage = Mutex<Language?>(nil)
        let requestID: String
        let services: Services
        let forwarded: ForwardedRequest?
        let now: Instant
        let codeNow: Instant
        let revision: Revision?

        init(
            _ request: HTTPRequest, _ parameters: [String: String], _ route: Route?,
            _ languages: RequestedLanguages,
            _ requestID: String, _ services: Services, _ forwarded: ForwardedRequest?
        ) {
            self.request = request
            self.parameters = parameters
            self.route = route
            self.languages = languages
            self.requestID = requestID
            self.services = services
            self.forwarded = forwarded
            now = services.clock.now
            codeNow = services.codeClock.now
            revision = services.storage.revision
        }
    }

    init(
        _ request: HTTPRequest, parameters: [String: String], route: Route?,
        languages: RequestedLanguages, requestID: String, services: Services, forwarded: ForwardedRequest?
    ) {
        facts = Facts(request, parameters, route, languages, requestID, services, forwarded)
    }

    var request: HTTPRequest { facts.request }
    /// The values of the parameters in the route's pattern, by name.
    var parameters: [String: String] { facts.parameters }
    /// The route of the request; nil if there is none. The handler may read no query parameters that it does
    /// not declare, except `lang`.
    var route: Route? { facts.route }
    /// The languages that the caller requests. They do not depend on the meeting.
    var languages: RequestedLanguages { facts.languages }
    /// The language that the handler has learned from the meeting; nil if it has learned none.
    var meetingLanguage: Language? { facts.meetingLanguage.withLock { $0 } }
    /// The language of the texts for the caller.
    var language: Language { languages.language(in: meetingLanguage) }
    /// Takes the meeting's language for a caller who requests no language of the product. Only requests of
    /// attendees use it: a host's page and the problems of its requests are in the host's language.
    func useLanguage(of meeting: Meeting) {
        guard let language = meeting.attendeeLanguage else { return }
        facts.meetingLanguage.withLock { $0 = language }
    }
    /// Returns the language of a text that all attendees of a meeting read, and not the caller alone.
    func languageForAll(of meeting: Meeting) -> Language {
        languages.language(for: .others, in: meeting.attendeeLanguage)
    }
    var requestID: String { facts.requestID }
    var services: Services { facts.services }
    /// The client and the host that a trusted proxy reports; nil if the peer is not a trusted proxy.
    var forwarded: ForwardedRequest? { facts.forwarded }
    /// The client's IP address, which a trusted proxy may have reported.
    var client: String { facts.forwarded?.client ?? facts.request.head.peer }
    /// The server address that the client used. URLs in the answer begin with this address.
    var address: PublicAddress { facts.services.addresses.address(for: facts.forwarded) }
    /// The time at which the server began to answer. Handlers decide and encode with this time. The exchange
    /// of codes, the limits on failures and the begin of a sign-in read the clock themselves, because time
    /// may have passed since then.
    var now: Instant { facts.now }
    /// The same time on the clock of rotating codes.
    var codeNow: Instant { facts.codeNow }
    /// The storage's revision before the request read any row; nil if nothing may be stored in memory
    /// (`RevisionCache`).
    var revision: Revision? { facts.revision }

    /// The caller of the request, as the route's access check identified the caller. It is an object, because
    /// each async function that holds a context would need a kilobyte for these records.
    final class Caller: Sendable {
        static let nobody = Caller()

        let token: Token?
        let role: Role?
        let meeting: Meeting?
        let record: SessionRecord?
        /// The receipt in the request. The handler or its command checks whether it has ended.
        let receipt: Receipt?
        /// The presenter link in the request.
        let link: PresenterLink?
        /// The offline door of the request, which may be revoked.
        let satellite: Satellite?

        init(
            token: Token? = nil, role: Role? = nil, meeting: Meeting? = nil, record: SessionRecord? = nil,
            receipt: Receipt? = nil, link: PresenterLink? = nil, satellite: Satellite? = nil
        ) {
            self.satellite = satellite
            self.token = token
            self.role = role
            self.meeting = meeting
            self.record = record
            self.receipt = receipt
            self.link = link
        }
    }

    var storage: RequestStorage { RequestStorage(services.storage) }

    /// The caller's account. Traps if the route does not require an account.
    var accountID: AccountID { required(caller.token, "an account").accountID }

    /// The session that the access check found by the id in the path. Traps if the path names no session.
    var record: SessionRecord { required(caller.record, "a session") }

    var meeting: Meeting { required(caller.meeting, "a meeting") }

    var receipt: Receipt { required(caller.receipt, "a receipt") }

    /// The kiosk's link. Traps if the route does not require one.
    var link: PresenterLink { required(caller.link, "a link") }

    var satellite: Satellite { required(caller.satellite, "an offline door") }

    /// Returns what the access check found. Traps if the route does not require it.
    private func required<Found>(_ found: Found?, _ name: String) -> Found {
        guard let found else { preconditionFailure("\(request.path) does not ask for \(name)") }
        return found
    }

    /// The caller's role in the meeting. A presenter counts as a viewer.
    var role: Role { caller.role ?? .viewer }

    /// Returns the id in the path.
    /// - Throws: `Refusal.notFound` if the id is malformed.
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

    /// Returns the version that the client expects. An unknown tag matches no version.
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

    /// The state of the resource that the client expects when it changes the resource.
    enum Precondition {
        case any
        case nothing
        /// The expected tag with its quotation marks; empty if no tag can match.
        case tag(String)
    }

    /// Reads `If-Match` (RFC 9110 §13.1.1). For a PATCH or PUT, also reads `If-None-Match: *` (§13.1.2), with
    /// which the client creates a new resource.
    /// - Throws: 428 for a PATCH or PUT without either header (RFC 6585 §3), so that the client overwrites no
    ///   change that it has not seen. 422 for an `If-None-Match` other than `*`, because the server cannot
    ///   check it and must not ignore it.
    func precondition() throws -> Precondition {
        let (seen, isEdit) = (
            request.headers.first("if-match"), request.method == "PATCH" || request.method == "PUT"
        )
        if isEdit, let unseen = request.headers.first("if-none-match") {
            guard unseen.filter({ !$0.isWhitespace }) == "*", request.headers.count(of: "if-none-match") == 1
            else {
                throw Refusal.invalid([FieldError("If-None-Match", .notOneOf(["*"]))])
            }
            // `If-Match` requires an existing resource, and `If-None-Match` requires a missing resource. No
            // state fulfils both conditions.
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

extension Meeting {
    /// The language for attendees; nil if the host chose none.
    var attendeeLanguage: Language? { language.flatMap { Language(tag: $0) } }
}

/// An error that ends a request before its answer. A refusal by a rule has its own type, `Refusal`.
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
