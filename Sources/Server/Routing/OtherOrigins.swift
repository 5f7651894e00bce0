import HTTPServer

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
