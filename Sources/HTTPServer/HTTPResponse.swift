import CMicroHTTPD
import Glibc

/// A response to a request. libmicrohttpd adds `Date`, `Content-Length` and `Connection`, so these names in
/// `headers` are ignored.
///
/// To answer a HEAD request, or to answer with 304, use the same body as for a GET request. Only the length
/// of this body is sent. A 204 response has neither a length nor a body.
package struct HTTPResponse: Sendable {
    /// The status code, 200 to 599.
    package var status: Int
    /// The header fields in order. Names may be repeated. If a name is not a token or a value contains a line
    /// break, the server sends a 500 response instead, because an incomplete response would hide the
    /// handler's error.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Whether this is the last response on its connection (`Connection: close`).
    package var closesConnection: Bool
    /// A text for the log that is not sent, such as the name of the request. The server passes it to
    /// `HTTPExchange.tag` when the request has ended.
    package var tag = ""

    package init(
        status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        closesConnection: Bool = false
    ) {
        (self.status, self.headers, self.body, self.closesConnection) = (
            status, headers, body, closesConnection
        )
    }
}

extension HTTPResponse {
    /// The bytes of the response, as the last one on its connection.
    package var lastBytes: [UInt8] { RawResponse.bytes(self, at: time(nil)) }
}

/// The copy of a response in libmicrohttpd. This value releases its reference at the end of its scope.
/// libmicrohttpd counts its own references.
struct LibraryResponse: ~Copyable {
    private let response: OpaquePointer

    /// Copies a response. Returns nil if a header is invalid, or if there is not enough memory.
    init?(_ answer: HTTPResponse, closesConnection: Bool) {
        let created = answer.body.withUnsafeBytes { body in
            MHD_create_response_from_buffer(
                body.count, UnsafeMutableRawPointer(mutating: body.baseAddress),
                body.isEmpty ? .RESPMEM_PERSISTENT : .RESPMEM_MUST_COPY)
        }
        guard let created else { return nil }
        for header in answer.headers where !Self.isWrittenByLibrary(header.name) {
            guard Self.add(header, to: created) else {
                MHD_destroy_response(created)
                return nil
            }
        }
        if closesConnection, !Self.add(("Connection", "close"), to: created) {
            MHD_destroy_response(created)
            return nil
        }
        response = created
    }

    deinit { MHD_destroy_response(response) }

    /// Adds a header. `withCString` copies only short strings; Swift copies a string that is an argument.
    private static func add(_ header: (name: String, value: String), to response: OpaquePointer) -> Bool {
        header.name.withCString { name in
            header.value.withCString { MHD_add_response_header(response, name, $0) == .YES }
        }
    }

    func queue(on connection: OpaquePointer, status: Int) -> Bool {
        MHD_queue_response(connection, CUnsignedInt(status), response) == .YES
    }

    /// Whether libmicrohttpd writes this header itself. If such a header were added, the response would
    /// contain it twice.
    static func isWrittenByLibrary(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: name.lowercased() == "date"
        case 10: name.lowercased() == "connection"
        case 14: name.lowercased() == "content-length"
        case 17: name.lowercased() == "transfer-encoding"
        default: false
        }
    }
}

/// Writes a response directly to a socket, without libmicrohttpd. The loop does this if libmicrohttpd does
/// not know the connection, or if a request is refused before it is complete. The response may be lost, and
/// it is always the last one on its connection.
enum RawResponse {
    static func bytes(_ answer: HTTPResponse, at time: time_t) -> [UInt8] {
        let phrase = MHD_get_reason_phrase_for(CUnsignedInt(answer.status)).map { String(cString: $0) } ?? ""
        var text = "HTTP/1.1 \(answer.status) \(phrase)\r\nDate: \(date(time))\r\nConnection: close\r\n"
        for header in answer.headers
        where !LibraryResponse.isWrittenByLibrary(header.name)
            && !header.value.utf8.contains(where: { $0 < 0x20 })
        {
            text += "\(header.name): \(header.value)\r\n"
        }
        text += "Content-Length: \(answer.body.count)\r\n\r\n"
        return Array(text.utf8) + answer.body
    }

    /// Sends the part of the response that fits into the socket's buffer. If there is no space for a few
    /// hundred bytes, the client does not read, and would not receive the rest either.
    static func send(_ answer: HTTPResponse, on descriptor: CInt) {
        let bytes = bytes(answer, at: time(nil))
        _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
    }

    /// Sends the last response of a connection. This function first reads the client's bytes, because the
    /// kernel sends a reset if a socket is closed with unread bytes. The reset could reach the client before
    /// the response.
    static func sendLast(_ answer: HTTPResponse, on descriptor: CInt) {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            _ = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
        }
        send(answer, on: descriptor)
    }

    /// Sends the response on a socket that the caller owns, and closes the socket.
    static func sendAndClose(_ answer: HTTPResponse, on descriptor: CInt) {
        sendLast(answer, on: descriptor)
        _ = shutdown(descriptor, CInt(SHUT_WR))
        close(descriptor)
    }

    /// Returns the time in the format IMF-fixdate (RFC 9110 §5.6.7). `strftime` is not used, because it would
    /// use the language of the locale.
    static func date(_ time: time_t) -> String {
        var time = time
        var parts = tm()
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(parts.tm_year + 1_900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
