import HTTPGrammar

/// RFC 9110 §9.1.
enum RequestMethod {
    /// Bytes. The longest method in IANA's registry, `UPDATEREDIRECTREF`, has 17.
    static let longest = 20

    /// Whether it is a token (§5.6.2) of at most `longest` bytes. The library takes any bytes but spaces.
    static func isWellFormed(_ method: UnsafePointer<CChar>) -> Bool {
        var count = 0
        while method[count] != 0 {
            guard count < longest, HTTPGrammar.isToken(UInt8(bitPattern: method[count])) else { return false }
            count += 1
        }
        return count > 0
    }
}

/// A request without its body.
package struct HTTPRequestHead: Sendable {
    /// As sent: methods are case-sensitive (RFC 9110 §9.1).
    package let method: String
    /// As sent, up to the question mark; begins with `/`. Nothing is decoded, so that `%2F` stays apart from
    /// `/`: split first, then `PercentCoding.decode` each segment. Well-formed: visible ASCII only, valid
    /// escapes, none for NUL.
    package let path: String
    /// As sent, behind the question mark; empty where there is none. As well-formed as the path.
    package let rawQuery: String
    package let headers: HTTPHeaders
    /// The numeric address at the other end of the connection, without a port; behind a proxy, that is the
    /// proxy.
    package let peer: String

    package init(
        method: String, path: String, rawQuery: String = "", headers: HTTPHeaders = HTTPHeaders(),
        peer: String
    ) {
        (self.method, self.path, self.rawQuery, self.headers, self.peer) = (
            method, path, rawQuery, headers, peer
        )
    }

    /// The query's pairs in order, decoded as a form's (`+` is a space); decoded anew each time. A pair whose
    /// escapes are not UTF-8 is left out, and a name without `=` has an empty value.
    package var query: [(name: String, value: String)] {
        rawQuery.split(separator: "&").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard
                let name = PercentCoding.decode(parts[0], plusIsSpace: true),
                let value = parts.count == 2 ? PercentCoding.decode(parts[1], plusIsSpace: true) : ""
            else { return nil }
            return (name, value)
        }
    }
}

/// A complete request.
package struct HTTPRequest: Sendable {
    package let head: HTTPRequestHead
    /// Transfer coding undone; at most as large as it was admitted to be.
    package let body: [UInt8]
    /// What `HTTPResponder.admit` found out.
    package let finding: (any AnyObject & Sendable)?

    package init(head: HTTPRequestHead, body: [UInt8] = [], finding: (any AnyObject & Sendable)? = nil) {
        (self.head, self.body, self.finding) = (head, body, finding)
    }

    package var method: String { head.method }
    package var path: String { head.path }
    package var rawQuery: String { head.rawQuery }
    package var query: [(name: String, value: String)] { head.query }
    package var headers: HTTPHeaders { head.headers }
    package var peer: String { head.peer }
}
