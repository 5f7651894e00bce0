import HTTPServer
import Meetings

/// The cookies of the pages (RFC 6265).
enum Cookies {
    static let signIn = "qring_token"
    /// The cookie of a refresh token. Browsers send it only to the path that renews sign-ins.
    static let renewal = "qring_refresh"
    /// The cookie of marks of earlier sign-ins (`SignInMark`).
    static let marks = "qring_marks"
    static let language = "qring_lang"

    /// The cookie of the grant. A browser has only one grant, because the next person on the same phone scans
    /// again.
    static let grant = "qring_grant"

    /// A random mark of the browser. The review uses it to find two people who checked in with one device. It
    /// identifies nobody.
    static let device = "qring_device"
    static let deviceSeconds = 60 * 60 * 24 * 180

    /// The signed mark of a browser that has signed in before (`KnownBrowser`).
    static let knownBrowser = "qring_known"

    static let receiptPrefix = "qring_receipt_"
    static func receipt(for session: SessionID) -> String { receiptPrefix + session.text }

    /// Returns the sessions of the cookies that have receipts.
    static func sessions(in headers: [String]) -> Set<SessionID> {
        let names = pairs(in: headers).map(\.name).filter { $0.hasPrefix(receiptPrefix) }
        return Set(names.compactMap { SessionID(String($0.dropFirst(receiptPrefix.count))) })
    }

    static func value(of name: String, in headers: [String]) -> String? {
        first(in: headers, where: { $0 == name }, read: { $0 })
    }

    /// Returns the first result of `read` that is not nil, for the values of the cookies with a wanted name.
    static func first<Found>(
        in headers: [String], where isWanted: (String) -> Bool, read: (String) -> Found?
    ) -> Found? {
        for (name, value) in pairs(in: headers) where isWanted(name) {
            if let found = read(text(value) { $0 != UInt8(ascii: "\"") }) { return found }
        }
        return nil
    }

    /// Returns the names and the values of the cookies, one after the other as they are needed.
    private static func pairs(in headers: [String]) -> some Sequence<
        (name: String, value: Substring.UTF8View)
    > {
        headers.joined(separator: ";").utf8.split(separator: UInt8(ascii: ";")).lazy.compactMap { pair in
            guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            return (text(pair[..<sign]), pair[pair.index(after: sign)...])
        }
    }

    /// Returns the text without spaces and tabs, and without the bytes that `isKept` refuses.
    private static func text(
        _ bytes: Substring.UTF8View, where isKept: (UInt8) -> Bool = { _ in true }
    ) -> String {
        let kept = bytes.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && isKept($0) }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Returns a cookie that scripts cannot read and that browsers never send with requests from other sites.
    /// If the client used TLS, browsers send the cookie only over TLS.
    static func set(_ name: String, _ value: String, path: String = "/", seconds: Int, secure: Bool) -> String
    {
        "\(name)=\(value); Path=\(path); Max-Age=\(seconds); HttpOnly; "
            + "SameSite=Lax\(secure ? "; Secure" : "")"
    }
}

/// The headers that tell a browser whether a page of another origin may use a route and read its answer (the
/// CORS protocol of the Fetch standard). Routes for any origin accept no credentials.
enum OtherOrigins {
    /// The headers of every answer of such a route, including problems, so that the client can read the
    /// error.
    static let headers: [(name: String, value: String)] = [
        ("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", exposed),
    ]
    static let exposed = "Retry-After, X-Request-Id"
    /// The request headers that pages may send. JSON requires `Content-Type`; the routes for any origin need
    /// no other header that browsers restrict.
    static let allowedHeaders = "Content-Type"
    /// The time that browsers may cache a preflight's answer: two hours, the longest time that browsers
    /// allow.
    static let cacheSeconds = 7200

    /// Returns the route for preflight requests to a path whose methods are `allowed`.
    static func preflight(_ pattern: String, allowed: String) -> Route {
        Route(
            .options, pattern, .anyone, does: "Answer the preflight of browsers", gives: .preflight,
            forAnyOrigin: true
        ) { _ in
            HTTPResponse(
                status: 204,
                headers: [
                    ("Allow", allowed), ("Access-Control-Allow-Methods", allowed),
                    ("Access-Control-Allow-Headers", allowedHeaders),
                    ("Access-Control-Max-Age", String(cacheSeconds)),
                ])
        }
    }
}

/// The preferences of a request (RFC 7240).
enum Preferences {
    static let header = "Prefer"
    static let respondAsync = "respond-async"

    /// Whether the client prefers an early answer to a long wait (RFC 7240 §4.1). Unknown and malformed
    /// preferences are ignored, as §2 requires.
    static func wantsEarlyAnswer(_ headers: [String]) -> Bool {
        withoutQuotes(headers.joined(separator: ",")).split(separator: ",").contains { preference in
            // Parameters follow a semicolon. An empty value is the same as no value (§2).
            let name = preference.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
            return name == respondAsync || name == respondAsync + "="
        }
    }

    /// Replaces each quoted string (RFC 9110 §5.6.4) by a quotation mark, and an empty one by nothing. So the
    /// text inside it is not read as a preference.
    private static func withoutQuotes(_ text: String) -> String {
        var result = ""
        var isQuoted = false
        var isEscaped = false
        var isEmpty = true
        for character in text {
            switch (isQuoted, isEscaped, character) {
            case (false, _, "\""): (isQuoted, isEmpty) = (true, true)
            case (false, _, _): result.append(character)
            case (true, false, "\""):
                isQuoted = false
                if !isEmpty { result.append("\"") }
            case (true, false, "\\"): isEscaped = true
            case (true, _, _): (isEscaped, isEmpty) = (false, false)
            }
        }
        return result
    }
}

enum ContentType {
    static let json = "application/json"

    /// Whether the header names JSON. The exact text that nearly all clients send is compared first.
    static func isJSON(_ header: String?) -> Bool { header == json || essence(header) == json }
    static func isCSV(_ header: String?) -> Bool { essence(header) == "text/csv" }
    static func isForm(_ header: String?) -> Bool { essence(header) == "application/x-www-form-urlencoded" }

    private static func essence(_ header: String?) -> String? {
        header?.split(separator: ";").first.map { $0.filter { !$0.isWhitespace }.lowercased() }
    }
}
