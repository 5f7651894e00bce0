package import Meetings

/// Derives the schema of a `Codable` type by decoding it from a decoder without data. The decoder records the
/// fields that the type reads, their types, and whether they may be absent. The API's description therefore
/// matches the answers.
package enum SchemaRecorder {
    /// Returns the schema of `type`.
    package static func schema(of type: any Decodable.Type) -> Schema { record(type).schema }

    fileprivate static func record<Value: Decodable>(_ type: Value.Type) -> (schema: Schema, example: Value) {
        if let described = type as? any SchemaDescribed.Type, let example = described.example as? Value {
            return (described.schema, example)
        }
        if let named = type as? any CaseIterable.Type, let (names, first) = names(of: named),
            let example = first as? Value
        {
            return (.oneOf(names), example)
        }
        let recording = Recording()
        do {
            let example = try Value(from: RecordingDecoder(recording: recording))
            return (recording.schema, example)
        } catch {
            preconditionFailure("\(type) does not decode from nothing; make it SchemaDescribed: \(error)")
        }
    }

    private static func names<Choice: CaseIterable>(of type: Choice.Type) -> ([String], Any)? {
        let names = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        guard let first = type.allCases.first, !names.isEmpty else { return nil }
        return (names, first)
    }
}

/// A type that is encoded as a string. The recorder finds formats by decoding sample values. This does not
/// work here, so the type states its format itself.
protocol SchemaDescribed {
    static var schema: Schema { get }
    static var example: Self { get }
}

extension ID: SchemaDescribed {
    static var schema: Schema { .string(min: 26, max: 26, format: nil, pattern: "^[0-9A-HJKMNP-TV-Z]{26}$") }
    static var example: ID { ID(high: 0, low: 0) }
}

extension Instant: SchemaDescribed {
    static var schema: Schema { .string(min: 20, max: 24, format: "date-time", pattern: nil) }
    static var example: Instant { Instant(milliseconds: 0) }
}

extension Page: SchemaDescribed {
    static var schema: Schema {
        .object([
            Schema.Field(
                name: "items", isRequired: true,
                schema: .array(SchemaRecorder.schema(of: Item.self), min: 0, max: 200)),
            Schema.Field(name: "nextCursor", isRequired: true, schema: .any([String.schema, .null])),
        ])
    }
    static var example: Page { Page(items: [], nextCursor: nil) }
}

extension Question: SchemaDescribed {
    static var schema: Schema { .reference("Question") }
    static var example: Question { Question(id: ID(high: 0, low: 0), title: "", kind: .rating(scale: 5)) }
}

extension LocalizedText: SchemaDescribed {
    static var schema: Schema { .map(.string(min: 1, max: nil, format: nil, pattern: nil)) }
    static var example: LocalizedText { .none }
}

extension String: SchemaDescribed {
    static var schema: Schema { .string(min: nil, max: nil, format: nil, pattern: nil) }
    static var example: String { "" }
}

extension Int: SchemaDescribed {
    static var schema: Schema { .integer(min: nil, max: nil) }
    static var example: Int { 0 }
}

extension Int64: SchemaDescribed {
    static var schema: Schema { .integer(min: nil, max: nil) }
    static var example: Int64 { 0 }
}

extension Double: SchemaDescribed {
    static var schema: Schema { .number }
    static var example: Double { 0 }
}

extension Bool: SchemaDescribed {
    static var schema: Schema { .boolean }
    static var example: Bool { false }
}

private final class Recording {
    var schema = Schema.object([])

    func add(_ name: String, isRequired: Bool, _ schema: Schema) {
        guard case .object(let fields) = self.schema else { return }
        self.schema = .object(fields + [Schema.Field(name: name, isRequired: isRequired, schema: schema)])
    }
}

private struct RecordingDecoder: Decoder {
    let recording: Recording
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RecordingObject<Key>(recording: recording))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { RecordingArray(recording: recording) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw DecodingError.valueNotFound(
            String.self, .init(codingPath: [], debugDescription: "a scalar without a description"))
    }
}

private struct RecordingObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recording: Recording
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value {
        let (schema, example) = SchemaRecorder.record(type)
        recording.add(key.stringValue, isRequired: true, schema)
        return example
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
        recording.add(key.stringValue, isRequired: false, SchemaRecorder.record(type).schema)
        return nil
    }

    // For the basic types, the synthesized code calls these methods. They must therefore record the fields
    // too.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { optional(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { optional(type, key) }

    private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        recording.add(key.stringValue, isRequired: false, SchemaRecorder.record(type).schema)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
        -> KeyedDecodingContainer<Nested>
    { unused() }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { unused() }
    func superDecoder() -> any Decoder { unused() }
    func superDecoder(forKey key: Key) -> any Decoder { unused() }
}

/// Records the schema of an array. The schema of its first element describes all elements.
private struct RecordingArray: UnkeyedDecodingContainer {
    let recording: Recording
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    private(set) var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    init(recording: Recording) { self.recording = recording }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) -> Value {
        let (schema, example) = SchemaRecorder.record(type)
        recording.schema = .array(schema, min: 0, max: nil)
        currentIndex += 1
        return example
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        unused()
    }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { unused() }
    func superDecoder() -> any Decoder { unused() }
}

private func unused() -> Never { preconditionFailure("our bodies decode by the synthesized code") }
