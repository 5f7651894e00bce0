import CMicroHTTPD
import HTTPGrammar

/// The field lines of a request, in their order. Names are compared without regard to case (RFC 9110 §5.1).
///
/// One array has the bytes of all lines. A `String` is made only for a value that somebody asks for: a
/// request has a dozen lines, and a handler reads two of them.
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

    /// The number of field lines.
    package var count: Int { fields.count }

    /// The value of the first line with this name; nil if there is none. Bytes that are not UTF-8 are
    /// replaced.
    package func first(_ name: String) -> String? {
        fields.first { matches($0, name) }.map(value)
    }

    /// The values of all lines with this name, in order.
    package func all(_ name: String) -> [String] {
        fields.filter { matches($0, name) }.map(value)
    }

    /// The number of lines with this name.
    package func count(of name: String) -> Int {
        fields.reduce(into: 0) { $0 += matches($1, name) ? 1 : 0 }
    }

    /// All lines, with names in lower case.
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

    /// Whether every name is a token and no value contains a control character but the tab (RFC 9110 §5.5,
    /// §5.6.2).
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

extension HTTPHeaders {
    /// Copies the headers that the library has parsed; nil if they are not exactly what was sent.
    ///
    /// The library silently cuts a value at a NUL, joins folded lines (RFC 9112 §5.2) and accepts a lone CR
    /// or LF as the end of a line (§2.2). But it parses in place: if a head is well-formed, each line begins
    /// after the end of the line before and CRLF.
    ///
    /// - Parameters:
    ///   - start: the address of the first line.
    ///   - end: the address after the blank line.
    init?(of library: OpaquePointer, from start: UInt, to end: UInt) {
        var reading = HeaderReading(headers: HTTPHeaders(), next: start)
        reading.headers.reserve(bytes: Int(end - start))
        withUnsafeMutablePointer(to: &reading) { reading in
            _ = MHD_get_connection_values_n(library, .HEADER_KIND, appendHeader, reading)
        }
        guard reading.isWhole, reading.next + HeaderReading.lineEnd == end else { return nil }
        self = reading.headers
    }
}

/// The part of the head that has been checked.
private struct HeaderReading {
    static let lineEnd: UInt = 2

    var headers: HTTPHeaders
    var next: UInt
    var isWhole = true
}

private nonisolated func appendHeader(
    _ reading: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ nameSize: Int,
    _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
    guard let reading = reading?.assumingMemoryBound(to: HeaderReading.self) else { return .NO }
    guard UInt(bitPattern: name) == reading.pointee.next else {
        reading.pointee.isWhole = false
        return .NO
    }
    reading.pointee.next = UInt(bitPattern: value) + UInt(valueSize) + HeaderReading.lineEnd
    reading.pointee.headers.append(
        name: UnsafeRawBufferPointer(start: name, count: nameSize),
        value: UnsafeRawBufferPointer(start: value, count: valueSize))
    return .YES
}
