import CMicroHTTPD

extension HTTPHeaders {
    /// Copies the headers that the library has parsed; nil where they are not all that was sent. It cuts a
    /// value at a NUL, joins folded lines (RFC 9112 §5.2) and takes a lone CR or LF for the end of a line
    /// (§2.2), each without a word. But it parses in place, and so each line lies behind the end of the one
    /// before, with CRLF between, and nothing else.
    /// - Parameters:
    ///   - start: where the first line begins.
    ///   - end: behind the blank line.
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

/// How far the head has been accounted for.
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
