import Wire

/// One route, as an operation of the description.
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
    /// `getSessionsByIdResults`: what generated clients call the route.
    var name: String {
        let path = pattern.hasPrefix("/api/v1/") ? pattern.dropFirst(7) : pattern[...]
        return path.split { $0 == "/" || $0 == "." || $0 == "-" }.reduce(method.rawValue.lowercased()) {
            name, part in
            part.hasPrefix("{")
                ? "\(name)By\(part.dropFirst().dropLast().capitalizedFirst)" : name + part.capitalizedFirst
        }
    }

    /// What the route is about: the first word of its path.
    var tag: String {
        if pattern.hasPrefix("/api/v1/") { return String(pattern.dropFirst(8).prefix { $0 != "/" }) }
        if pattern.hasPrefix("/api/") { return "forms" }
        if pattern.hasPrefix("/host") { return "host" }
        if case .page = gives { return "pages" }
        return "operations"
    }

    /// Of what is edited as a whole, so that one editor does not undo another's work unseen.
    var takesVersion: Bool { isEdit && gives.isVersioned || refuses.contains(.versionMismatch) }

    /// Whether it is refused without one.
    var needsVersion: Bool { isEdit && takesVersion }

    private var isEdit: Bool { method == .patch || method == .put }
}

extension Substring {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Schema {
    /// Pictures are bytes, about which a schema has nothing to say (OpenAPI 3.1 §4.8.14).
    static func file(_ type: String) -> Schema { type.hasPrefix("text/") ? .anyText : .all([]) }

    static let anyText = Schema.string(min: nil, max: nil, format: nil, pattern: nil)
    static let id = Schema.string(min: 26, max: 26, format: nil, pattern: "^[0-9A-HJKMNP-TV-Z]{26}$")
}
