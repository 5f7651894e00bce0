internal import Wire

/// What `--json` can choose from: the fields of a body, or of the items of a page.
enum FieldNames {
    static func of(_ body: any Decodable.Type) -> [String] { of(SchemaRecorder.schema(of: body)) }

    private static func of(_ schema: Schema) -> [String] {
        switch schema {
        case .array(let element, _, _): return of(element)
        case .object(let fields):
            let isPage = fields.map(\.name) == ["items", "nextCursor"]
            return isPage ? of(fields[0].schema) : fields.map(\.name)
        default: return []
        }
    }
}
