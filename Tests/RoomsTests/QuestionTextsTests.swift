import Meetings
import Rooms
import Testing
import Wire

struct QuestionTextsTests {
    private let question = Question(
        id: QuestionID(high: 3, low: 9), title: "What?", kind: .shortAnswer(maxLength: 100))

    /// Returns the results of a shared set whose texts have these statuses.
    private func results(_ texts: [(String, TextStatus)]) -> SetResults {
        let set = QuestionSet(
            questions: [question], shared: true, anonymous: false, responses: texts.count,
            publishedResponses: texts.count)
        var count = TallyCount(for: question)
        for (text, _) in texts { count.add(.text(text), to: question) }
        let at = Stage.startsAt
        let visible = texts.filter { $0.1 == .visible }.map { TextAnswerBody(text: $0.0, at: at) }
        let all = texts.map { TextAnswerBody(text: $0.0, at: at, id: "id-\($0.0)", status: $0.1) }
        return SetResults(
            set: set, tallies: [TallyBody(question, in: set, count: count, latest: visible)],
            texts: [
                QuestionTexts(question: question.id, set: set.name, moderation: .before, texts: all)
            ])
    }

    private func sent(_ publications: [Publication], to view: View) -> String {
        publications.filter { $0.view == view }
            .map { String(decoding: WireJSON.bytes($0.frame), as: UTF8.self) }.joined()
    }

    @Test func `members see every text with its status, and others only the visible ones`() {
        var stage = Stage(sets: [results([("shown", .visible), ("held", .pending), ("rude", .hidden)])])
        for view in View.allCases {
            let snapshot = String(
                decoding: WireJSON.bytes(stage.room.snapshot(for: view, at: Stage.startsAt)), as: UTF8.self)
            #expect(snapshot.contains("shown"), "\(view)")
            for word in ["held", "rude", "moderated"] {
                #expect(snapshot.contains(word) == (view == .session), "\(view): \(word)")
            }
        }
        _ = stage.apply(results([("shown", .hidden), ("held", .visible), ("rude", .hidden)]))
        let frames = stage.flush(for: Set(View.allCases), at: .zero).publications
        for view in View.allCases {
            // The hidden text leaves, and the text that is visible now arrives, in the same flush.
            #expect(sent(frames, to: view).contains("held"), "\(view)")
            #expect(sent(frames, to: view).contains("shown") == (view == .session), "\(view)")
        }
    }

    @Test func `a frame has only the texts that changed, and a set that is deleted takes its texts along`()
        throws
    {
        var stage = Stage(sets: [results([("one", .visible), ("two", .pending), ("old", .visible)])])
        _ = stage.apply(results([("new", .pending), ("one", .visible), ("two", .hidden)]))
        let frames = stage.flush(for: [.session], at: .zero).publications
        let part = try #require(frames.compactMap(\.frame.moderated).first?.first)
        #expect(!part.complete && part.moderation == .before && part.questionId == question.id)
        #expect(part.items.compactMap(\.id) == ["id-new", "id-two"])
        #expect(part.items.compactMap(\.status) == [.pending, .hidden])
        #expect(part.removed == ["id-old"])
        // A returning member gets the present texts, whole.
        let missed = try #require(stage.room.catchUp(from: 0, view: .session, at: Stage.startsAt))
        #expect(missed.compactMap(\.frame.moderated).last?.first?.complete == true)
        _ = stage.apply(results([("new", .pending), ("one", .visible), ("two", .hidden)]))
        #expect(
            !sent(stage.flush(for: [.session], at: .seconds(1)).publications, to: .session)
                .contains("moderated"))
        _ = stage.removeSet(QuestionSet.feedback, at: .seconds(2))
        _ = stage.flush(for: [.session], at: .seconds(2))
        #expect(stage.room.snapshot(for: .session, at: Stage.startsAt).snapshot?.moderated == nil)
    }
}
