import Foundation
import Journal
import JournalContract
import Meetings
import Seeds
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests anonymity against a person with a copy of the files. Sixty named people answer an anonymous set, one
/// after the other. Then the test tries to link people to responses. The random numbers have a seed, so that
/// every run gives the same result.
@Suite struct AnonymityTests {
    private struct Trial {
        let engine: SQLiteEngine
        let rows: SQLiteRows
        let folder: String
        /// The people in the order of answering. The person and the response at the same index belong
        /// together.
        let attendees: [[UInt8]]
        let responses: [[UInt8]]

        func root(_ table: String) throws -> Int {
            try rows.connection.first(
                Query("test", "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
            ) { $0.int(0) } ?? 0
        }

        func list(_ column: String, _ table: String, among ids: [[UInt8]]) throws -> [Int] {
            try rows.connection.all(Query("test", "SELECT \(column) FROM \(table)")) { $0.bytes(0) }
                .compactMap { ids.firstIndex(of: $0) }
        }
    }

    private static let people = 60
    /// The largest number of hits that chance explains. Chance gives one hit in sixty on average, and ten or
    /// more hits once in ten million tries.
    private static let hitsByChance = 9

    /// Returns the number of indexes at which the person and the answer belong together.
    private func hits(_ people: [Int], _ answers: [Int]) -> Int { zip(people, answers).count { $0 == $1 } }

    /// Returns Spearman's rank correlation: 1 for the same order, -1 for the reversed order. For two
    /// unrelated orders of sixty elements, it is within ±0.5, except once in 20,000 tries.
    private func rankCorrelation(_ first: [Int], _ second: [Int]) -> Double {
        let count = Double(first.count)
        var ranks: [Int: Int] = [:]
        for (rank, item) in second.enumerated() { ranks[item] = rank }
        let squares = first.enumerated().reduce(0.0) { sum, place in
            let distance = Double(place.offset - ranks[place.element, default: 0])
            return sum + distance * distance
        }
        return 1 - 6 * squares / (count * (count * count - 1))
    }

    private func expectStrangers(
        _ people: [Int], _ answers: [Int], _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            people.count == Self.people && answers.count == Self.people, what, sourceLocation: sourceLocation)
        #expect(hits(people, answers) <= Self.hitsByChance, what, sourceLocation: sourceLocation)
        #expect(hits(people, answers.reversed()) <= Self.hitsByChance, what, sourceLocation: sourceLocation)
        #expect(abs(rankCorrelation(people, answers)) < 0.5, what, sourceLocation: sourceLocation)
    }

