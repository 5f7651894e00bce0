/// A request as it leaves. The body's type is JSON unless a header says otherwise.
package struct HTTPRequest: Sendable {
    package var method: String
    /// Absolute: `http://127.0.0.1:8080/api/v1/me`.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]?
    /// From leaving the queue to the last byte of the answer.
    package var timeout: Duration
    /// Set where somebody else chose the address.
    package var outside: OutsideFetch.Limits?

    package init(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

package struct HTTPAnswer: Sendable {
    package let status: Int
    /// Names in lower case; of a repeated header the last.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// No answer came. An answer of any status is none of these.
package enum TransportError: Error, Hashable, Sendable {
    /// No connection, or it broke; in libcurl's words.
    case unreachable(detail: String)
    case timedOut
    /// The address is one that must not be reached for who named it.
    case addressRefused
    case cancelled
    /// More bytes than a client of this API ever expects.
    case answerTooLarge
}
