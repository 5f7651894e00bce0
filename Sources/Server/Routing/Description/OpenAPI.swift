import HTTPServer
import Wire

/// The description of the API (OpenAPI 3.1). It is generated from the route table and from the types that the
/// server reads and writes, so the description always matches the server.
package enum Description {
    static func openAPI(_ context: RequestContext) async throws -> HTTPResponse { document(openAPIText) }

    /// The body of `GET /openapi.json`. It is made once, because it needs about a hundred reflections.
    package static let openAPIText: [UInt8] = WireJSON.bytes(OpenAPI(RouteTable.all))

    static func document(_ text: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: text)
    }

    struct Information: Encodable, Sendable {
        let title: String
        let version: String
        let description: String
    }
}

/// The whole OpenAPI document.
struct OpenAPI: Encodable, Sendable {
    let openapi = "3.1.0"
    let info = Description.Information(
        title: "QRing", version: ProductVersion.text,
        description: """
            Meetings, check-in by QR code, feedback, and live rooms (see GET /asyncapi.json). \
            Every GET route also answers HEAD. \
            Only /rooms can be upgraded to another protocol; other paths ignore an Upgrade header. \
            Other methods on a path are answered with 405 (components/responses/method_not_allowed). \
            Titles and details of problems are in the language of ?lang= or Accept-Language. Attendees who \
            request none of the server's languages get the meeting's language. English is the last choice.
            """)
    let paths: OrderedMembers<OrderedMembers<DescribedOperation>>
    let components: Components

    init(_ routes: [Route]) {
        var paths: [(name: String, value: [(name: String, value: DescribedOperation)])] = []
        for route in routes {
            let operation = (name: route.method.rawValue.lowercased(), value: DescribedOperation(route))
            if let index = paths.firstIndex(where: { $0.name == route.pattern }) {
                paths[index].value.append(operation)
            } else {
                paths.append((route.pattern, [operation]))
            }
        }
        self.paths = OrderedMembers(paths.map { ($0.name, OrderedMembers($0.value)) })
        components = Components(routes)
    }

    struct Components: Encodable, Sendable {
        let schemas = OrderedMembers<Schema>([
            ("Problem", SchemaRecorder.schema(of: Problem.self)), ("Question", Schema.question),
        ])
        let parameters = OrderedMembers(DescribedParameter.shared)
        let responses: OrderedMembers<DescribedResponse>
        let securitySchemes = OrderedMembers(Access.Proof.allCases.map { ($0.rawValue, $0.scheme) })

        init(_ routes: [Route]) {
            let refusals = Set(
                routes.flatMap(\.refusals) + [RouteRefusal(codes: [.methodNotAllowed], asPage: false)])
            responses = OrderedMembers(
                refusals.sorted { ($0.status, $0.name) < ($1.status, $1.name) }.map { ($0.name, $0.response) }
            )
        }
    }
}

struct DescribedReference: Encodable, Sendable, Hashable {
    let target: String

    private enum CodingKeys: String, CodingKey { case target = "$ref" }
}

/// A value that is written in place, or a reference to a component.
enum Described<Value: Encodable & Sendable>: Encodable, Sendable {
    case here(Value)
    case component(String)

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .here(let value): try value.encode(to: encoder)
        case .component(let path): try DescribedReference(target: "#/components/\(path)").encode(to: encoder)
        }
    }
}

/// A route as an operation of the description.
struct DescribedOperation: Encodable, Sendable {
    let operationId: String
    let summary: String
    let tags: [String]
    let parameters: [Described<DescribedParameter>]
    let requestBody: DescribedBody?
    let responses: OrderedMembers<Described<DescribedResponse>>
    let security: [OrderedMembers<[String]>]

    init(_ route: Route) {
        operationId = route.name
        summary = route.summary
        tags = [route.tag]
        parameters = route.parameters
        requestBody = route.body.described
        responses = OrderedMembers(
            route.gives.described(for: route).map { ($0.status, .here($0.response)) }
                + route.refusals.map { (String($0.status), .component("responses/\($0.name)")) })
        security = route.access.proofs.map { OrderedMembers([($0.rawValue, [])]) }
    }
}

struct DescribedBody: Encodable, Sendable {
    let description: String
    let required = true
    let content: OrderedMembers<DescribedContent>
}

struct DescribedContent: Encodable, Sendable {
    let schema: Schema
}

