import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests the threads for scans, and the limit of a scan's steps.
@Suite(.timeLimit(.minutes(2))) struct ScanTests {
    private func withEngine<Result>(
        scanSteps: Int = SQLiteEngine.Options().scanSteps, _ body: (SQLiteEngine) async throws -> Result
    ) async throws -> Result {
        try await withFolder { folder in
            var options = SQLiteEngine.Options()
            options.scanSteps = scanSteps
            let engine = try SQLiteEngine(folder: folder, options)
            defer { engine.close() }
            return try await body(engine)
        }
    }

    /// Inserts a meeting with sessions that have ended, and with people on its roster. Each person was
    /// absent in the oldest sessions that have slots.
    private func fill(
        _ engine: SQLiteEngine, people: Int, sessions: Int, withSlots: Int = 0
    ) throws -> SQLiteRows {
        let rows = try #require(try engine.openWriter() as? SQLiteRows)
        let id = "x'00000000000000010000000000000001'"
        func numbers(_ count: Int) -> String {
            "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= \(count))"
        }
        try rows.connection.execute(
            """
            BEGIN;
            INSERT INTO meetings (id, name, description, place, time_zone, identify_by, code_version,
                created_at, version, regulars) VALUES (\(id), 'M', '', '', 'UTC', 0, 1, 0, 1, 1);
            \(numbers(sessions)) INSERT INTO sessions
                (id, meeting, round, starts_at, ends_at, late_after_minutes, check_in_opens_minutes_before,
                feedback_closes_hours_after, planned_count, code_kind, code_version, join_code, version)
                SELECT CAST(printf('%016d', i) AS BLOB), \(id), i, i * 1000, i * 1000 + 1, 0, 0, 0, 0, 0, 1,
                    printf('%d', i), 1 FROM n;
            \(numbers(people)) INSERT INTO people SELECT CAST(printf('%016d', i) AS BLOB), \(id),
                printf('P%06d', i), printf('p%06d', i), '', NULL, '', NULL, '', 0, 1, 0 FROM n;
            """, "fill")
        for session in 2..<(2 + withSlots) {
            try rows.connection.execute(
                """
                \(numbers(people)) INSERT INTO attendees
                    (session, id, name, identity, search, status, status_is_by_host, walk_in,
                    arrival_sequence)
                    SELECT CAST(printf('%016d', \(session)) AS BLOB),
                        CAST(printf('%08d%08d', \(session), i) AS BLOB), 'P', '', 'p', 3, 0, 0, 0 FROM n;
                \(numbers(people)) INSERT INTO places SELECT CAST(printf('%016d', i) AS BLOB),
                    CAST(printf('%016d', \(session)) AS BLOB), CAST(printf('%08d%08d', \(session), i) AS BLOB)
                    FROM n;
                """, "fill")
        }
        try rows.connection.execute("COMMIT", "fill")
        return rows
    }

    private static let meeting = MeetingID(high: 1, low: 1)

    /// Returns the number of people who were absent three times in a row.
    private static func absent(_ rows: any ReadableRows) throws(JournalError) -> Int {
        var count = 0
        for person in try rows.people(of: meeting, archived: false, text: nil, after: nil, limit: 20_000)
        where try rows.wasAbsent(person, inARow: 3, at: Instant(milliseconds: 1_000_000_000)) {
            count += 1
        }
        return count
    }

    @Test func `a scan above the limit of steps fails, its thread keeps working, and a query has no limit`()
        async throws
    {
        try await withEngine(scanSteps: 20_000) { engine in
            _ = try fill(engine, people: 2_000, sessions: 3, withSlots: 3)
            for _ in 1...3 {
                await #expect {
                    try await engine.scan { rows throws(JournalError) in try Self.absent(rows) }
                } throws: { error in
                    guard case JournalError.failed(let failure) = error else { return false }
                    return failure.reason == .tooManySteps
                }
            }
            let found = try await engine.scan { rows throws(JournalError) in
                try rows.people(of: Self.meeting, archived: false, text: nil, after: nil, limit: 100).count
            }
            #expect(found == 100)
            #expect(try await engine.read { rows throws(JournalError) in try Self.absent(rows) } == 2_000)
        }
    }

    @Test func `a scan takes the steps up to the limit, and no more than one count of SQLite above it`()
        async throws
    {
        // A scan of this roster takes a fixed number of steps. The test finds the limit that lets it through.
        func passes(_ limit: Int) async throws -> Bool {
            try await withEngine(scanSteps: limit) { engine in
                _ = try fill(engine, people: 500, sessions: 3, withSlots: 3)
                let found = try? await engine.scan { rows throws(JournalError) in try Self.absent(rows) }
                return found == 500
            }
        }
        let steps = try await withEngine { engine in
            let rows = try fill(engine, people: 500, sessions: 3, withSlots: 3)
            let before = rows.connection.machineSteps.values.reduce(0, +)
            _ = try Self.absent(rows)
            return rows.connection.machineSteps.values.reduce(0, +) - before
        }
        #expect(try await passes(steps + 1_000))
        #expect(try await !passes(steps / 2))
    }

    @Test func `a query is answered while every thread for scans is busy`() async throws {
        try await withEngine { engine in
            _ = try fill(engine, people: 1, sessions: 1)
            let (gate, busy) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            try await withThrowingTaskGroup { group in
                for _ in 1...3 {
                    group.addTask {
                        try await engine.scan { _ throws(JournalError) in
                            busy.signal()
                            gate.wait()
                        }
                    }
                }
                // Two scans hold both threads, and the third waits.
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        busy.wait()
                        busy.wait()
                        continuation.resume()
                    }
                }
                let found = try await engine.read { rows throws(JournalError) in
                    try rows.meeting(Self.meeting)
                }
                #expect(found != nil)
                for _ in 1...3 { gate.signal() }
                try await group.waitForAll()
            }
        }
    }

    @Test func `people without slots cost no more steps in a series of 400 sessions than in one of 40`()
        async throws
    {
        func steps(sessions: Int) async throws -> Int {
            try await withEngine { engine in
                let rows = try fill(engine, people: 200, sessions: sessions)
                let before = rows.connection.machineSteps.values.reduce(0, +)
                #expect(try Self.absent(rows) == 0)
                return rows.connection.machineSteps.values.reduce(0, +) - before
            }
        }
        let (few, many) = (try await steps(sessions: 40), try await steps(sessions: 400))
        #expect(Double(many) <= 1.1 * Double(few))
        // The largest roster passes, even if everybody is new on it.
        #expect(many / 200 * 20_000 < SQLiteEngine.Options().scanSteps)
    }

    @Test func `an export of 900,000 responses with their attendees stays below the limit`() async throws {
        try await withEngine { engine in
            let rows = try fill(engine, people: 1_000, sessions: 1, withSlots: 1)
            let id = try #require(
                try rows.sessions(of: Self.meeting, before: nil, limit: 1).first?.session.id)
            try rows.begin()
            try rows.save(QuestionSet(questions: [], anonymous: false), of: id)
            try rows.commit()
            try rows.connection.execute(
                """
                INSERT INTO responses (session, set_name, at, id, attendee, answers, published)
                    SELECT session, 'feedback', 0, id, id, '{}', 1 FROM attendees
                """, "fill")
            let before = rows.connection.machineSteps.values.reduce(0, +)
            let responses = try rows.responses(of: id, set: "feedback", after: nil, limit: 1_000)
            for response in responses {
                if let attendee = response.attendeeID { _ = try rows.attendee(behind: attendee) }
            }
            #expect(responses.count == 1_000)
            let steps = rows.connection.machineSteps.values.reduce(0, +) - before
            #expect(steps * 900 < SQLiteEngine.Options().scanSteps, "\(steps)")
        }
    }
}
