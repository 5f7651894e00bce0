import Meetings

/// The part of JSON Schema 2020-12 that the API's description needs.
package indirect enum Schema: Sendable, Hashable {
    case string(min: Int?, max: Int?, format: String?, pattern: String?)
    case oneOf([String])
    case integer(min: Int?, max: Int?)
    case number
    case boolean
    case null
    case array(Schema, min: Int, max: Int?)
    case object([Field])
    /// An object whose keys are data, for example ids.
    case map(Schema)
    case any([Schema])
    /// A value that matches all of these schemas. An empty list matches any value.
    case all([Schema])
    /// A reference to a component of the description, by the component's name.
    case reference(String)

    /// A field of an object.
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

    /// The schema of a field that may be null. In a request, null means that the field is absent.
    package var orNull: Schema {
        if case .any(let schemas) = self { return .any(schemas + [.null]) }
        return .any([self, .null])
    }
}

/// Encodes JSON Schema 2020-12, which OpenAPI 3.1 and AsyncAPI 3 use.
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

/// An object whose keys are data. Its members are written in the given order, so that the description is
/// always the same.
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

extension Schema {
    /// The schema of a question of any kind. `SchemaRecorder` cannot derive this schema, because it decodes
    /// each type once, and one decoded question has only one kind.
    package static var question: Schema {
        .any(Question.KindName.allCases.map { kind($0.rawValue, $0.onWire.schema) })
    }

    /// The schema of a field for a day.
    static func day(_ name: String) -> Field {
        Field(
            name: name, isRequired: false, schema: .string(min: nil, max: 10, format: "date", pattern: nil))
    }

    private static func kind(_ name: String, _ fields: [Field]) -> Schema {
        let rules = Schema.array(.object(rule), min: 0, max: Question.mostRules)
        let branch = Schema.object(rule + [Field(name: "next", isRequired: true, schema: text(1...40))])
        let branches = Schema.array(branch, min: 0, max: Question.mostRules)
        return .object(
            [
                Field(
                    name: "id", isRequired: true, schema: .string(min: 26, max: 26, format: nil, pattern: nil)
                ),
                Field(name: "name", isRequired: false, schema: text(1...40)),
                Field(name: "kind", isRequired: true, schema: .oneOf([name])),
            ] + localized("title", "titles", 1...200) + localized("detail", "details", 0...1000)
                + [
                    Field(name: "placeholder", isRequired: false, schema: text(1...200)),
                    Field(name: "placeholders", isRequired: false, schema: .map(text(1...200))),
                    Field(name: "required", isRequired: true, schema: .boolean),
                    Field(name: "hidden", isRequired: false, schema: .boolean),
                ] + fields
                + [
                    Field(name: "rules", isRequired: false, schema: rules),
                    Field(name: "eligibility", isRequired: false, schema: rules),
                    Field(name: "branches", isRequired: false, schema: branches),
                ])
    }

    private static var rule: [Field] {
        let bounds = Schema.array(.any([.number, .null]), min: 2, max: 2)
        return [
            Field(name: "type", isRequired: true, schema: .oneOf(Rule.Kind.allCases.map(\.rawValue))),
            Field(name: "target", isRequired: false, schema: .any([text(0...5000), .number, bounds])),
            Field(
                name: "question", isRequired: false,
                schema: .string(min: 26, max: 26, format: nil, pattern: nil)),
            Field(name: "bareName", isRequired: false, schema: .boolean),
            Field(name: "written", isRequired: false, schema: text(1...FormPattern.mostCharacters)),
            Field(name: "message", isRequired: false, schema: text(1...300)),
            Field(name: "messages", isRequired: false, schema: .map(text(1...300))),
        ]
    }

    /// The schemas of a text, and of the same text by language.
    static func localized(_ plain: String, _ byLanguage: String, _ length: ClosedRange<Int>)
        -> [Field]
    {
        [
            Field(name: plain, isRequired: true, schema: text(length)),
            Field(name: byLanguage, isRequired: false, schema: .map(text(1...length.upperBound))),
        ]
    }

    /// The schema of a text whose length is in this range.
    static func text(_ length: ClosedRange<Int>) -> Schema {
        .string(min: length.lowerBound, max: length.upperBound, format: nil, pattern: nil)
    }
}
