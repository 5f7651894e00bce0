package import Wire

/// Why a call of the API gave nothing.
package enum APIError: Error, Hashable, Sendable {
    /// The server refused, and says why in the caller's language.
    case problem(Problem)
    /// No connection, or it broke. `url` is the server's, without path or query.
    case unreachable(url: String, detail: String)
    case timedOut(url: String)
    /// Somebody answered, but not with what this API promises.
    case notQRing(url: String, status: Int)
    case cancelled

    /// The problem's code, where it is one that this version knows.
    package var code: ProblemCode? {
        if case .problem(let problem) = self { ProblemCode(rawValue: problem.code) } else { nil }
    }

    /// Whether the same request may well succeed a moment later, and how long the server asks to wait.
    package var retryAfter: Duration? {
        switch self {
        case .problem(let problem) where problem.status == 503: .seconds(problem.retryAfterSeconds ?? 1)
        case .unreachable, .timedOut: .milliseconds(500)
        default: nil
        }
    }
}
