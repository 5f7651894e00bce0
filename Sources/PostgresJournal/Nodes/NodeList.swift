package import Journal
package import Meetings
import SQLJournal

/// A server in the list of those that share a database.
package struct DatabaseNode: Sendable {
    package let id: Int64
    /// The machine's name and the address on which the server listens.
    package let name: String
    package let startedAt: Instant
    /// False if its connection has ended and no other server has noticed it yet.
    package let isRunning: Bool
}

extension PostgresEngine {
    private static let nodes = Query(
        "list nodes",
        """
        SELECT id, name, started_at,
            NOT pg_try_advisory_xact_lock_shared(\(Node.key("'node ' || id"))) FROM nodes ORDER BY id
        """)

    /// Returns the servers that share the database, the oldest first.
    package static func nodes(settings: String) throws(JournalError) -> [DatabaseNode] {
        try check(settings: settings)
        let connection = try Connection(settings: settings, for: .reading(milliseconds: 10_000))
        defer { connection.close() }
        return try connection.all(Self.nodes) {
            DatabaseNode(
                id: $0.int64(0), name: $0.text(1), startedAt: $0.instant(2), isRunning: $0.bool(3))
        }
    }
}
