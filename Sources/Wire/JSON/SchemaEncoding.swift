/// A schema as JSON Schema 2020-12, which is what OpenAPI 3.1 and AsyncAPI 3 take.
extension Schema: Encodable {
    private enum Key: String, CodingKey {
        case type, format, pattern, minLength, maxLength, minimum, maximum, items, minItems, maxItems,
            properties, required, anyOf, allOf
        case additionalProperties
        case values = "enum"
        case reference = "$ref"
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .string(let min, let max, let format, let pattern):
            try container.encode("string", forKey: .type)
            try container.encodeIfPresent(min, forKey: .minLength)
            try container.encodeIfPresent(max, forKey: .maxLength)
            try container.encodeIfPresent(format, forKey: .format)
            try container.encodeIfPresent(pattern, forKey: .pattern)
        case .oneOf(let names):
            try container.encode("string", forKey: .type)
            try container.encode(names, forKey: .values)
        case .integer(let min, let max):
            try container.encode("integer", forKey: .type)
            try container.encodeIfPresent(min, forKey: .minimum)
            try container.encodeIfPresent(max, forKey: .maximum)
        case .number: try container.encode("number", forKey: .type)
        case .null: try container.encode("null", forKey: .type)
        case .boolean: try container.encode("boolean", forKey: .type)
        case .array(let items, let min, let max):
            try container.encode("array", forKey: .type)
            try container.encode(items, forKey: .items)
            if min > 0 { try container.encode(min, forKey: .minItems) }
            try container.encodeIfPresent(max, forKey: .maxItems)
        case .object(let fields):
            try container.encode("object", forKey: .type)
            try container.encode(OrderedMembers(fields.map { ($0.name, $0.schema) }), forKey: .properties)
            let required = fields.filter(\.isRequired).map(\.name)
            if !required.isEmpty { try container.encode(required, forKey: .required) }
        case .map(let value):
            try container.encode("object", forKey: .type)
            try container.encode(value, forKey: .additionalProperties)
        case .any(let schemas): try container.encode(schemas, forKey: .anyOf)
        case .all(let schemas): if !schemas.isEmpty { try container.encode(schemas, forKey: .allOf) }
        case .reference(let name): try container.encode("#/components/schemas/\(name)", forKey: .reference)
        }
    }
}

/// An object whose keys are data, in the order given: the same description every time.
package struct OrderedMembers<Value: Encodable & Sendable>: Encodable, Sendable {
    private let members: [(name: String, value: Value)]

    package init(_ members: [(name: String, value: Value)]) { self.members = members }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}
