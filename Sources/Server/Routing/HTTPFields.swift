import HTTPServer
import Meetings

/// The cookies of the pages (RFC 6265).
enum Cookies {
    static let signIn = "qring_token"
    /// Sent where sign-ins are renewed and nowhere else.
    static let renewal = "qring_refresh"
    static let language = "qring_lang"

    /// One grant at a time: the next person on the same phone scans again.
    static let grant = "qring_grant"

    /// What tells a review that two people used one device; it says nothing of whose.
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

    /// Never sent to other sites' requests, never seen by scripts, and over TLS only where the server is
    /// reached by it.
    static func set(_ name: String, _ value: String, path: String = "/", seconds: Int, secure: Bool) -> String
    {
        "\(name)=\(value); Path=\(path); Max-Age=\(seconds); HttpOnly; "
            + "SameSite=Lax\(secure ? "; Secure" : "")"
    }
}

/// What browsers ask for before they let a page of another origin use a route, and see what came back (the
/// CORS protocol of the Fetch standard). No route takes credentials from elsewhere: where any origin may
/// come, nobody is asked who they are.
enum OtherOrigins {
    /// With every answer of such a route, problems too: a client that cannot read what was wrong cannot say
    /// it.
    static let headers: [(name: String, value: String)] = [
        ("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", exposed),
    ]
    static let exposed = "Retry-After, X-Request-Id"
    /// What JSON is sent with; all else that our routes need may be sent by anybody.
    static let allowedHeaders = "Content-Type"
    /// Two hours: browsers keep it no longer.
    static let keptSeconds = 7200

    /// The route that is asked before another of the same path, whose methods are `allowed`.
    static func preflight(_ pattern: String, allowed: String) -> Route {
        Route(
            .options, pattern, .anyone, does: "Tell browsers what other origins may do", gives: .preflight,
            forAnyOrigin: true
        ) { _ in
            HTTPResponse(
                status: 204,
                headers: [
                    ("Allow", allowed), ("Access-Control-Allow-Methods", allowed),
                    ("Access-Control-Allow-Headers", allowedHeaders),
                    ("Access-Control-Max-Age", String(keptSeconds)),
                ])
        }
    }
}

enum ContentType {
    static let json = "application/json"

    /// As nearly everybody writes it, it is not taken apart.
    static func isJSON(_ header: String?) -> Bool { header == json || essence(header) == json }
    static func isCSV(_ header: String?) -> Bool { essence(header) == "text/csv" }
    static func isForm(_ header: String?) -> Bool { essence(header) == "application/x-www-form-urlencoded" }

    private static func essence(_ header: String?) -> String? {
        header?.split(separator: ";").first.map { $0.filter { !$0.isWhitespace }.lowercased() }
    }
}
