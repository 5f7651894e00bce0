/// A new value of a field that can be empty, or its removal, which JSON writes as null.
package enum Replacement<Value: Hashable & Sendable>: Hashable, Sendable {
    case value(Value)
    case removed

    /// The field after the edit; nil if it is empty.
    package var value: Value? { if case .value(let value) = self { value } else { nil } }

    package func map<Other>(_ change: (Value) -> Other) -> Replacement<Other> {
        value.map { .value(change($0)) } ?? .removed
    }
}

extension Replacement: Encodable where Value: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
