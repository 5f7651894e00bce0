import Journal

/// A pool of connections, such as PgBouncer, between this program and the server.
///
/// The locks of a node, its notifications, its settings and its prepared statements belong to a session of
/// the server. A pool may give each transaction another session, and gives no error then: two nodes would
/// hold the same lock, and no node would hear of the commits of others.
enum Pool {
    /// The longest time until a notification arrives. It decides only how long a refusal takes.
    private static let patience = Duration.seconds(5)
    private static let operation = "look for a pool"

    /// Checks that each connection has a session of its own. Returns a connection through the pool, which
    /// holds a session; nil if there is no pool.
    ///
    /// The server sends a notification to the session that listens. While this connection waits, a pool of
    /// transactions has no client for the session, and discards the notification.
    /// - Throws: `.sharedSessions` if the pool gives a session to several connections; `.noSession` if it
    ///   has not two free ones.
    static func check(_ settings: String) throws(JournalError) -> Connection? {
        let connection = try Connection(settings: settings, for: .probing)
        guard connection.isPooled else {
            connection.close()
            return nil
        }
        let channel = "qring_probe_\(UInt64.random(in: .min ... .max))"
        try connection.execute("LISTEN \(channel)", operation)
        let other = try self.connection(settings, for: .probing)
        defer { other.close() }
        try other.execute("NOTIFY \(channel)", operation)
        guard connection.awaitNotification(patience) else {
            throw .failed(StorageFailure(.sharedSessions, operation: operation))
        }
        try connection.execute("UNLISTEN \(channel)", operation)
        return connection
    }

    /// Opens a connection through a pool.
    /// - Throws: `.noSession` instead of `.unreachable`.
    static func connection(
        _ settings: String, for purpose: Connection.Purpose
    ) throws(JournalError) -> Connection {
        do throws(JournalError) { return try Connection(settings: settings, for: purpose) } catch {
            guard case .failed(let failure) = error, failure.reason == .unreachable else { throw error }
            throw .failed(StorageFailure(.noSession, operation: "connect", detail: failure.detail))
        }
    }
}
