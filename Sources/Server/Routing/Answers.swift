import HTTPServer
import Wire

extension HTTPResponse {
    /// Nothing of the API is to be kept by caches unless it says so.
    static func json(
        _ value: some Encodable, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + headers,
            body: WireJSON.bytes(value))
    }

    /// With its version as the entity tag.
    static func json(
        _ value: some Versioned, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        let tag = value.taggedVersion.map { [("ETag", "\"v\($0)\"")] } ?? []
        return HTTPResponse(
            status: status,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + tag + headers,
            body: WireJSON.bytes(value))
    }

    /// With the version of what the value is only a part of.
    static func json(_ value: some Encodable, status: Int = 200, version: Int) -> HTTPResponse {
        json(value, status: status, headers: [("ETag", "\"v\(version)\"")])
    }

    static var noContent: HTTPResponse { HTTPResponse(status: 204) }

    static func problem(_ problem: Problem) -> HTTPResponse {
        var headers = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
        if let seconds = problem.retryAfterSeconds { headers.append(("Retry-After", String(seconds))) }
        if problem.status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
        return HTTPResponse(status: problem.status, headers: headers, body: WireJSON.bytes(problem))
    }

    /// A page, with what keeps it from being framed, sniffed or led astray.
    static func html(_ html: HTML, status: Int = 200, cookies: [String] = []) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", PageSafety.policy),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ] + cookies.map { ("Set-Cookie", $0) },
            body: Array(html.text.utf8))
    }
}

enum PageSafety {
    /// No script or style in the page itself, nothing from elsewhere. Pictures may be blobs: the projector
    /// draws the code it fetched with its token.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src "
        + "'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}
