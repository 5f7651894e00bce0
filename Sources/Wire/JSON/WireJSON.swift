import FoundationEssentials

/// The JSON of all answers. The server that writes an answer and the client that reads it share one `Codable`
/// struct.
package enum WireJSON {
    /// Encodes a value as UTF-8, with keys in the order of declaration. Traps if a type uses nested
    /// containers or super encoders; the types of `Wire` use neither.
    package static func bytes(_ value: some Encodable) -> [UInt8] {
        let writer = JSONWriter()
        if !writer.writesPage(value) { writer.coded(value) }
        return writer.bytes
    }

    /// Decodes an answer, for clients. Ignores unknown fields.
    /// - Throws: `DecodingError` if the JSON does not match `Value`.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}

struct ValueEncoder: Encoder {
    let writer: JSONWriter
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ writer: JSONWriter) { self.writer = writer }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.beginObject()
        return KeyedEncodingContainer(ObjectEncoder<Key>(writer: writer))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        writer.beginArray()
        return ArrayEncoder(writer: writer)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { ScalarEncoder(writer: writer) }
}

extension JSONWriter {
    /// Writes a value, and closes the objects and arrays that the value opened.
    func value(_ value: some Encodable) {
        if !writesDirectly(value) { coded(value) }
    }

    /// Writes a value by its `Codable` code.
    func coded(_ value: some Encodable) {
        let depth = depth
        do {
            try value.encode(to: ValueEncoder(self))
        } catch {
            preconditionFailure("the writer never throws, and neither do our types: \(error)")
        }
        end(downTo: depth)
    }
}

private struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        writer.key(key.stringValue)
        writer.null()
    }

    func encode(_ value: Bool, forKey key: Key) {
        writer.key(key.stringValue)
        writer.bool(value)
    }

    func encode(_ value: String, forKey key: Key) {
        writer.key(key.stringValue)
        writer.string(value)
    }

    func encode(_ value: Int, forKey key: Key) {
        writer.key(key.stringValue)
        writer.integer(value)
    }

    func encode(_ value: Int64, forKey key: Key) {
        writer.key(key.stringValue)
        writer.integer(value)
    }

    func encode(_ value: Double, forKey key: Key) {
        writer.key(key.stringValue)
        writer.number(value)
    }

    func encode(_ value: some Encodable, forKey key: Key) {
        writer.key(key.stringValue)
        writer.value(value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
        -> KeyedEncodingContainer<Nested>
    { unused() }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { unused() }
    func superEncoder() -> any Encoder { unused() }
    func superEncoder(forKey key: Key) -> any Encoder { unused() }
}

private struct ArrayEncoder: UnkeyedEncodingContainer {
    let writer: JSONWriter
    var codingPath: [any CodingKey] { [] }
    private(set) var count = 0

    init(writer: JSONWriter) { self.writer = writer }

    mutating func encodeNil() {
        count += 1
        writer.separate()
        writer.null()
    }

    mutating func encode(_ value: some Encodable) {
        count += 1
        writer.separate()
        writer.value(value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        unused()
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unused() }
    func superEncoder() -> any Encoder { unused() }
}

private struct ScalarEncoder: SingleValueEncodingContainer {
    let writer: JSONWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { writer.null() }
    func encode(_ value: Bool) { writer.bool(value) }
    func encode(_ value: String) { writer.string(value) }
    func encode(_ value: Double) { writer.number(value) }
    func encode(_ value: Float) { writer.number(Double(value)) }
    func encode(_ value: Int) { writer.integer(value) }
    func encode(_ value: Int8) { writer.integer(value) }
    func encode(_ value: Int16) { writer.integer(value) }
    func encode(_ value: Int32) { writer.integer(value) }
    func encode(_ value: Int64) { writer.integer(value) }
    func encode(_ value: UInt) { writer.integer(value) }
    func encode(_ value: UInt8) { writer.integer(value) }
    func encode(_ value: UInt16) { writer.integer(value) }
    func encode(_ value: UInt32) { writer.integer(value) }
    func encode(_ value: UInt64) { writer.integer(value) }
    func encode(_ value: some Encodable) { writer.value(value) }
}

private func unused() -> Never {
    preconditionFailure("our types encode by the synthesized code or a keyed container of their own")
}
