import HTTPServer
import Meetings

/// The cookies of the pages (RFC 6265).
enum Cookies {
    static let signIn = "qring_token"
    /// Sent only to the path that renews sign-ins.
    static let renewal = "qring_refresh"
    static let language = "qring_lang"

    /// One grant at a time: the next person on the same phone scans again.
    static let grant = "qring_grant"

    /// A random mark, by which the review finds that two people used one device. It identifies nobody.
    static let device = "qring_device"
    static let deviceSeconds = 60 * 60 * 24 * 180

    static func receipt(for session: SessionID) -> String { "qring_receipt_\(session.text)" }

    static func value(of name: String, in headers: [String]) -> String? {
        for pair in headers.joined(separator: ";").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == name else { continue }
            return parts[1].filter { !$0.isWhitespace && $0 != "\"" }
        }
        return nil
    }

    /// Returns a cookie that browsers never send with other sites' requests, that scripts cannot read, and
    /// that needs TLS if the client used TLS.
    static func set(_ name: String, _ value: String, path: String = "/", seconds: Int, secure: Bool) -> String
    {
        "\(name)=\(value); Path=\(path); Max-Age=\(seconds); HttpOnly; "
            + "SameSite=Lax\(secure ? "; Secure" : "")"
    }
}

/// The headers by which browsers decide whether a page of another origin may use a route and read its answer
/// (the CORS protocol of the Fetch standard). Routes for any origin take no credentials.
enum OtherOrigins {
    /// Sent with every answer of such a route, problems too, so that the client can read what went wrong.
    static let headers: [(name: String, value: String)] = [
        ("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", exposed),
    ]
    static let exposed = "Retry-After, X-Request-Id"
    /// `Content-Type` is needed for JSON; our routes need no other header that browsers restrict.
    static let allowedHeaders = "Content-Type"
    /// Two hours, the longest time that browsers keep it.
    static let cacheSeconds = 7200

    /// Returns the route for the preflight of a path whose methods are `allowed`.
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

enum ContentType {
    static let json = "application/json"

    /// The exact text of nearly all clients is compared first.
    static func isJSON(_ header: String?) -> Bool { header == json || essence(header) == json }
    static func isCSV(_ header: String?) -> Bool { essence(header) == "text/csv" }
    static func isForm(_ header: String?) -> Bool { essence(header) == "application/x-www-form-urlencoded" }

    private static func essence(_ header: String?) -> String? {
        header?.split(separator: ";").first.map { $0.filter { !$0.isWhitespace }.lowercased() }
    }
}