extension Route.Body {
    fileprivate var described: DescribedBody? {
        let size = "At most \(limit) bytes."
        return switch self {
        case .none: nil
        case .json(let type):
            DescribedBody(
                description: size,
                content: OrderedMembers([
                    ("application/json", DescribedContent(schema: Fields.schema(of: type)))
                ]))
        case .upload(_, let json, let files):
            DescribedBody(
                description: size,
                content: OrderedMembers(
                    [("application/json", DescribedContent(schema: Fields.schema(of: json)))]
                        + files.map { ($0, DescribedContent(schema: .file($0))) }))
        case .image:
            DescribedBody(
                description: size,
                content: OrderedMembers(
                    ["image/jpeg", "image/png"].map { ($0, DescribedContent(schema: .file($0))) }))
        case .packets:
            DescribedBody(
                description: size,
                content: OrderedMembers([("text/plain", DescribedContent(schema: .file("text/plain")))]))
        case .form:
            DescribedBody(
                description: size,
                content: OrderedMembers([
                    ("application/x-www-form-urlencoded", DescribedContent(schema: .map(.anyText)))
                ]))
        }
    }
}

extension Route {
    /// The route's name in generated clients, for example `getSessionsByIdResults`.
    var name: String {
        let path = pattern.hasPrefix("/api/v1/") ? pattern.dropFirst(7) : pattern[...]
        return path.split { $0 == "/" || $0 == "." || $0 == "-" }.reduce(method.rawValue.lowercased()) {
            name, part in
            part.hasPrefix("{")
                ? "\(name)By\(part.dropFirst().dropLast().capitalizedFirst)" : name + part.capitalizedFirst
        }
    }

    /// The route's group: the first word of its path.
    var tag: String {
        if pattern.hasPrefix("/api/v1/") { return String(pattern.dropFirst(8).prefix { $0 != "/" }) }
        if pattern.hasPrefix("/api/") { return "forms" }
        if pattern.hasPrefix("/host") { return "host" }
        if gives.isPage { return "pages" }
        return "operations"
    }

    /// Whether the client can send the version that it edits, so that no edit overwrites a change that the
    /// client has not seen.
    var takesVersion: Bool { isEdit && gives.isVersioned || refuses.contains(.versionMismatch) }

    /// Whether the route rejects a request without a version.
    var needsVersion: Bool { isEdit && takesVersion }

    private var isEdit: Bool { method == .patch || method == .put }
}

extension Substring {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Schema {
    /// Returns the schema of a file. Images are bytes, which a schema cannot describe (OpenAPI 3.1 §4.8.14).
    static func file(_ type: String) -> Schema { type.hasPrefix("text/") ? .anyText : .all([]) }

    static let anyText = Schema.string(min: nil, max: nil, format: nil, pattern: nil)
    static let id = Schema.string(min: 26, max: 26, format: nil, pattern: "^[0-9A-HJKMNP-TV-Z]{26}$")
}

/// A parameter of a request that is not in its body: a path parameter, a query parameter or a header.
struct DescribedParameter: Encodable, Sendable {
    let name: String
    let `in`: String
    var description: String?
    let required: Bool
    let schema: Schema

