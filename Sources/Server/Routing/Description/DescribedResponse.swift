import HTTPServer
import Phrases
import Wire

/// A possible response of a route: its condition, headers and content.
struct DescribedResponse: Encodable, Sendable {
    let description: String
    let headers: OrderedMembers<DescribedHeader>?
    let content: OrderedMembers<DescribedContent>?

    init(
        description: String, headers: [(name: String, value: DescribedHeader)] = [],
        content: [(name: String, value: DescribedContent)] = []
    ) {
        self.description = description
        self.headers = headers.isEmpty ? nil : OrderedMembers(headers)
        self.content = content.isEmpty ? nil : OrderedMembers(content)
    }

    // MARK: Headers

    static let cacheControl = header("Cache-Control", "The answer must not be stored.", .oneOf(["no-store"]))
    static let privateCache = header(
        "Cache-Control", "Only the caller's browser may store it, and must revalidate.",
        .oneOf(["private, no-cache"]))
    static let fileTag = header(
        "ETag", "For If-None-Match and If-Match.",
        .string(min: nil, max: nil, format: nil, pattern: "^\"[0-9A-Z]+\"$"))
    static let requestID = header(
        "X-Request-Id", "Names the request in the server's log.",
        .string(min: 1, max: 20, format: nil, pattern: nil))
    static let retryAfter = header("Retry-After", "Seconds to wait.", .integer(min: 1, max: nil))
    static let pollingPause = header(
        "Retry-After", "Seconds until it is worth asking again; not sent when the job has ended.",
        required: false, .integer(min: 1, max: nil))
    static let preferenceApplied = header(
        "Preference-Applied", "The preference that the server followed (RFC 7240).",
        .oneOf([Preferences.respondAsync]))
    static let authenticate = header(
        "WWW-Authenticate", "How to authenticate (RFC 6750).", .oneOf(["Bearer"]))
    /// The same header for routes that answer with pages: a problem in JSON has the header, an error page
    /// does not.
    static let pageAuthenticate = header(
        "WWW-Authenticate", "How to authenticate (RFC 6750).", required: false, .oneOf(["Bearer"]))
    static let allow = header("Allow", "The methods of the path.", .anyText)
    static let upgrade = header("Upgrade", "The protocol of the rooms.", .oneOf(["websocket"]))
    static let subprotocol = header(
        "Sec-WebSocket-Protocol", "The subprotocol of the rooms.", .oneOf(["qring.v1"]))
    static let entityTag = header(
        "ETag", "For If-Match.", .string(min: nil, max: nil, format: nil, pattern: "^\"v[0-9]+\"$"))
    static let location = header(
        "Location", "The address of the new resource.",
        .string(min: 1, max: nil, format: "uri-reference", pattern: nil))

    static let anyOrigin = [
        header(
            "Access-Control-Allow-Origin", "Pages of any origin may read this; credentials are ignored.",
            .oneOf(["*"])),
        header(
            "Access-Control-Expose-Headers", "The headers that they may read.",
            .oneOf([OtherOrigins.exposed])),
    ]
    static let preflight =
        anyOrigin + [
            allow, header("Access-Control-Allow-Methods", "The methods that they may use.", .anyText),
            header(
                "Access-Control-Allow-Headers", "The headers that they may send.",
                .oneOf([OtherOrigins.allowedHeaders])),
            header(
                "Access-Control-Max-Age", "The seconds for which this may be stored.",
                .integer(min: 1, max: nil)
            ),
        ]
    static let cookies = header("Set-Cookie", "A line for each cookie (RFC 6265).", cookie)
    /// The cookies that pages set: grants, receipts and the chosen language.
    static let pageCookies = header(
        "Set-Cookie", "A line for each cookie (RFC 6265).", required: false, cookie)
    private static let cookie = Schema.string(
        min: nil, max: nil, format: nil, pattern: "^qring_[a-zA-Z0-9_]+=[^;]*; ")

    static let replayed = header(
        HTTPResponse.replayedHeader, "The stored answer of the first request with this key.", required: false,
        .oneOf(["true"]))

    private static func header(
        _ name: String, _ description: String, required: Bool = true, _ schema: Schema
    ) -> (name: String, value: DescribedHeader) {
        (name, DescribedHeader(description: description, required: required, schema: schema))
    }
}

struct DescribedHeader: Encodable, Sendable {
    let description: String
    let required: Bool
    let schema: Schema
}

extension Route.Answer {
    var isPage: Bool {
        switch self {
        case .page, .pageOrOwn: true
        default: false
        }
    }

    /// Whether the answer carries its version as an `ETag`.
    var isVersioned: Bool {
        switch self {
        case .json(let type, _, _, let tagged): tagged || type is any Versioned.Type
        case .jsonOrNothing(let type), .jsonNewOrKnown(let type): type is any Versioned.Type
        case .noContent, .preflight, .file, .cachedFile, .cachedJSON, .document, .page, .pageOrOwn,
            .webSocket,
            .eventStream:
            false
        }
    }

