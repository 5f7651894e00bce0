import CSQLite
import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests that a page of a list costs the same for any length of the list. The cost is counted in steps of
/// SQLite's virtual machine, which do not depend on the load of the computer.
@Suite struct PageCostTests {
    private let meeting = MeetingID(high: 1, low: 1)
    private let session = SessionID(high: 1, low: 1)

    /// Inserts one meeting with one session, and `count` further people, attendees, events and rounds.
    private func fill(_ connection: Connection, _ count: Int) throws {
        let id = "x'00000000000000010000000000000001'"
        let numbers = "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= \(count))"
        try connection.execute(
            """
            BEGIN;
            INSERT INTO meetings (id, name, description, place, time_zone, identify_by, code_version,
                created_at, version, regulars) VALUES (\(id), 'M', '', '', 'UTC', 0, 1, 0, 1, 1);
            INSERT INTO sessions (id, meeting, round, starts_at, ends_at, late_after_minutes,
                check_in_opens_minutes_before,
                feedback_closes_hours_after, planned_count, code_kind, code_version, join_code, version)
                VALUES (\(id), \(id), 1, 0, 1, 0, 0, 0, 0, 0, 1, 'A', 1);
            \(numbers) INSERT INTO sessions
                (id, meeting, round, starts_at, ends_at, late_after_minutes, check_in_opens_minutes_before,
                feedback_closes_hours_after, planned_count, code_kind, code_version, join_code, version)
                SELECT CAST(printf('%016d', i) AS BLOB), \(id), i, i * 1000, i * 1000 + 1, 0, 0, 0, 0, 0, 1,
                    printf('%d', i), 1 FROM n;
            \(numbers) INSERT INTO people SELECT CAST(printf('%016d', i) AS BLOB), \(id), printf('P%06d', i),
                printf('p%06d', i), '', NULL,
                '', NULL, '', 0, 1, 0 FROM n;
            \(numbers) INSERT INTO attendees
                (session, id, name, identity, search, status, status_is_by_host, walk_in, arrival_sequence)
                SELECT \(id), CAST(printf('%016d', i) AS BLOB), 'P', '', 'p', 0, 0, 0, 0 FROM n;
            \(numbers) INSERT INTO events (session, sequence, at, kind, actor) SELECT \(id), i, 0, 0, 1
                FROM n;
            COMMIT
            """, "fill")
    }

    private func steps(_ connection: Connection, _ query: Query, _ bind: (SQLiteStatement) -> Void) throws
        -> Int32
    {
        var statement: OpaquePointer?
        #expect(sqlite3_prepare_v2(connection.handle, query.text, -1, &statement, nil) == SQLITE_OK)
        let prepared = try #require(statement)
        defer { sqlite3_finalize(prepared) }
        bind(SQLiteStatement(prepared, of: query, on: connection))
        var rows = 0
        while sqlite3_step(prepared) == SQLITE_ROW { rows += 1 }
        #expect(rows == 50, "\(query.operation)")
        return sqlite3_stmt_status(prepared, SQLITE_STMTSTATUS_VM_STEP, 0)
    }

    /// Runs on a separate thread, because filling the tables takes seconds and Swift's pool has few threads.
    private func costs(_ count: Int) async throws -> [String: Int32] {
        try await withFolder { folder in
            try await withCheckedThrowingContinuation { continuation in
                Thread { continuation.resume(with: Result { try costs(count, in: folder) }) }.start()
            }
        }
    }

    /// Returns the cost of a page of 50 rows in the middle of each list.
    private func costs(_ count: Int, in folder: String) throws -> [String: Int32] {
        let engine = try SQLiteEngine(folder: folder)
        defer { engine.close() }
        let rows = try #require(try engine.openWriter() as? SQLiteRows)
        try fill(rows.connection, count)
        let middle = count / 2
        let name = "p" + String(repeating: "0", count: 6 - String(middle).count) + String(middle)
        let text = String(repeating: "0", count: 16 - String(middle).count) + String(middle)
        let id = try #require(PersonID(bytes: Array(text.utf8)))
        let moment = Instant(milliseconds: Int64(middle) * 1000)
        // The connection prepares each statement when the test uses it once.
        _ = try rows.people(of: meeting, archived: false, text: nil, after: nil, limit: 1)
        _ = try rows.sessions(of: meeting, before: nil, limit: 1)
        _ = try rows.sessions(of: meeting, starting: Instant(milliseconds: 0)..<moment, before: nil, limit: 1)
        _ = try rows.attendees(of: session, statuses: nil, text: nil, after: nil, limit: 1)
        _ = try rows.events(of: session, after: 0, limit: 1)
        var costs: [String: Int32] = [:]
        for query in rows.connection.preparedQueries {
            switch query.operation {
            case "list people":
                costs[query.operation] = try steps(rows.connection, query) {
                    bind([meeting, 0, name, id, 50], to: $0)
                }
            case "list sessions":
                costs[query.operation] = try steps(rows.connection, query) {
                    bind([meeting, middle + 20, 50], to: $0)
                }
            case "list rounds by start":
                costs[query.operation] = try steps(rows.connection, query) {
                    bind([meeting, Instant(milliseconds: 0), moment, moment, 0, 50], to: $0)
                }
            case "list attendees":
                costs[query.operation] = try steps(rows.connection, query) {
                    bind([session, id, 50], to: $0)
                }
            case "list events":
                costs[query.operation] = try steps(rows.connection, query) {
                    bind([session, middle, 50], to: $0)
                }
            default: break
            }
        }
        return costs
    }

    private func bind(_ values: [any Bindable], to statement: SQLiteStatement) {
        for (index, value) in values.enumerated() {
            #expect(value.bind(to: statement, at: Int32(index + 1)) == SQLITE_OK)
        }
    }

    @Test func `a page of people, rounds, attendees or events costs the same among 200 and 100,000 rows`()
        async throws
    {
        let (few, many) = (try await costs(200), try await costs(100_000))
        #expect(few.count == 5 && many.count == 5)
        for (operation, cost) in many {
            #expect(
                Double(cost) <= 1.5 * Double(try #require(few[operation])),
                "\(operation): \(cost) steps, \(few[operation] ?? 0) of few")
        }
    }
}
