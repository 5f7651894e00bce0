import Meetings
import Rooms
import Testing
import Wire

struct AudienceBoardTests {
    private func question(
        _ number: Int, _ text: String, _ status: AudienceQuestion.Status = .visible, votes: Int = 0,
        promise: AudienceQuestion.Promise = .named
    ) -> AudienceQuestionBody {
        let attendee = Attendee(
            id: AttendeeID(high: 7, low: UInt64(number)), sessionID: SessionID(high: 1, low: 2),
            name: "Asker \(number)", identity: "a\(number)@example.org", status: .present,
            checkedInAt: Stage.startsAt, method: .qr, arrivalSequence: 1)
        return AudienceQuestionBody(
            forMembers: AudienceQuestion(
                id: AudienceQuestionID(high: 9, low: UInt64(number)), sessionID: SessionID(high: 1, low: 2),
                attendeeID: attendee.id, promise: promise, askedAt: Stage.startsAt + .seconds(number),
                text: text, status: status, votes: votes),
            by: attendee)
    }

    private func board(_ questions: [AudienceQuestionBody], open: Bool = true) -> AudienceBoard {
        AudienceBoard(
            settings: AudienceSettings(open: open, asked: questions.count, version: 1),
            counts: Dictionary(grouping: questions, by: \.status).mapValues(\.count),
            questions: questions.sorted { $0.rank < $1.rank })
    }

    private func text(_ frame: RoomFrame) -> String {
        String(decoding: WireJSON.bytes(frame), as: UTF8.self)
    }

    @Test func `the hall and attendees see visible questions alone, and no names`() throws {
        var stage = Stage()
        let questions = [
            question(1, "shown"), question(2, "held", .pending), question(3, "secret", .hidden),
            question(4, "done", .answered), question(5, "quiet", promise: .hidden),
        ]
        _ = stage.apply(board(questions))
        let frames = stage.flush(for: Set(View.allCases), at: .zero)
        for publication in frames.publications {
            let sent = text(publication.frame)
            for word in ["shown", "done", "quiet"] { #expect(sent.contains(word), "\(publication.view)") }
            for word in ["held", "secret", "Asker 1"] {
                #expect(sent.contains(word) == (publication.view == .session), "\(publication.view): \(word)")
            }
            #expect(!sent.contains("Asker 5"))
        }
        #expect(frames.publications.count == 3)
        let snapshot = text(stage.room.snapshot(for: .audience, at: Stage.startsAt))
        #expect(snapshot.contains("shown") && !snapshot.contains("held"))
    }

    @Test func `a vote sends one number, and a hidden question leaves the hall at the next flush`() throws {
        var stage = Stage()
        _ = stage.apply(board([question(1, "first"), question(2, "second")]))
        _ = stage.flush(for: [.presenter], at: .zero)
        _ = stage.apply(board([question(1, "first", votes: 3), question(2, "second")]))
        var sent = stage.flush(for: [.presenter], at: .seconds(1))
        var frame = try #require(sent.publications.first?.frame.audienceQuestions)
        #expect((frame.items, frame.removed, frame.complete) == ([], [], false))
        #expect(frame.votes.map(\.votes) == [3])
        _ = stage.apply(board([question(1, "first", .hidden, votes: 3), question(2, "second")]))
        sent = stage.flush(for: [.presenter, .session], at: .seconds(2))
        frame = try #require(
            sent.publications.first { $0.view == .presenter }?.frame.audienceQuestions)
        #expect(frame.removed == [AudienceQuestionID(high: 9, low: 1)])
        #expect((frame.items, frame.shown) == ([], 1))
        frame = try #require(sent.publications.first { $0.view == .session }?.frame.audienceQuestions)
        #expect((frame.items.map(\.status), frame.removed, frame.hidden) == ([.hidden], [], 1))
    }

    @Test func `a change that a view does not see makes no frame for it`() {
        var stage = Stage()
        _ = stage.apply(board([question(1, "first")]))
        _ = stage.flush(for: Set(View.allCases), at: .zero)
        _ = stage.apply(board([question(1, "first"), question(2, "held", .pending)]))
        let sent = stage.flush(for: Set(View.allCases), at: .seconds(1))
        #expect(sent.publications.map(\.view) == [.session])
    }

    @Test func `a session that never used questions sends none of them`() {
        let stage = Stage()
        #expect(!text(stage.room.snapshot(for: .session, at: Stage.startsAt)).contains("audienceQuestions"))
    }

    @Test func `a frame has at most twenty questions of a status, and counts all of them`() throws {
        var stage = Stage()
        let questions = (1...30).map { question($0, "Question \($0)", votes: $0) }
        _ = stage.apply(
            AudienceBoard(
                settings: AudienceSettings(open: true, asked: 30, version: 1), counts: [.visible: 30],
                questions: questions.sorted { $0.rank < $1.rank }))
        let sent = stage.flush(for: [.audience], at: .zero)
        let frame = try #require(sent.publications.first?.frame.audienceQuestions)
        #expect((frame.items.count, frame.shown) == (AudienceQuestionsFrame.mostItems, 30))
        #expect(frame.items.first?.votes == 30)
    }
}