    func described(for route: Route) -> [(status: String, response: DescribedResponse)] {
        let always =
            [DescribedResponse.cacheControl] + (isVersioned ? [DescribedResponse.entityTag] : [])
            + (route.storesAnswer ? [DescribedResponse.replayed] : [])
            + (route.isForAnyOrigin ? DescribedResponse.anyOrigin : [])
        func json(_ status: Int, _ schema: Schema, _ said: String, located: Bool = false) -> (
            String, DescribedResponse
        ) {
            let content = [("application/json", DescribedContent(schema: schema))]
            let headers =
                always + (located ? [DescribedResponse.location] : []) + route.sends.map(\.described)
            return (String(status), DescribedResponse(description: said, headers: headers, content: content))
        }
        func file(
            _ type: String, _ said: String, headers: [(name: String, value: DescribedHeader)] = []
        ) -> (String, DescribedResponse) {
            let content = [(name: type, value: DescribedContent(schema: .file(type)))]
            return ("200", DescribedResponse(description: said, headers: always + headers, content: content))
        }
        let page = file("text/html", "The page.", headers: [DescribedResponse.pageCookies])
        let nothing = (
            "204",
            DescribedResponse(description: "Done; no content.", headers: route.sends.map(\.described))
        )
        let started =
            route.mayBeLong
            ? [
                (
                    "202",
                    DescribedResponse(
                        description:
                            "Prefer: respond-async, and the change is long: it has begun, and "
                            + "GET /api/v1/jobs/{id} shows its progress.",
                        headers: [
                            DescribedResponse.cacheControl, DescribedResponse.location,
                            DescribedResponse.preferenceApplied, DescribedResponse.retryAfter,
                        ] + (route.storesAnswer ? [DescribedResponse.replayed] : []),
                        content: [
                            (
                                "application/json",
                                DescribedContent(schema: SchemaRecorder.schema(of: StartedJobBody.self))
                            )
                        ])
                )
            ] : []
        return switch self {
        case .json(let type, let status, let located, _):
            [
                json(
                    status, SchemaRecorder.schema(of: type), status == 201 ? "Created." : "Done.",
                    located: located)
            ] + started
        case .noContent: [nothing]
        case .preflight:
            [
                (
                    "204",
                    DescribedResponse(
                        description: "The allowed methods and headers.", headers: DescribedResponse.preflight)
                )
            ]
        case .jsonOrNothing(let type):
            [
                json(200, SchemaRecorder.schema(of: type), "It exists."),
                ("204", DescribedResponse(description: "There is none.")),
            ]
        case .jsonNewOrKnown(let type):
            [
                json(201, SchemaRecorder.schema(of: type), "Created."),
                json(200, SchemaRecorder.schema(of: type), "It existed already, or nothing was stored."),
            ]
        case .file(let type): [file(type, "The file.")]
        case .cachedFile(let types):
            [
                (
                    "200",
                    DescribedResponse(
                        description: "The file.",
                        headers: [DescribedResponse.privateCache, DescribedResponse.fileTag],
                        content: types.map { ($0, DescribedContent(schema: .file($0))) })
                ),
                (
                    "304",
                    DescribedResponse(
                        description: "The caller's copy is current.",
                        headers: [DescribedResponse.privateCache, DescribedResponse.fileTag])
                ),
            ]
        case .cachedJSON(let type):
            [
                (
                    "200",
                    DescribedResponse(
                        description: "Done.",
                        headers: [DescribedResponse.privateCache, DescribedResponse.fileTag],
                        content: [
                            (
                                "application/json",
                                DescribedContent(schema: SchemaRecorder.schema(of: type))
                            )
                        ])
                ),
                (
                    "304",
                    DescribedResponse(
                        description: "The caller's copy is current.",
                        headers: [DescribedResponse.privateCache, DescribedResponse.fileTag])
                ),
            ]
        case .document: [json(200, .object([]), "The description.")]
        case .page: [page]
        case .pageOrOwn:
            [
                page,
                (
                    "303",
                    DescribedResponse(
                        description: "This phone has checked in: its own page.",
                        headers: [DescribedResponse.location, DescribedResponse.cacheControl])
                ),
            ]
        case .eventStream:
            [
                file("text/event-stream", "The frames of the room, as server-sent events."),
                (
                    "307",
                    DescribedResponse(
                        description:
                            "The connection has carried another request: send this one on a new one.",
                        headers: [DescribedResponse.location, DescribedResponse.cacheControl])
                ),
            ]
        case .webSocket:
            [
                (
                    "101",
                    DescribedResponse(
                        description:
                            "The upgrade succeeded (RFC 6455 §4.1): version 13, subprotocol qring.v1. GET "
                            + "/asyncapi.json "
                            + "describes the messages.",
                        headers: [DescribedResponse.upgrade, DescribedResponse.subprotocol])
                )
            ]
        }
    }
}

extension Route.SentHeader {
    fileprivate var described: (name: String, value: DescribedHeader) {
        switch self {
        case .cookies: DescribedResponse.cookies
        case .fileTag: DescribedResponse.fileTag
        case .pollingPause: DescribedResponse.pollingPause
        }
    }
}

