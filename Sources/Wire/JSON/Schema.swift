/// As much of JSON Schema 2020-12 as the API's description needs.
package indirect enum Schema: Sendable, Hashable {
    case string(min: Int?, max: Int?, format: String?, pattern: String?)
    case oneOf([String])
    case integer(min: Int?, max: Int?)
    case number
    case boolean
    case null
    case array(Schema, min: Int, max: Int?)
    case object([Field])
    /// An object whose keys are ids or the like.
    case map(Schema)
    case any([Schema])
    /// What all of them say; none say nothing.
    case all([Schema])
    /// By its name among the description's components.
    case reference(String)

    package struct Field: Sendable, Hashable {
        package let name: String
        package let isRequired: Bool
        package let schema: Schema

        package init(name: String, isRequired: Bool, schema: Schema) {
            self.name = name
            self.isRequired = isRequired
            self.schema = schema
        }
    }

    /// In a request a null is an absent field, so that a field which may be absent may be null.
    package var orNull: Schema {
        if case .any(let schemas) = self { return .any(schemas + [.null]) }
        return .any([self, .null])
    }
}
