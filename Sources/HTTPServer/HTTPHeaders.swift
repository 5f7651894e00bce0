import HTTPGrammar

/// The field lines of a request, in the order in which they came; names are compared without regard to case
/// (RFC 9110 §5.1).
///
/// All of them lie in one array of bytes, and a `String` is made only for what is asked for: a request has a
/// dozen, and a handler looks at two.
package struct HTTPHeaders: Sendable {
    private struct Field: Sendable {
        let nameStart: UInt32
        let valueStart: UInt32
        let valueEnd: UInt32
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    package init() {}

    package init(_ pairs: [(name: String, value: String)]) {
        for pair in pairs {
            Array(pair.name.utf8).withUnsafeBytes { name in
                Array(pair.value.utf8).withUnsafeBytes { append(name: name, value: $0) }
            }
        }
    }

    /// How many field lines there are.
    package var count: Int { fields.count }

    /// The value of the first line of this name. Bytes that are not UTF-8 are replaced.
    package func first(_ name: String) -> String? {
        fields.first { matches($0, name) }.map(value)
    }

    /// The values of every line of this name, in order.
    package func all(_ name: String) -> [String] {
        fields.filter { matches($0, name) }.map(value)
    }

    /// How many lines of this name there are.
    package func count(of name: String) -> Int {
        fields.reduce(into: 0) { $0 += matches($1, name) ? 1 : 0 }
    }

    /// Every line, names in lower case.
    package var pairs: [(name: String, value: String)] {
        fields.map {
            (String(decoding: bytes[Int($0.nameStart)..<Int($0.valueStart)], as: UTF8.self), value(of: $0))
        }
    }

    mutating func reserve(bytes count: Int) {
        bytes.reserveCapacity(count)
        fields.reserveCapacity(16)
    }

    mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let nameStart = UInt32(bytes.count)
        for byte in name { bytes.append(HTTPGrammar.lowercased(byte)) }
        let valueStart = UInt32(bytes.count)
        bytes.append(contentsOf: value)
        fields.append(Field(nameStart: nameStart, valueStart: valueStart, valueEnd: UInt32(bytes.count)))
    }

    /// Whether every name is a token (RFC 9110 §5.6.2) and no value holds a control character but the tab.
    var areWellFormed: Bool {
        fields.allSatisfy { field in
            let name = bytes[Int(field.nameStart)..<Int(field.valueStart)]
            let value = bytes[Int(field.valueStart)..<Int(field.valueEnd)]
            return !name.isEmpty && name.allSatisfy(HTTPGrammar.isToken)
                && value.allSatisfy(HTTPGrammar.isFieldText)
        }
    }

    private func value(of field: Field) -> String {
        String(decoding: bytes[Int(field.valueStart)..<Int(field.valueEnd)], as: UTF8.self)
    }

    private func matches(_ field: Field, _ name: String) -> Bool {
        guard Int(field.valueStart - field.nameStart) == name.utf8.count else { return false }
        var index = Int(field.nameStart)
        for byte in name.utf8 {
            if bytes[index] != HTTPGrammar.lowercased(byte) { return false }
            index += 1
        }
        return true
    }
}
