import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests the cost of a verification. The cost is counted in steps of SQLite's virtual machine, which do not
/// depend on time or load.
@Suite struct VerificationCostTests {
    /// The history of a large session. Each case makes a different query as expensive as possible.
    enum History: String, CaseIterable, Sendable {
        case everybodyStays, everybodyLeaves, everybodyMergesIntoOneChain, everySecondEventIsMissing
    }

    @Test(arguments: History.allCases)
    func `a session with eight times as many attendees costs at most eleven times as many steps`(
        _ history: History
    ) async throws {
        let few = try await steps(people: 500, history)
        let many = try await steps(people: 4000, history)
        #expect(few.count >= 12)
        for (operation, count) in many {
            // A few hundred steps do not depend on the size. The cost grows slightly faster than the size,
            // because b-trees become deeper and sorting is not linear.
            let most = max(few[operation] ?? 0, 200) * 11
            #expect(
                count <= most,
                "\(operation): \(few[operation] ?? 0) steps for 500 attendees, \(count) for 4,000")
        }
    }

    @Test func `all question sets are recounted in one pass`() async throws {
        let one = try await steps(people: 400, .everybodyStays, sets: 1)["recount responses"] ?? .max
        let sixteen = try await steps(people: 400, .everybodyStays, sets: 16)["recount responses"] ?? .max
        #expect(sixteen / 20 <= one, "\(one) steps for one set, \(sixteen) for 16")
    }

    private func steps(people: Int, _ history: History, sets: Int = 2) async throws -> [String: Int] {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            try fill(rows, people: people, history, sets: sets)
            let before = rows.connection.machineSteps
            var verification = Verification()
            verification.examine(rows.connection)
            #expect(verification.counts.events >= people)
            if history == .everybodyStays { #expect(verification.faults == []) }
            #expect(!verification.faults.contains { $0.kind == .unreadable })
            return rows.connection.machineSteps.filter { before[$0.key] != $0.value }
        }
    }

    /// Returns an SQL expression for an id of 16 bytes, made from a number.
    private static func id(_ number: String) -> String { "CAST(printf('%016d', \(number)) AS BLOB)" }

    /// Writes the rows by SQL, because thousands of commands would take seconds.
    private func fill(_ rows: SQLiteRows, people: Int, _ history: History, sets: Int) throws {
        let startsAt = Instant(milliseconds: 0)
        let meeting = Meeting(id: MeetingID(high: 1, low: 2), name: "M", createdAt: startsAt)
        let session = Session(
            id: SessionID(high: 1, low: 1), meetingID: meeting.id, round: 1, startsAt: startsAt,
            endsAt: startsAt + .hours(1),
            joinCode: "ABC234")
        try rows.begin()
        try rows.insert(meeting)
        try rows.insert(session)
        for set in 0..<sets {
            try rows.save(
                QuestionSet(
                    name: "set-\(set)", questions: [], anonymous: set % 2 == 1, responses: people,
                    publishedResponses: people),
                of: session.id)
        }
        try rows.commit()
        let s = "x'00000000000000010000000000000001'"
        let id = Self.id("n")
        let numbers =
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(people))"
        let stays = history == .everybodyStays || history == .everySecondEventIsMissing
        var text = ""
        var sequence = 0
        func events(
            _ kind: Event.Kind, _ attendee: String, set: String = "NULL", before last: Int = people + 1
        ) {
            text += """
                \(numbers) INSERT INTO events (session, sequence, at, kind, attendee, actor, set_name)
                SELECT \(s), \(sequence) + n, 0, \(kind.code), \(attendee), 0, \(set) FROM numbers
                    WHERE n < \(last);
                """
            sequence += last - 1
        }
        events(.checkedIn, id)
        text += """
            \(numbers) INSERT INTO attendees
                (session, id, name, identity, search, key, status, status_is_by_host, walk_in,
                arrival_sequence)
            SELECT \(s), \(id), 'P', '', 'p', NULL, 1, 0, 0, n FROM numbers
                WHERE \(stays ? "true" : "n = \(people)");
            INSERT INTO answered SELECT a.id, q.name FROM attendees a, question_sets q;
            """
        for set in 0..<sets {
            let attendee = set % 2 == 1 ? "NULL" : id
            events(.responded, attendee, set: "'set-\(set)'")
            text += """
                \(numbers) INSERT INTO responses (session, set_name, at, id, attendee, answers, published)
                SELECT \(s), 'set-\(set)', 0, randomblob(16), \(stays ? attendee : "NULL"), '{}', 1
                    FROM numbers;
                """
        }
        switch history {
        case .everybodyStays: break
        case .everybodyLeaves: events(.withdrawn, id, before: people)
        case .everybodyMergesIntoOneChain:
            events(.merged, id, before: people)
            text += """
                \(numbers) INSERT INTO merged_attendees SELECT \(id), \(s), \(Self.id("n + 1")), NULL, NULL
                    FROM numbers WHERE n < \(people);
                """
        case .everySecondEventIsMissing: text += "DELETE FROM events WHERE sequence % 2 = 0;"
        }
        text +=
            "UPDATE sessions SET sequence = (SELECT max(sequence) FROM events), present = "
            + "\(stays ? people : 1)"
        try rows.connection.execute(text, "fill")
    }
}
