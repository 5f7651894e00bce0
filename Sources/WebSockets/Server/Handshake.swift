import CLibWebSockets
import HTTPGrammar

/// The target and the headers of an upgrade request.
package struct UpgradeHead: Sendable {
    /// The path and the query, as the client sent them.
    package let target: String
    /// The IP address of the socket's remote end, as passed to `adopt`.
    package let peer: String
    private let headers: [String: String]

    package init(target: String = "", peer: String = "", headers: [String: String] = [:]) {
        (self.target, self.peer, self.headers) = (target, peer, headers)
    }

    /// Returns the value of a header. `name` must be in lower case. Returns nil if the client did not send
    /// the header, or if `WebSocketSettings.headers` does not contain its name.
    package subscript(header name: String) -> String? { headers[name] }
}

/// The opening handshake (RFC 6455 §4.2) of a request, or the head of an event stream. The front door has
/// already checked the request byte by byte.
struct Handshake {
    /// The size of the largest request head that the front door forwards, in bytes.
    static let longestHead = 8_192

    let head: UpgradeHead
    let form: MessageForm
    /// The complete response: the status line, the headers and the blank line.
    let answer: [UInt8]

    /// Parses a request. Returns nil if `bytes` are neither an upgrade nor the request of an event stream.
    ///
    /// - Parameter bytes: the head of the request, with its blank line.
    init?(_ bytes: some Collection<UInt8>, peer: String, settings: WebSocketSettings) {
        let lines = Array(bytes).split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        guard let request = lines.first?.split(separator: UInt8(ascii: " ")), request.count == 3,
            request[0].elementsEqual("GET".utf8)
        else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let name = HTTPGrammar.text(ofValue: line[..<colon]).lowercased()
            let value = Self.trimmed(line[(colon + 1)...])
            // Repeated headers are joined with a comma (RFC 9110 §5.3), but cookies with a semicolon (RFC
            // 9113 §8.2.3).
            headers[name] = headers[name].map { $0 + (name == "cookie" ? "; " : ", ") + value } ?? value
        }
        let target = String(decoding: request[1], as: UTF8.self)
        let path = target.prefix { $0 != "?" }
        head = UpgradeHead(
            target: target, peer: peer, headers: headers.filter { settings.headers.contains($0.key) })
        guard path != settings.eventsPath ?? "" else {
            (form, answer) = (.events, EventStream.head)
            return
        }
        form = path == settings.packetsPath ?? "" ? .packets : .plain
        let offered = Array((headers["sec-websocket-protocol"] ?? "").utf8).split(
            separator: UInt8(ascii: ",")
        ).map(Self.trimmed)
        guard headers["upgrade"]?.lowercased() == "websocket", headers["sec-websocket-version"] == "13",
            form == .packets || offered.contains(settings.subprotocol),
            let key = headers["sec-websocket-key"], let accept = Self.accept(key)
        else { return nil }
        let selected = form == .plain ? "Sec-WebSocket-Protocol: \(settings.subprotocol)\r\n" : ""
        answer = Array(
            """
            HTTP/1.1 101 Switching Protocols\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Accept: \(accept)\r
            \(selected)\r

            """.utf8)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        HTTPGrammar.text(ofValue: HTTPGrammar.trimmed(bytes))
    }

    /// Returns the value of `Sec-WebSocket-Accept`: the base64 form of the SHA-1 of the key and a fixed text
    /// (§4.2.2).
    static func accept(_ key: String) -> String? {
        let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digest in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { encoded in
                guard let start = encoded.baseAddress, lws_SHA1(text, text.count, digest.baseAddress) != nil
                else { return nil }
                let read = UnsafeRawPointer(digest.baseAddress)?.assumingMemoryBound(to: CChar.self)
                guard lws_b64_encode_string(read, 20, start, 32) > 0 else { return nil }
                return String(cString: start)
            }
        }
    }
}
