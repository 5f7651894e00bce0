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
