import CMicroHTTPD
import Glibc

/// A response. The library adds `Date`, `Content-Length` and `Connection` itself; those in `headers` are
/// ignored.
///
/// For a HEAD request, and with 304, give the response to a GET: its length is announced, and its body is not
/// sent. A 204 has neither.
package struct HTTPResponse: Sendable {
    /// 200–599.
    package var status: Int
    /// In order; names may repeat. A name that is not a token, or a value with a line break, turns the
    /// response into a 500, because half a response would hide the handler's bug.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Whether this is the last response on its connection (`Connection: close`).
    package var closesConnection: Bool
    /// Not sent. `HTTPExchange.tag` has it when the request is over, such as the name of the request in the
    /// log.
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

/// The library's copy of a response. It is released at the end of its scope; the library counts its own
/// references.
struct LibraryResponse: ~Copyable {
    private let response: OpaquePointer

    /// Returns nil if a header cannot be sent, or if memory is used up.
    init?(_ answer: HTTPResponse, closesConnection: Bool) {
        let created = answer.body.withUnsafeBytes { body in
            MHD_create_response_from_buffer(
                body.count, UnsafeMutableRawPointer(mutating: body.baseAddress),
                body.isEmpty ? .RESPMEM_PERSISTENT : .RESPMEM_MUST_COPY)
        }
        guard let created else { return nil }
        for header in answer.headers where !Self.isWrittenByLibrary(header.name) {
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

    /// Whether the library writes this header itself. It would write it twice if it were added.
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

/// A response that is written to the socket without the library, because the library never had this
/// connection, or because a request is cut off in its middle. It may be lost, and it is always the last on
/// its connection.
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

    /// Sends the part that fits into the socket's buffer. A client that left no room for a few hundred bytes
    /// does not read anyway.
    static func send(_ answer: HTTPResponse, on descriptor: CInt) {
        let bytes = bytes(answer, at: time(nil))
        _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
    }

    /// Sends the response on a connection that ends after it. Reads the client's bytes first, because closing
    /// a socket with unread bytes sends a reset, which may overtake the response.
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

    /// The time as IMF-fixdate (RFC 9110 §5.6.7). strftime would use the language of the locale.
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
