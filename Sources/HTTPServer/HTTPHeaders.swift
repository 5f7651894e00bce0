import CMicroHTTPD
import HTTPGrammar

/// The header fields of a request, in their order. Names are not case-sensitive (RFC 9110 §5.1).
///
/// One array contains the bytes of all fields. A `String` is created only for a value that a handler reads,
/// because a typical request has a dozen fields, and a handler reads two of them.
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

    /// The number of fields.
    package var count: Int { fields.count }

    /// Returns the value of the first field with this name, or nil if there is none. Bytes that are not ASCII
    /// are read as ISO 8859-1 (`HTTPGrammar.text`).
    package func first(_ name: String) -> String? {
        matching(name) { fields.first(where: $0) }.map(value)
    }

    /// Returns the values of all fields with this name, in order.
    package func all(_ name: String) -> [String] {
        matching(name) { fields.filter($0) }.map(value)
    }

    /// Returns the number of fields with this name.
    package func count(of name: String) -> Int {
        matching(name) { matches in fields.reduce(0) { $0 + (matches($1) ? 1 : 0) } }
    }

    /// All fields in order, with their names in lower case.
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

    /// Whether every name is a token (RFC 9110 §5.6.2) and no value contains a control character other than a
    /// tab (§5.5).
    var areWellFormed: Bool {
        fields.allSatisfy { field in
            let name = bytes[Int(field.nameStart)..<Int(field.valueStart)]
            let value = bytes[Int(field.valueStart)..<Int(field.valueEnd)]
            return !name.isEmpty && name.allSatisfy(HTTPGrammar.isToken)
                && value.allSatisfy(HTTPGrammar.isFieldText)
        }
    }

    private func value(of field: Field) -> String {
        HTTPGrammar.text(ofValue: bytes[Int(field.valueStart)..<Int(field.valueEnd)])
    }

    /// Calls `body` with a function that decides whether a field has this name.
    private func matching<Found>(_ name: String, _ body: ((Field) -> Bool) -> Found) -> Found {
        var name = name
        return name.withUTF8 { name in
            bytes.withUnsafeBufferPointer { bytes in
                body { field in
                    guard Int(field.valueStart - field.nameStart) == name.count else { return false }
                    return zip(bytes[Int(field.nameStart)...], name).allSatisfy {
                        $0 == HTTPGrammar.lowercased($1)
                    }
                }
            }
        }
    }
}

extension HTTPHeaders {
    /// Copies the header fields that libmicrohttpd has parsed. Returns nil if the parsed fields differ from
    /// the bytes that the client sent.
    ///
    /// libmicrohttpd cuts a value at a NUL without an error, joins folded lines (RFC 9112 §5.2) and accepts a
    /// single CR or LF as the end of a line (§2.2). However, libmicrohttpd parses in place. In a well-formed
    /// head, each line therefore begins two bytes (CRLF) after the end of the previous line.
    ///
    /// - Parameters:
    ///   - start: the memory address of the first header line.
    ///   - end: the memory address after the blank line.
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

/// The fields that are copied so far, and the address at which the next line must begin.
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