extension Route {
    /// The problems that the route can answer with: the problems of any request, the problems that follow
    /// from the declaration, and the problems of the route's own rules.
    var problems: Set<ProblemCode> {
        var problems: Set<ProblemCode> = [
            .badRequest, .requestTimeout, .bodyTooLarge, .headersTooLarge, .internalError, .overloaded,
            .storageUnavailable,
        ]
        problems.formUnion(refuses)
        problems.formUnion(access.problems)
        if access.problems.contains(.tokenExpired), !allowsUnverified {
            problems.insert(.accountNotVerified)
        }
        // A browser sends the cookie with requests from any site. A write that uses the cookie must therefore
        // come from a page of this server.
        if access.proofs.contains(.cookie), method != .get { problems.insert(.originNotAllowed) }
        if pattern.contains("{") { problems.insert(.notFound) }
        switch body {
        case .none, .packets: break
        case .json, .upload:
            problems.formUnion([
                .notJSON, .jsonTooDeep, .jsonKeyTooLong, .jsonTooManyValues, .unsupportedMediaType,
                .invalidFields,
            ])
        case .image: problems.insert(.notAnImage)
        case .form: problems.formUnion([.unsupportedMediaType, .invalidFields])
        }
        if query.contains(where: { $0.schema != .anyText }) { problems.insert(.invalidFields) }
        if mayHaveKey { problems.insert(.invalidFields) }
        if storesAnswer { problems.insert(.idempotencyKeyUsed) }
        if takesVersion { problems.insert(.versionMismatch) }
        if needsVersion { problems.formUnion([.preconditionRequired, .invalidFields]) }
        if ![.get, .options].contains(method) { problems.insert(.storageFull) }
        if countsAsChange { problems.insert(.tooManyChanges) }
        // The routes that change a meeting, whose long commands these commands wait for.
        if takesVersion || storesAnswer || method == .delete { problems.insert(.meetingIsBusy) }
        return problems
    }

    /// The problems of the route, grouped and ordered by status.
    var refusals: [RouteRefusal] {
        Dictionary(grouping: problems, by: \.status)
            .map {
                RouteRefusal(
                    codes: $1.sorted { $0.rawValue < $1.rawValue }, asPage: !pattern.hasPrefix("/api/"),
                    forAnyOrigin: isForAnyOrigin)
            }
            .sorted { $0.status < $1.status }
    }
}

extension Access {
    /// The problems of a token that is missing or no longer valid.
    private static let ofSignIn: Set<ProblemCode> = [
        .notSignedIn, .tokenExpired, .accountSuspended, .accountWithdrawn, .tokenLimited,
    ]

    fileprivate var problems: Set<ProblemCode> {
        switch self {
        case .anyone: []
        case .signedIn: Self.ofSignIn
        case .accountOrAttendee: Self.ofSignIn.union([.receiptNotValid])
        case .operator: Self.ofSignIn.union([.notAllowed])
        case .member, .memberOrPresenter: Self.ofSignIn.union([.notAllowed, .notFound])
        case .memberOrAttendee: Self.ofSignIn.union([.notAllowed, .notFound, .receiptNotValid])
        case .attendee: [.receiptNotValid, .tooManyAttempts]
        case .kiosk: [.notSignedIn, .notFound]
        case .satellite: [.satelliteRevoked, .tooManyAttempts]
        }
    }
}

/// The problems of one status that a route can answer with. Routes with the same problems share one
/// component.
struct RouteRefusal: Hashable, Sendable {
    let codes: [ProblemCode]
    /// Whether browsers that accept HTML get a page. True only outside the API.
    let asPage: Bool
    var forAnyOrigin = false

    /// The status, which all `codes` share.
    var status: Int { codes[0].status }

    var name: String {
        codes.map(\.rawValue).joined(separator: ".") + (asPage ? "-page" : "")
            + (forAnyOrigin ? "-any-origin" : "")
    }

    var response: DescribedResponse {
        let said = codes.map { "`\($0.rawValue)`: \($0.phrases.title.text(in: .english))." }.joined(
            separator: " ")
        var headers = [DescribedResponse.requestID, DescribedResponse.cacheControl]
        if forAnyOrigin { headers += DescribedResponse.anyOrigin }
        switch status {
        case 401: headers.append(asPage ? DescribedResponse.pageAuthenticate : DescribedResponse.authenticate)
        case 405: headers.append(DescribedResponse.allow)
        case 426: headers.append(DescribedResponse.upgrade)
        case 429, 503: headers.append(DescribedResponse.retryAfter)
        default: break
        }
        let code = Schema.Field(name: "code", isRequired: true, schema: .oneOf(codes.map(\.rawValue)))
        let problem = DescribedContent(schema: .all([.reference("Problem"), .object([code])]))
        return DescribedResponse(
            description: said, headers: headers,
            content: [("application/problem+json", problem)]
                + (asPage ? [("text/html", DescribedContent(schema: .anyText))] : []))
    }
}
