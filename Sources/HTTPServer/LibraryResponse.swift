import CMicroHTTPD

/// An answer as the library holds it; given back when it goes out of scope, while the library keeps what it
/// still needs.
struct LibraryResponse: ~Copyable {
    private let response: OpaquePointer

    /// Nil where a header cannot be sent, or memory ran out.
    init?(_ answer: HTTPResponse, closesConnection: Bool) {
        let created = answer.body.withUnsafeBytes { body in
            MHD_create_response_from_buffer(
                body.count, UnsafeMutableRawPointer(mutating: body.baseAddress),
                body.isEmpty ? .RESPMEM_PERSISTENT : .RESPMEM_MUST_COPY)
        }
        guard let created else { return nil }
        for header in answer.headers where !Self.isOurs(header.name) {
            guard MHD_add_response_header(created, header.name, header.value) == .YES else {
                MHD_destroy_response(created)
                return nil
            }
        }
        if closesConnection, MHD_add_response_header(created, "Connection", "close") != .YES {
            MHD_destroy_response(created)
            return nil
        }
        response = created
    }

    deinit { MHD_destroy_response(response) }

    func queue(on connection: OpaquePointer, status: Int) -> Bool {
        MHD_queue_response(connection, CUnsignedInt(status), response) == .YES
    }

    /// What the library writes by itself, and a second time where it is given.
    static func isOurs(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: name.lowercased() == "date"
        case 10: name.lowercased() == "connection"
        case 14: name.lowercased() == "content-length"
        case 17: name.lowercased() == "transfer-encoding"
        default: false
        }
    }
}
