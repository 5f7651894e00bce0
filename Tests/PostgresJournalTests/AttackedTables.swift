import AnonymityAttacks
import Journal
import Meetings
import PostgresCluster

@testable import PostgresJournal
@testable import SQLJournal

/// The tables of a PostgreSQL database with their hidden columns, as its operator can query them.
struct AttackedTables: AttackedSQLDatabase {
    static let numberType = "bigserial"
    static let idType = "uuid"

    let engine: any Engine

    init(settings: String) throws { engine = try PostgresEngine(settings: settings, .small) }

    func connection(of rows: any ReadableRows) throws(JournalError) -> Connection {
        guard let rows = rows as? PostgresRows else { preconditionFailure("rows of PostgreSQL") }
        return rows.connection
    }

    /// The orders in which an operator can list the rows of a table `t`, by what each row hides.
    private static let orders = [
        ("place", "t.ctid"),
        ("transaction", "CAST(CAST(t.xmin AS text) AS bigint), CAST(CAST(t.cmin AS text) AS bigint), t.ctid"),
        // With `track_commit_timestamp`, which is on in the cluster of the tests.
        ("commit time", "pg_xact_commit_timestamp(t.xmin) NULLS FIRST, t.ctid"),
    ]

    func sight(
        of set: String, in session: SessionID, attendees: [AttendeeID], hasPlainTables: Bool,
        _ rows: any ReadableRows
    ) throws(JournalError) -> DatabaseSight {
        let connection = try connection(of: rows)
        func texts(_ query: String) throws(JournalError) -> [String] {
            try connection.all(Query("test", query), session, set) { $0.text(0) }
        }
        let responses = "SELECT t.answers FROM responses t WHERE t.session = ? AND t.set_name = ?"
        var answers: [DatabaseSight.Source<String>] = []
        var people: [DatabaseSight.Source<AttendeeID>] = []
        for (name, order) in Self.orders + [("id", "t.id"), ("hour", "t.at")] {
            answers.append(
                .init("responses by \(name)", markers(in: try texts("\(responses) ORDER BY \(order)"))))
        }
        for (name, order) in Self.orders {
            // The mark of each answer is also one of its words, in a question for words.
            let words = try texts(
                """
                SELECT t.word FROM words t JOIN questions q ON q.id = t.question
                WHERE q.session = ? AND q.set_name = ? ORDER BY \(order)
                """)
            answers.append(.init("words by \(name)", markers(in: words)))
            let marked = try connection.all(
                Query(
                    "test",
                    """
                    SELECT t.attendee FROM answered t JOIN attendees a ON a.id = t.attendee
                    WHERE a.session = ? AND t.set_name = ? ORDER BY \(order)
                    """), session, set
            ) { row throws(JournalError) in try row.id(0) as AttendeeID }
            people.append(.init("answered by \(name)", marked))
        }
        var sight = try self.sight(
            of: set, in: session, answers, people, hasPlainTables: hasPlainTables, rows)
        // The answers whose transaction has written the mark of exactly one attendee. A merge that can still
        // be undone names them itself (docs/privacy.md).
        let told = try rows.corrections(of: session, in: 0...Int64.max).flatMap { correction in
            guard case .merged(let gone, _) = correction.before else { return [ResponseID]() }
            return gone.namedResponses.map(\.id)
        }
        let joined = try connection.all(
            Query(
                "test",
                """
                SELECT t.id, t.answers FROM responses t
                WHERE t.session = ? AND t.set_name = ? AND t.attendee IS NULL AND 1 =
                    (SELECT count(*) FROM answered m WHERE m.set_name = t.set_name AND m.xmin = t.xmin)
                """), session, set
        ) { row throws(JournalError) in (id: try row.id(0) as ResponseID, answers: row.text(1)) }
        sight.joined = markers(in: joined.filter { !told.contains($0.id) }.map(\.answers))
        return sight
    }
}

struct AttackedSchemas: AttackedDatabases {
    func withDatabase<Result>(
        _ body: (any AttackedDatabase) async throws -> Result
    ) async throws -> Result {
        let schema = try Cluster.shared.get().makeSchema()
        defer { _ = try? Cluster.shared.get().execute("DROP SCHEMA \(schema.name) CASCADE") }
        return try await body(try AttackedTables(settings: schema.settings))
    }
}
