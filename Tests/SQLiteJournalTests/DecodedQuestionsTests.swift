import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests that the rows of a question set are decoded only after they have changed. The tests count the
/// decoded questions, which do not depend on time or load.
@Suite struct DecodedQuestionsTests {
    private static let start = Instant(seconds: 1_795_255_200)
    private static let asked = (1...40).map {
        Question(id: QuestionID(high: 9, low: $0), title: "How?", kind: .rating(scale: 5))
    }

    /// Fills the database with a running session that has a named set of 40 questions.
    private func running(_ storage: Storage) async throws -> (host: AccountID, session: SessionID) {
        let host = try await storage.perform(
            CreateAccount(
                email: "host@example.org", name: "Host", passwordHash: "$", profile: .init(), signUp: .open,
                proof: .setUp))
        let meeting = Meeting(id: .makeTimeless(), name: "M", identifyBy: .name, createdAt: Self.start)
        let session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: Self.start,
            endsAt: Self.start + .hours(1), joinCode: "ABC234")
        _ = try await storage.perform(
            CreateMeeting(
                meeting: meeting, session: session,
                sets: [QuestionSet(questions: Self.asked, anonymous: false)], owner: host.id,
                allowOverlap: false))
        return (host.id, session.id)
    }

    private func respond(_ number: Int, _ session: SessionID, _ storage: Storage) async throws -> QuestionSet
    {
        let arrived = try await storage.perform(
            CheckIn(
                session: session, moment: Self.start, method: .qr, grant: nil, name: "Person \(number)"))
        guard case .checkedIn(let attendee, _, _) = arrived else { throw JournalError.refused(.notAllowed) }
        return try await storage.perform(
            Respond(
                receipt: Receipt(for: attendee), session: session, set: QuestionSet.feedback,
                answers: [Self.asked[0].id: .rating(4)])
        ).set
    }

    @Test func `responses and their pages decode a set once, and again only after an edit`() async throws {
        try await withEngine { engine in
            let storage = Storage(engine: engine) { Self.start + .minutes(1) }
            try storage.open()
            let (host, session) = try await running(storage)
            #expect(try await respond(1, session, storage).questions == Self.asked)
            let first = engine.decoded.decodedCount
            #expect(first == Self.asked.count)
            for number in 2...20 { _ = try await respond(number, session, storage) }
            for _ in 1...20 {
                let read = try await storage.read { rows throws(JournalError) in
                    try rows.questionSet(QuestionSet.feedback, of: session)
                }
                #expect(read?.questions == Self.asked)
            }
            #expect(engine.decoded.decodedCount == first)
            var edited = Self.asked
            edited[3].title = "How much?"
            let saved = try await storage.perform(
                SetQuestions(
                    session: session, set: QuestionSet.feedback, questions: edited, expected: .any,
                    actor: host))
            #expect(saved.questions == edited)
            #expect(try await respond(21, session, storage).questions == edited)
            #expect(engine.decoded.decodedCount == 2 * first)
            await storage.close()
        }
    }

    @Test func `a rolled back edit and an older snapshot leave no wrong questions behind`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            let session = Session(
                id: .makeTimeless(), meetingID: .makeTimeless(), round: 1, startsAt: Self.start,
                endsAt: Self.start + .hours(1), joinCode: "ABC234")
            try rows.begin()
            try rows.insert(Meeting(id: session.meetingID, name: "M", createdAt: Self.start))
            try rows.insert(session)
            let before = QuestionSet(questions: Self.asked)
            try rows.save(before, of: session.id)
            try rows.commit()
            func stored() throws -> [Question]? {
                try rows.questionSet("feedback", of: session.id)?.questions
            }
            func seen() async throws -> [Question]? {
                try await engine.read { [id = session.id] rows throws(JournalError) in
                    try rows.questionSet("feedback", of: id)?.questions
                }
            }
            // The edit has the same number of questions, and the same version and length of each row.
            var after = before
            after.questions[0].title = "Why?"
            try rows.begin()
            try rows.savepoint()
            try rows.save(after, of: session.id)
            #expect(try stored() == after.questions)
            #expect(try await seen() == before.questions)
            #expect(try stored() == after.questions)
            try rows.rollBackToSavepoint()
            #expect(try stored() == before.questions)
            try rows.save(after, of: session.id)
            #expect(try stored() == after.questions)
            rows.rollBack()
            #expect(try stored() == before.questions)
            after.questions = Array(before.questions.reversed())
            try rows.begin()
            try rows.save(after, of: session.id)
            try rows.commit()
            #expect(try stored() == after.questions)
            #expect(try await seen() == after.questions)
            after.questions = []
            try rows.begin()
            try rows.save(after, of: session.id)
            try rows.commit()
            #expect(try stored() == [])
            #expect(try await seen() == [])
        }
    }

    @Test func `the stored sets have a limit, and a set that is in use stays`() {
        let decoded = DecodedQuestions()
        let body = [UInt8](repeating: 7, count: 1_000_000)
        func key(_ number: UInt64) -> DecodedQuestions.Key {
            DecodedQuestions.Key(session: SessionID(high: 0, low: number), set: "feedback")
        }
        var entry = DecodedQuestions.Entry()
        body.withUnsafeBytes { entry.append(Self.asked[0], of: $0) }
        for number in 1...100 {
            decoded.store(entry, key(UInt64(number)))
            #expect(decoded.entry(key(1)) != nil)
        }
        #expect((1...100).count { decoded.entry(key(UInt64($0))) != nil } <= 8)
        decoded.remove(key(1))
        #expect(decoded.entry(key(1)) == nil)
    }

    @Test func `a short tally is read as a decoder reads it`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            func read(_ text: String) throws -> TallyRecord? {
                let query = Query("read", "SELECT ?, '{\"answers\":0,\"counts\":[]}', '[]'")
                return try rows.connection.first(query, text) { row throws(JournalError) in
                    try row.tally(0)
                }
            }
            for (text, answers, counts) in [
                (#"{"answers":0,"counts":[]}"#, 0, []),
                (#"{"answers":12,"counts":[1,0,11]}"#, 12, [1, 0, 11]),
                (#"{"counts":[5],"answers":5}"#, 5, [5]), (#"{"answers":1, "counts":[ 1 ]}"#, 1, [1]),
                (#"{"answers":-1,"counts":[-1]}"#, -1, [-1]),
            ] {
                let tally = try #require(try read(text)).published
                #expect(tally.answers == answers && tally.counts == counts, "\(text)")
            }
            for text in [
                "", "{", #"{"answers":,"counts":[]}"#,
                #"{"answers":1,"counts":[1]}x"#, #"{"answers":1,"counts":[1]"#,
                #"{"answers":99999999999999999999,"counts":[]}"#,
            ] {
                #expect(throws: JournalError.self, "\(text)") { try read(text) }
            }
        }
    }
}
