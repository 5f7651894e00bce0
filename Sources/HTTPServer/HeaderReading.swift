import CMicroHTTPD

extension HTTPHeaders {
    /// Copies the headers that the library has parsed.
    init(of library: OpaquePointer, sizeHint: Int) {
        self.init()
        reserve(bytes: sizeHint)
        withUnsafeMutablePointer(to: &self) { headers in
            _ = MHD_get_connection_values_n(library, .HEADER_KIND, appendHeader, headers)
        }
    }
}

private nonisolated func appendHeader(
    _ headers: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameSize: Int,
    _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
    headers?.assumingMemoryBound(to: HTTPHeaders.self).pointee.append(
        name: UnsafeRawBufferPointer(start: name, count: nameSize), value: UnsafeRawBufferPointer(start: value, count: valueSize))
    return .YES
}
