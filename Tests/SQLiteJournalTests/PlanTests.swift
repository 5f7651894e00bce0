import Journal
import JournalContract
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Reads SQLite's plan of every statement that the contract prepares. No statement may read a whole table.
@Suite struct PlanTests {
    /// The statements that may read all entries. Counting reads an index once at a sign-up or an opening. The
    /// list of sets to seal reads its whole partial index, and so do the lists of sessions to announce. When
    /// an operator leaves, the statement reads all operators.
    private let mayScan: Set<String> = [
        "list jobs", "count accounts", "count tables", "list sets to seal", "find another operator",
        "list sessions to announce", "list sessions with feedback to announce",
        // A server has few web hooks.
        "find any web hook", "find web hooks with due deliveries", "find web hooks to erase",
    ]
    /// The statements that may sort, because an index finds only few rows: overlapping or running sessions,
    /// and meetings in the future.
    private let maySort: Set<String> = [
        "list overlapping sessions", "find running session", "find next session",
        "find session open for check-in", "list meetings to come",
        "find session opening next", "list ids of sessions not over", "find a meeting's running session",
        // A host opens the page with plots. This statement then groups the check-ins of one session by minute
        // and sorts the minutes.
        "list arrivals by minute",
        // The statement sorts the slots of one person.
        "list the latest statuses of a person's slots",
        // The statement sorts the sessions of a few days.
        "list a member's sessions of a day", "list the doors of an account",
        // The statements sort the sessions of one meeting that are due.
        "list sessions to announce", "list sessions with feedback to announce",
        // The statement sorts the sign-ins and the named tokens of one account.
        "list sign-ins",
    ]

    @Test func `no statement reads a whole table, and lists are in the order of an index`()
        async throws
    {
        var queries: [String: Query] = [:]
        for rule in RowsRule.all {
            try await withEngine { engine in
                let spy = PlanSpy(engine)
                try await rule.check(spy)
                for query in spy.preparedQueries { queries[query.text] = query }
            }
        }
        #expect(queries.count > 60)
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            for query in queries.values where query.text.contains(" ") && !query.text.hasPrefix("PRAGMA") {
                guard ["SELECT", "INSERT", "UPDATE", "DELETE"].contains(where: query.text.hasPrefix) else {
                    continue
                }
                let plan = try rows.connection.all(Query("test", "EXPLAIN QUERY PLAN " + query.text)) {
                    $0.text(3)
                }
                if !mayScan.contains(query.operation) {
                    #expect(
                        !plan.contains { $0.hasPrefix("SCAN") && $0 != "SCAN CONSTANT ROW" },
                        "\(query.operation): \(plan)")
                }
                // A statement that clears a whole table would not report the rows to a rewrite of the file.
                let steps = try rows.connection.all(Query("test", "EXPLAIN " + query.text)) { $0.text(1) }
                #expect(!steps.contains("Clear"), "\(query.operation)")
                if !maySort.contains(query.operation) {
                    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(query.operation): \(plan)")
                }
            }
        }
    }

    @Test func `a plan without an index is detected`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            let plan = try rows.connection.all(
                Query("test", "EXPLAIN QUERY PLAN SELECT * FROM attendees WHERE name = ? ORDER BY identity")
            ) {
                $0.text(3)
            }
            #expect(plan.contains { $0.hasPrefix("SCAN") })
            #expect(plan.contains { $0.contains("TEMP B-TREE") })
        }
    }
}

/// Forwards every call to an engine, and stores the writer.
private final class PlanSpy: Engine, @unchecked Sendable {
    // `@unchecked Sendable`: only one test uses this object, one call after the other.
    private let engine: SQLiteEngine
    private var writer: SQLiteRows?

    init(_ engine: SQLiteEngine) { self.engine = engine }

    var epoch: String { engine.epoch }
    var unsettled: UnsettledMeetings { engine.unsettled }
    var preparedQueries: [Query] { writer?.connection.preparedQueries ?? [] }

    func openWriter() throws(JournalError) -> any WritableRows {
        let rows = try engine.openWriter()
        writer = rows as? SQLiteRows
        return rows
    }

    func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found { try await engine.read(query) }

    func close() { engine.close() }
}
