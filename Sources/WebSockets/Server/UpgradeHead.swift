import CLibWebSockets

/// The request that became a websocket.
package struct UpgradeHead: Sendable {
    /// Percent-decoded, without the query.
    package let path: String
    /// What follows `?`, percent-decoded part by part and joined with `&`; empty where there is none.
    package let query: String
    /// Who is at the other end of the socket, as given to `adopt`.
    package let peer: String
    private let headers: [String: String]

    package init(path: String, query: String = "", peer: String = "", headers: [String: String] = [:]) {
        self.path = path
        self.query = query
        self.peer = peer
        self.headers = headers
    }

    /// A header's value; the name in lower case. `nil` where it was not sent or the settings do not list it.
    package subscript(header name: String) -> String? { headers[name] }

    /// Reads the handshake of `connection` while the library still holds it.
    init(of connection: OpaquePointer, peer: String, listing names: [String]) {
        var headers: [String: String] = [:]
        for name in names {
            headers[name] = HandshakeText.header(name, of: connection)
        }
        self.init(
            path: HandshakeText.token(WSI_TOKEN_GET_URI, of: connection) ?? "",
            query: HandshakeText.fragments(WSI_TOKEN_HTTP_URI_ARGS, of: connection).joined(separator: "&"), peer: peer, headers: headers)
    }
}

/// Text out of the library's table of headers.
enum HandshakeText {
    /// The headers that the library keeps under a number; others it keeps under their names.
    private static let tokens: [String: lws_token_indexes] = [
        "host": WSI_TOKEN_HOST, "origin": WSI_TOKEN_ORIGIN, "authorization": WSI_TOKEN_HTTP_AUTHORIZATION, "cookie": WSI_TOKEN_HTTP_COOKIE,
        "user-agent": WSI_TOKEN_HTTP_USER_AGENT, "accept-language": WSI_TOKEN_HTTP_ACCEPT_LANGUAGE,
        "x-forwarded-for": WSI_TOKEN_X_FORWARDED_FOR,
    ]

    static func header(_ name: String, of connection: OpaquePointer) -> String? {
        tokens[name].map { token($0, of: connection) } ?? custom(name + ":", of: connection)
    }

    static func token(_ token: lws_token_indexes, of connection: OpaquePointer) -> String? {
        let length = lws_hdr_total_length(connection, token)
        // Room for the joints between fragments, and for the terminator.
        return length > 0 ? text(room: Int(length) + 64) { lws_hdr_copy(connection, $0, $1, token) } : nil
    }

    static func fragments(_ token: lws_token_indexes, of connection: OpaquePointer) -> [String] {
        var found: [String] = []
        while true {
            let length = lws_hdr_fragment_length(connection, token, CInt(found.count))
            guard length > 0,
                let next = text(room: Int(length) + 1, { lws_hdr_copy_fragment(connection, $0, $1, token, CInt(found.count)) })
            else { return found }
            found.append(next)
        }
    }

    private static func custom(_ name: String, of connection: OpaquePointer) -> String? {
        let length = lws_hdr_custom_length(connection, name, CInt(name.utf8.count))
        guard length > 0 else { return nil }
        return text(room: Int(length) + 1) { lws_hdr_custom_copy(connection, $0, $1, name, CInt(name.utf8.count)) }
    }

    /// What `copy` writes, which ends with a zero byte.
    private static func text(room: Int, _ copy: (UnsafeMutablePointer<CChar>, CInt) -> CInt) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer in
            guard let start = buffer.baseAddress, copy(start, CInt(room)) > 0 else { return nil }
            return String(cString: start)
        }
    }
}