    /// The parameters that several routes share, with the names of their components.
    static let shared: [(name: String, value: DescribedParameter)] = [
        (
            "lang",
            DescribedParameter(
                name: QueryParameter.lang.name, in: "query",
                description:
                    "The language of the texts, as a tag (BCP 47). It takes precedence over "
                    + "Accept-Language, and over a meeting's language.",
                required: false,
                schema: QueryParameter.lang.schema)
        ),
        (
            "if_match",
            DescribedParameter(
                name: "If-Match", in: "header",
                description: "The ETag that was read; 412 if it has changed since.",
                required: false, schema: .anyText)
        ),
        (
            "if_match_needed",
            DescribedParameter(
                name: "If-Match", in: "header",
                description:
                    "The ETag that was read; 412 if it has changed since. `*` overwrites "
                    + "whatever is there.",
                required: true, schema: .anyText)
        ),
        (
            "if_match_or_none",
            DescribedParameter(
                name: "If-Match", in: "header",
                description:
                    "The ETag that was read; 412 if it has changed since. `*` overwrites "
                    + "whatever is there. "
                    + "Either this or If-None-Match is required.",
                required: false, schema: .anyText)
        ),
        (
            "if_none_match_any",
            DescribedParameter(
                name: "If-None-Match", in: "header",
                description:
                    "`*` instead of If-Match: creates a new resource. 412 if it exists already, or if "
                    + "If-Match is sent too.",
                required: false, schema: .oneOf(["*"]))
        ),
        (
            "if_none_match",
            DescribedParameter(
                name: "If-None-Match", in: "header",
                description: "The ETag of the caller's copy; 304 if it has not changed.",
                required: false, schema: .anyText)
        ),
        (
            "prefer",
            DescribedParameter(
                name: Preferences.header, in: "header",
                description:
                    "`respond-async` (RFC 7240): if the change is long, the answer is 202 with a job. Other "
                    + "preferences are ignored.",
                required: false, schema: .anyText)
        ),
        (
            "idempotency_key",
            DescribedParameter(
                name: IdempotencyKey.header, in: "header",
                description: "A repetition with the same key and body within 24 hours gets the same answer.",
                required: false,
                schema: .string(min: 1, max: IdempotencyKey.longest, format: nil, pattern: "^[!-~]+$"))
        ),
    ]
}

extension Route {
    var parameters: [Described<DescribedParameter>] {
        var parameters: [Described<DescribedParameter>] = pattern.split(separator: "/").filter {
            $0.hasPrefix("{")
        }.map {
            let name = String($0.dropFirst().dropLast())
            return .here(
                DescribedParameter(
                    name: name, in: "path", required: true, schema: Self.schema(ofPathPart: name)))
        }
        parameters += query.map {
            .here(
                DescribedParameter(
                    name: $0.name, in: "query", required: $0.isRequired, schema: $0.schema))
        }
        parameters.append(.component("parameters/lang"))
        switch (takesVersion, method) {
        case (true, .patch): parameters.append(.component("parameters/if_match_needed"))
        case (true, .put):
            parameters += ["if_match_or_none", "if_none_match_any"].map { .component("parameters/\($0)") }
        case (true, _): parameters.append(.component("parameters/if_match"))
        case (false, _): break
        }
        if gives.isCached { parameters.append(.component("parameters/if_none_match")) }
        if mayHaveKey { parameters.append(.component("parameters/idempotency_key")) }
        if mayBeLong { parameters.append(.component("parameters/prefer")) }
        return parameters
    }

    /// Returns the schema of a path parameter. A name has the same schema in all routes.
    private static func schema(ofPathPart name: String) -> Schema {
        switch name {
        // The id of a text contains the masked time of its response, so it is longer than other ids.
        case "answerId": .string(min: 1, max: 100, format: nil, pattern: "^[0-9A-HJKMNP-TV-Z]+$")
        case "id",
            _ where name.hasSuffix("Id"):
            .id
        case "set": .string(min: 1, max: 40, format: nil, pattern: "^[a-z0-9-]+$")
        default: .string(min: 1, max: nil, format: nil, pattern: nil)
        }
    }
}

extension Access {
    /// The ways in which a caller can prove their identity.
    enum Proof: String, CaseIterable, Sendable {
        case account, cookie, receipt, presenter, kiosk, satellite

        var scheme: DescribedSecurity {
            switch self {
            case .account:
                DescribedSecurity(
                    type: "http", description: "An access token, from POST /api/v1/tokens.", scheme: "bearer")
            case .cookie:
                DescribedSecurity(
                    type: "apiKey",
                    description:
                        "The access token in the cookie of the host's page; writes must come from the "
                        + "server's own pages.",
                    in: "cookie", name: Cookies.signIn)
            case .receipt:
                DescribedSecurity(
                    type: "http", description: "A receipt, from POST /api/v1/check-ins.", scheme: "bearer")
            case .presenter:
                DescribedSecurity(
                    type: "http", description: "A presenter link's token, for its own session.",
                    scheme: "bearer")
            case .kiosk:
                DescribedSecurity(
                    type: "http", description: "The token of a kiosk's link, for its own session.",
                    scheme: "bearer")
            case .satellite:
                DescribedSecurity(
                    type: "http", description: "An offline door's token, from POST /api/v1/satellites.",
                    scheme: "bearer")
            }
        }
    }

    /// The proofs that the route accepts; each is sufficient. Empty if anybody may call the route.
    var proofs: [Proof] {
        switch self {
        case .anyone: []
        case .signedIn, .operator, .member: [.account, .cookie]
        case .memberOrPresenter: [.account, .cookie, .presenter]
        case .memberOrAttendee, .accountOrAttendee: [.account, .cookie, .receipt]
        case .attendee: [.receipt]
        case .kiosk: [.kiosk]
        case .satellite: [.satellite]
        }
    }
}

extension Route.Answer {
    fileprivate var isCached: Bool {
        switch self {
        case .cachedFile, .cachedJSON: true
        default: false
        }
    }
}

struct DescribedSecurity: Encodable, Sendable {
    let type: String
    let description: String
    var scheme: String?
    var `in`: String?
    var name: String?
}
