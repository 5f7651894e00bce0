import HTTPServer
import Meetings
import Wire

/// The fields of a submitted form (`application/x-www-form-urlencoded`).
struct Form: Sendable {
    private let fields: [(name: String, value: String)]
    private static let mostFields = 1_000

    /// Reads a form. Returns nil if `body` is not UTF-8 or has more than 1,000 fields.
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

    /// Returns the first value of the field `name`; nil if the form has no such field.
    func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    /// Returns every value of the field `name`, in the order of the form.
    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
    var names: [String] { fields.map(\.name) }
}

extension RequestContext {
    /// Returns the form in the request's body.
    ///
    /// - Throws: 415 for other content types, 400 for a malformed form.
    func form() throws -> Form {
        guard ContentType.isForm(request.headers.first("content-type")) else {
            throw RequestError(.unsupportedMediaType, ["expected": "application/x-www-form-urlencoded"])
        }
        guard let form = Form(request.body) else { throw RequestError(.badRequest) }
        return form
    }
}
