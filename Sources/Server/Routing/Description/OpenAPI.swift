import HTTPServer
import Wire

/// The server's description of itself (OpenAPI 3.1), made from the table that routes and from the code that
/// reads and writes: it cannot say what the server does not do.
package enum Description {
    static func openAPI(_ context: RequestContext) async throws -> HTTPResponse { document(openAPIText) }

    /// The same text as `GET /openapi.json` gives. Made once: a hundred reflections are not for every
    /// request.
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

/// The document as a whole.
struct OpenAPI: Encodable, Sendable {
    let openapi = "3.1.0"
    let info = Description.Information(
        title: "QRing", version: ProductVersion.text,
        description: """
            Meetings, check-in by QR code, feedback, live rooms (which GET /asyncapi.json describes). Where there is GET there is HEAD. \
            Only /rooms can be upgraded to another protocol; other paths ignore an Upgrade header. \
            Other methods on a path are answered with 405, as components/responses/method_not_allowed has it. \
            Titles and details of problems come in English or Korean, by ?lang= or Accept-Language.
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

/// Something said here, or by its name among the components.
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
