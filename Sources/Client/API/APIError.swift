package import Wire

/// The reason why a call of the API failed.
package enum APIError: Error, Hashable, Sendable {
    /// The server rejected the request. The problem explains the reason in the caller's language.
    case problem(Problem)
    /// The connection could not be established, or it broke. `url` is the server's URL, without path and
    /// query.
    case unreachable(url: String, detail: String)
    case timedOut(url: String)
    /// The response does not have the form of this API, so the server is probably not a qring server.
    case notQRing(url: String, status: Int)
    case cancelled

    /// The problem's code. Nil if the error is not a problem, or if this version does not know the code.
    package var code: ProblemCode? {
        if case .problem(let problem) = self { ProblemCode(rawValue: problem.code) } else { nil }
    }

    /// The time to wait before the same request is sent again. Nil if a retry is unlikely to succeed.
    package var retryAfter: Duration? {
        switch self {
        case .problem(let problem) where problem.status == 503: .seconds(problem.retryAfterSeconds ?? 1)
        case .unreachable, .timedOut: .milliseconds(500)
        default: nil
        }
    }
}
