import HTTPServer
import Wire

/// The server's description of itself (OpenAPI 3.1), made from the table that routes and from the code that reads and writes: it cannot say
/// what the server does not do.
enum Description {
    static func openAPI(_ context: RequestContext) async throws -> HTTPResponse { .json(OpenAPI.document) }

    private enum OpenAPI {
        // Made once: a hundred reflections are not for every request.
        static let document = Document()
    }

    private struct Document: Encodable, Sendable {
        let openapi = "3.1.0"
        let info = Information(
            title: "QRing", version: ProductVersion.text, description: "Meetings, check-in by QR code, feedback, live rooms.")
        let paths = OrderedMembers(Self.paths)
        let components = Components()

        private static var paths: [(name: String, value: OrderedMembers<Operation>)] {
            var paths: [(name: String, value: [(name: String, value: Operation)])] = []
            for route in RouteTable.all {
                let operation = (name: route.method.rawValue.lowercased(), value: Operation(route))
                if let index = paths.firstIndex(where: { $0.name == route.pattern }) {
                    paths[index].value.append(operation)
                } else {
                    paths.append((route.pattern, [operation]))
                }
            }
            return paths.map { ($0.name, OrderedMembers($0.value)) }
        }
    }

    struct Information: Encodable, Sendable {
        let title: String
        let version: String
        let description: String
    }

    private struct Components: Encodable, Sendable {
        let schemas = OrderedMembers<Schema>([("Problem", SchemaRecorder.schema(of: Problem.self)), ("Question", Schema.question)])
        let securitySchemes = OrderedMembers([("bearer", SecurityScheme())])
    }

    private struct SecurityScheme: Encodable, Sendable {
        let type = "http"
        let scheme = "bearer"
    }

    private struct Operation: Encodable, Sendable {
        let operationId: String
        let parameters: [Parameter]
        let requestBody: RequestBody?
        let responses: OrderedMembers<Response>
        let security: [OrderedMembers<[String]>]?

        init(_ route: Route) {
            operationId = route.name
            parameters =
                route.pattern.split(separator: "/").filter { $0.hasPrefix("{") }
                .map {
                    Parameter(
                        name: String($0.dropFirst().dropLast()), in: "path", required: true,
                        schema: .string(min: 1, max: nil, format: nil, pattern: nil))
                }
                + route.queryParameters
            switch route.body {
            case .none: requestBody = nil
            case .json(let schema): requestBody = RequestBody(content: OrderedMembers([("application/json", Content(schema: schema()))]))
            case .form:
                requestBody = RequestBody(
                    content: OrderedMembers([
                        ("application/x-www-form-urlencoded", Content(schema: .map(.string(min: nil, max: nil, format: nil, pattern: nil))))
                    ]))
            }
            responses = OrderedMembers(route.gives.described + [("default", Response.problem)])
            security = route.access == .anyone ? nil : [OrderedMembers([("bearer", [])])]
        }
    }

    fileprivate struct Parameter: Encodable, Sendable {
        let name: String
        let `in`: String
        let required: Bool
        let schema: Schema
    }

    private struct RequestBody: Encodable, Sendable {
        let required = true
        let content: OrderedMembers<Content>
    }

    struct Content: Encodable, Sendable {
        let schema: Schema
    }

    fileprivate struct Response: Encodable, Sendable {
        let description: String
        let content: OrderedMembers<Content>?

        static let problem = Response(
            description: "A problem (RFC 9457).",
            content: OrderedMembers([("application/problem+json", Content(schema: .reference("Problem")))]))
    }
}

extension Route.Answer {
    fileprivate var described: [(name: String, value: Description.Response)] {
        func json(_ status: Int, _ type: any Decodable.Type) -> (name: String, value: Description.Response) {
            let content = OrderedMembers([("application/json", Description.Content(schema: SchemaRecorder.schema(of: type)))])
            return (String(status), Description.Response(description: "Done.", content: content))
        }
        let nothing = ("204", Description.Response(description: "Done, and nothing to say.", content: nil))
        let text = Schema.string(min: nil, max: nil, format: nil, pattern: nil)
        func file(_ type: String) -> (name: String, value: Description.Response) {
            ("200", Description.Response(description: "The file.", content: OrderedMembers([(type, Description.Content(schema: text))])))
        }
        return switch self {
        case .json(let type, let status): [json(status, type)]
        case .noContent: [nothing]
        case .jsonOrNothing(let type): [json(200, type), nothing]
        case .jsonNewOrKnown(let type): [json(201, type), json(200, type)]
        case .file(let type): [file(type)]
        case .document:
            [
                (
                    "200",
                    Description.Response(
                        description: "The description.",
                        content: OrderedMembers([("application/json", Description.Content(schema: .object([])))]))
                )
            ]
        case .page: [file("text/html")]
        }
    }
}

extension Route {
    /// `getApiV1SessionsByIdResults`: what generated clients call the route.
    fileprivate var name: String {
        pattern.split { $0 == "/" || $0 == "." || $0 == "-" }.reduce(method.rawValue.lowercased()) { name, part in
            part.hasPrefix("{") ? "\(name)By\(part.dropFirst().dropLast().capitalizedFirst)" : name + part.capitalizedFirst
        }
    }

    fileprivate var queryParameters: [Description.Parameter] {
        query.map { Description.Parameter(name: $0.name, in: "query", required: false, schema: $0.schema) }
    }
}

extension Substring {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
