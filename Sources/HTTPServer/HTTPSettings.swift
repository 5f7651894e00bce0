/// Limits of an HTTP server.
package struct HTTPSettings: Sendable {
    /// Bytes of a request's head, from the method to its blank line. Default 8,192; at most 16,384, as the
    /// library's memory for a connection must hold it.
    package var headLimit = 8_192
    /// How long a request may take to arrive, body included. Default 10 s; at least 10 ms.
    package var requestDeadline: Duration = .seconds(10)
    /// How long a kept connection may be silent between two requests. Default 60 s.
    package var idleLimit: Duration = .seconds(60)
    /// How long a client may take to receive an answer. Default 60 s.
    package var answerDeadline: Duration = .seconds(60)
    /// Connections at once. One more is told 503 and closed. Default 20,000.
    package var connectionLimit = 20_000
    /// Requests in `respond(to:)` at once. One more is told 503 with `Retry-After`. Default 2,048.
    package var inFlightLimit = 2_048
    /// How many bytes of a refused body are read and thrown away in order to keep the connection, and so that
    /// the client reads the answer rather than a reset. Default 256 KB.
    package var swallowLimit = 262_144
    /// What `Retry-After` says with 503. Default 1 s.
    package var retryAfter: Duration = .seconds(1)

    package init() {}
}
