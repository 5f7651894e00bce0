import HTTPServer
import Meetings
import Wire

/// The fields of a form (`application/x-www-form-urlencoded`), as a browser without JavaScript sends them.
struct Form: Sendable {
    private let fields: [(name: String, value: String)]
    private static let mostFields = 500

    /// Nil for what is not UTF-8, or has too many fields.
    init?(_ body: [UInt8]) {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        let pairs = text.split(separator: "&")
        guard pairs.count <= Self.mostFields else { return nil }
        var fields: [(name: String, value: String)] = []
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(parts[0], plusIsSpace: true),
                let value = PercentCoding.decode(parts.count == 2 ? parts[1] : "", plusIsSpace: true)
            else { return nil }
            fields.append((name, value.streamSafe))
        }
        self.fields = fields
    }

    func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
    var names: [String] { fields.map(\.name) }
}

extension RequestContext {
    func form() throws -> Form {
        guard ContentType.isForm(request.headers.first("content-type")) else {
            throw RequestError(.unsupportedMediaType, ["expected": "application/x-www-form-urlencoded"])
        }
        guard let form = Form(request.body) else { throw RequestError(.badRequest) }
        return form
    }
}
