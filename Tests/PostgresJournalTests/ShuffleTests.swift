import Journal
import Meetings
import Testing

@testable import PostgresJournal

@Suite struct ShuffleTests {
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
            let rows = try #require(try engine.openWriter() as? SQLRows)
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
