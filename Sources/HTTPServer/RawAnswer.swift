import CMicroHTTPD
import Glibc

/// An answer written to the socket past the library, for where it gives no way to: a connection that it never
/// had, or a request that is cut off in its middle. Best effort, and always the last on its connection.
enum RawAnswer {
    static func bytes(_ answer: HTTPResponse, at time: time_t) -> [UInt8] {
        let phrase = MHD_get_reason_phrase_for(CUnsignedInt(answer.status)).map { String(cString: $0) } ?? ""
        var text = "HTTP/1.1 \(answer.status) \(phrase)\r\nDate: \(date(time))\r\nConnection: close\r\n"
        for header in answer.headers
        where !LibraryResponse.isOurs(header.name) && !header.value.utf8.contains(where: { $0 < 0x20 }) {
            text += "\(header.name): \(header.value)\r\n"
        }
        text += "Content-Length: \(answer.body.count)\r\n\r\n"
        return Array(text.utf8) + answer.body
    }

    /// Sends what fits into the socket's buffer; a client that left no room for a few hundred bytes does not
    /// read anyway.
    static func send(_ answer: HTTPResponse, on descriptor: CInt) {
        let bytes = bytes(answer, at: time(nil))
        _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
    }

    /// Answers, after which the connection is to end. What the client has sent is read first: closing over
    /// unread bytes would send a reset, which may overtake the answer.
    static func sendLast(_ answer: HTTPResponse, on descriptor: CInt) {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            _ = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
        }
        send(answer, on: descriptor)
    }

    /// Sends the answer on a socket that the caller owns, and closes that socket.
    static func sendAndClose(_ answer: HTTPResponse, on descriptor: CInt) {
        sendLast(answer, on: descriptor)
        _ = shutdown(descriptor, CInt(SHUT_WR))
        close(descriptor)
    }

    /// IMF-fixdate (RFC 9110 §5.6.7): English whatever the locale, which is why this is not strftime's.
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
