import Journal
import Meetings
import Testing

@testable import PostgresJournal
@testable import SQLJournal

@Suite(.waitingThreads) struct ShuffleTests {
    private static let now = Instant(milliseconds: 1_795_000_000_000)
    private static let people = 60

    private static let order = Query("test", "SELECT id FROM responses ORDER BY ctid")
    private static let commits = Query("test", "SELECT count(DISTINCT CAST(xmin AS text)) FROM responses")

    /// Inserts responses to an anonymous set, each in a commit of its own. Returns their ids.
    private func respond(_ rows: any WritableRows) throws -> [ResponseID] {
        let meeting = Meeting(id: .make(at: Self.now), name: "M", createdAt: Self.now)
        let session = Session(
            id: .make(at: Self.now), meetingID: meeting.id, round: 1, startsAt: Self.now,
            endsAt: Self.now + .hours(1), joinCode: "ABC234")
        var set = QuestionSet(name: "s", promise: .anonymous)
        set.responses = Self.people
        try rows.begin()
        try rows.insert(meeting)
        try rows.insert(session)
        try rows.save(set, of: session.id)
        try rows.commit()
        var ids: [ResponseID] = []
        for _ in 0..<Self.people {
            let id = ResponseID.makeTimeless()
            try rows.begin()
            try rows.insert(
                Response(
                    id: id, sessionID: session.id, set: set.name, attendeeID: nil, answers: [:],
                    at: Self.now),
                published: true)
            try rows.noteOrder()
            try rows.commit()
            ids.append(id)
        }
        return ids
    }

    @Test func `a shuffle removes the order of responses that the hidden columns show`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? PostgresRows)
            let ids = try respond(rows)
            func order() throws -> [ResponseID] {
                try rows.connection.all(Self.order) { row throws(JournalError) in try row.id(0) }
            }
            func commits() throws -> Int { try rows.connection.first(Self.commits) { $0.int(0) } ?? 0 }
            #expect(try order() == ids)
            #expect(try commits() == Self.people)
            let shuffle = try rows.beginRewrite()
            repeat { try await shuffle.catchUp() } while try !shuffle.finish()
            await shuffle.release()
            #expect(try order() == ids.sorted())
            #expect(try commits() == 1)
            #expect(try !rows.awaitsShuffle())
        }
    }

    @Test func `an order that is noted during a shuffle waits for the next one`() async throws {
        try await withEngine { engine in
            let rows = try engine.openWriter()
            _ = try respond(rows)
            let shuffle = try rows.beginRewrite()
            #expect(try !shuffle.finish())
            try rows.begin()
            try rows.noteOrder()
            try rows.commit()
            while try !shuffle.finish() {}
            #expect(try rows.awaitsShuffle())
        }
    }

    @Test func `a shuffle leaves the note that another server has made after removing the first one`()
        async throws
    {
        try await withEngine { engine in
            let rows = try engine.openWriter()
            _ = try respond(rows)
            let shuffle = try rows.beginRewrite()
            #expect(try !shuffle.finish())
            let other = try rows.beginRewrite()
            while try !other.finish() {}
            #expect(try !rows.awaitsShuffle())
            try rows.begin()
            try rows.noteOrder()
            try rows.commit()
            while try !shuffle.finish() {}
            #expect(try rows.awaitsShuffle())
        }
    }

    /// The tables that an answer writes to, beside that of responses, with the column of their order.
    private static let others = [
        ("answered", "attendee"), ("answered_devices", "device"), ("words", "word"),
        ("moderated_words", "word"), ("moderated_texts", "response"),
    ]

    @Test func `a shuffle reaches marks, words and decisions, and the locks on attendees`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? PostgresRows)
            _ = try respond(rows)
            let id = try #require(
                try rows.connection.first(Query("test", "SELECT id FROM sessions")) {
                    row throws(JournalError) in try row.id(0) as SessionID
                })
            let question = Question(id: .makeTimeless(), title: "Words?", kind: .wordCloud(most: 1))
            var set = try #require(try rows.questionSet("s", of: id))
            set.questions = [question]
            try rows.begin()
            try rows.save(set, of: id)
            try rows.commit()
            for number in 0..<Self.people {
                let attendee = Attendee(
                    id: .makeTimeless(), sessionID: id, name: "A", status: .present, arrivalSequence: 1)
                try rows.begin()
                try rows.insert(attendee, key: nil, grant: nil)
                try rows.commit()
                try rows.begin()
                _ = try rows.markAnswered(attendee.id, set: "s")
                _ = try rows.markAnswered(device: attendee.id.bytes, set: "s", of: id)
                // In the opposite order of the keys.
                let word = "word \(1_000 - number)"
                try rows.count([word: 1], of: question.id)
                try rows.setWordStatus(.pending, of: word, to: question.id)
                try rows.setTextStatus(.pending, in: .makeTimeless(), to: question.id)
                try rows.noteOrder()
                try rows.commit()
            }
            func commits(_ table: String, _ column: String = "xmin") throws -> Int {
                let query = "SELECT count(DISTINCT CAST(\(column) AS text)) FROM \(table)"
                return try rows.connection.first(Query("test", query)) { $0.int(0) } ?? 0
            }
            for (table, _) in Self.others { #expect(try commits(table) == Self.people, "\(table)") }
            #expect(try commits("attendees", "xmax") == Self.people)
            let shuffle = try rows.beginRewrite()
            while try !shuffle.finish() {}
            await shuffle.release()
            for (table, column) in Self.others {
                #expect(try commits(table) == 1, "\(table)")
                let wrong = try rows.connection.first(
                    Query(
                        "test",
                        """
                        SELECT count(*) FROM (SELECT ctid, lag(ctid) OVER (ORDER BY \(column)) AS before
                            FROM \(table)) t WHERE before > ctid
                        """)
                ) { $0.int(0) }
                #expect(wrong == 0, "\(table)")
            }
            // A mark locks its attendee, which shows the transaction as `xmax`.
            #expect(try commits("attendees", "xmax") == 1)
        }
    }

    @Test func `a cancelled shuffle ends at its next slice`() async throws {
        try await withEngine { engine in
            let shuffle = try engine.openWriter().beginRewrite()
            shuffle.cancel()
            await #expect(throws: JournalError.failed(StorageFailure(.closed, operation: "shuffle"))) {
                try await shuffle.catchUp()
            }
        }
    }
}