    private func withTrial(_ body: (Trial) throws -> Void) async throws {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            var random = SeededNumbers(seed: 20_261_120)
            let meeting = Meeting(id: .make(at: now), name: "M", createdAt: now)
            let session = Session(
                id: .make(at: now), meetingID: meeting.id, round: 1, startsAt: now, endsAt: now + .hours(1),
                joinCode: "ABC234")
            // The control tables hold the same rows, but number them in the order of arrival.
            try rows.connection.execute(
                """
                CREATE TABLE plain_answered (number INTEGER PRIMARY KEY, attendee BLOB);
                CREATE TABLE plain_responses (number INTEGER PRIMARY KEY, id BLOB)
                """, "test")
            let markPlainly = Query("test", "INSERT INTO plain_answered (attendee) VALUES (?)")
            let insertPlainly = Query("test", "INSERT INTO plain_responses (id) VALUES (?)")
            try rows.begin()
            try rows.insert(meeting)
            try rows.insert(session)
            try rows.save(QuestionSet(), of: session.id)
            var ids: [AttendeeID] = []
            for number in 0..<Self.people {
                let id = AttendeeID(
                    high: UInt64(now.milliseconds) + UInt64(number * 977) << 16, low: random.next())
                try rows.insert(
                    Attendee(
                        id: id, sessionID: session.id, name: "Person \(number)",
                        arrivalSequence: Int64(number + 1)),
                    key: IdentityKey("p\(number)@example.org"), grant: nil)
                ids.append(id)
            }
            try rows.commit()
            #expect(try rows.connection.emptyLog(waiting: true))

            ids.shuffle(using: &random)
            var responses: [[UInt8]] = []
            for (place, attendee) in ids.enumerated() {
                let moment = now + .seconds(place * 7)
                let response = Response(
                    id: ResponseID(high: random.next(), low: random.next()), sessionID: session.id,
                    set: QuestionSet.feedback,
                    attendeeID: nil, answers: [:], at: moment.startOfHour)
                try rows.begin()
                #expect(try rows.markAnswered(attendee, set: QuestionSet.feedback))
                try rows.insert(response, published: true)
                try rows.append(
                    Event(
                        sessionID: session.id, sequence: Int64(place + 1), at: moment, kind: .responded,
                        attendeeID: nil, actor: .attendee,
                        data: EventData(set: QuestionSet.feedback)))
                try rows.connection.run(markPlainly, attendee)
                try rows.connection.run(insertPlainly, response.id)
                try rows.commit()
                responses.append(response.id.bytes)
            }
            try body(
                Trial(
                    engine: engine, rows: rows, folder: folder, attendees: ids.map(\.bytes),
                    responses: responses))
        }
    }

    @Test func `before the shuffle the log links people to their answers, and afterwards the log is empty`()
        async throws
    {
        try await withTrial { trial in
            let log = trial.folder + "/journal.db-wal"
            func joined() throws -> Int {
                let people = try FileForensics.firstSeen(trial.attendees, inLog: log)
                let answers = try FileForensics.firstSeen(trial.responses, inLog: log)
                return zip(people, answers).count { $0.count == 1 && $0 == $1 }
            }
            // docs/privacy.md describes this link. The check also proves that the search finds existing
            // links.
            #expect(try joined() == Self.people)
            try trial.rows.shuffle()
            #expect(try joined() == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: log)).isEmpty)
        }
    }

    @Test func `after the shuffle neither order nor position in the file links people to their answers`()
        async throws
    {
        try await withTrial { trial in
            try trial.rows.shuffle()
            let file = try FileForensics(database: trial.folder + "/journal.db")
            expectStrangers(
                try trial.list("attendee", "answered", among: trial.attendees),
                try trial.list("id", "responses", among: trial.responses),
                "by the order of the tables")
            expectStrangers(
                file.order(of: trial.attendees, inTreeAt: try trial.root("answered")),
                file.order(of: trial.responses, inTreeAt: try trial.root("responses")),
                "by the place in the file")
            // No copy remains in unused bytes: each response occurs once in its own table and once in the
            // control table.
            for response in trial.responses { #expect(file.count(of: response) == 2) }
        }
    }

    @Test func `in tables that number their rows the same search links all people, even after a shuffle`()
        async throws
    {
        try await withTrial { trial in
            for _ in 1...2 {
                try trial.rows.shuffle()
                let file = try FileForensics(database: trial.folder + "/journal.db")
                let byOrder = hits(
                    try trial.list("attendee", "plain_answered", among: trial.attendees),
                    try trial.list("id", "plain_responses", among: trial.responses))
                let people = file.order(of: trial.attendees, inTreeAt: try trial.root("plain_answered"))
                let answers = file.order(of: trial.responses, inTreeAt: try trial.root("plain_responses"))
                #expect(byOrder == Self.people)
                #expect(
                    hits(people, answers) == Self.people || hits(people, answers.reversed()) == Self.people)
                #expect(abs(rankCorrelation(people, answers)) > 0.99)
            }
        }
    }

    @Test func `neither table has a column that could reveal a time or an order`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            func columns(_ table: String) throws -> [String] {
                try rows.connection.all(Query("test", "SELECT name FROM pragma_table_info('\(table)')")) {
                    $0.text(0)
                }
            }
            #expect(try columns("answered") == ["attendee", "set_name"])
            // Answers to an anonymous set cannot change, so `changes` is 0 in all its rows.
            #expect(
                try columns("responses") == [
                    "session", "set_name", "at", "id", "attendee", "answers", "published", "changes",
                ])
            for table in ["answered", "responses"] {
                #expect(throws: JournalError.self) {
                    _ = try rows.connection.first(Query("test", "SELECT rowid FROM \(table)")) { $0.int(0) }
                }
            }
        }
    }
}
