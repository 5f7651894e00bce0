import Journal
import Meetings
import Testing

extension Stage {
    /// Each person in `numbers` gives a rating. The people in `writing` also give a text.
    fileprivate func answer(_ numbers: ClosedRange<Int>, writing: Set<Int>, in session: SessionID)
        async throws
    {
        for number in numbers {
            var answers: Answers = [stars.id: .rating(3)]
            if writing.contains(number) { answers[words.id] = .text("Text \(number)") }
            try await respond(try await arrive(number, in: session), answers)
            try await expectRecount(session)
        }
    }

    /// Returns the texts that results show.
    fileprivate func texts(in session: SessionID) async throws -> Set<String> {
        let set = try #require(try await set(of: session))
        let tallies = try await tallies(of: session)
        return Set(
            try await published(of: session).compactMap {
                set.shownAnswers(of: $0, by: tallies)[words.id]?.shownText
            })
    }
}

extension CommandRule {
    static let smallGroups: [CommandRule] = [
        CommandRule("an answer waits for two more answers to its question, even if its response is published")
        { stage in
            let (_, session) = try await stage.running()
            try await stage.answer(1...9, writing: [1, 5], in: session)
            var tally = try #require(try await stage.tallies(of: session)[words.id])
            #expect((tally.published.answers, tally.pending.answers, tally.waiting.count) == (0, 2, 2))
            #expect(try await stage.published(of: session).count == 9)
            #expect(try await stage.texts(in: session).isEmpty)
            // The third text waits until its group of three responses is published.
            try await stage.answer(10...11, writing: [10], in: session)
            #expect(try await stage.texts(in: session).isEmpty)
            try await stage.answer(12...12, writing: [], in: session)
            tally = try #require(try await stage.tallies(of: session)[words.id])
            #expect((tally.published.answers, tally.pending.answers, tally.waiting) == (3, 0, []))
            #expect(try await stage.texts(in: session) == ["Text 1", "Text 5", "Text 10"])
        },
        CommandRule("a question's answers are published at least three at a time, whoever leaves it out") {
            stage in
            let (_, session) = try await stage.running()
            var before = 0
            for number in 1...40 {
                try await stage.answer(
                    number...number, writing: Set([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]), in: session)
                let shown = try await stage.tallies(of: session)[words.id]?.published.answers ?? 0
                #expect(shown == before || shown >= before + QuestionSet.smallestGroup)
                #expect(try await stage.texts(in: session).count == shown)
                before = shown
            }
            #expect(before == 12)
        },
        CommandRule(
            "held-back answers are published once when the window ends, unless they are too few"
        ) { stage in
            let (host, session) = try await stage.running()
            try await stage.answer(1...6, writing: [1, 2, 3, 4], in: session)
            #expect(try await stage.tallies(of: session)[words.id]?.published.answers == 3)
            try await stage.settings(session, by: host, open: false)
            try await stage.storage.seal(QuestionSet.feedback, of: session)
            #expect(try await stage.texts(in: session).count == 3)
            // The set is not due for sealing before its window ends, even if the server checks often.
            #expect(try await stage.toSeal(at: stage.now).isEmpty)
            stage.now = at(25 * 60) + millisecond
            #expect(try await stage.toSeal(at: stage.now) == ["feedback"])
            try await stage.storage.seal(QuestionSet.feedback, of: session)
            #expect(try await stage.tallies(of: session)[words.id]?.waiting == [])
            #expect(try await stage.texts(in: session) == ["Text 1", "Text 2", "Text 3", "Text 4"])
            #expect(try await stage.toSeal(at: stage.now).isEmpty)
            try await stage.expectRecount(session)
        },
        CommandRule("one or two answers to a question are never published, even when the window ends") {
            stage in
            let (_, session) = try await stage.running()
            try await stage.answer(1...4, writing: [1, 4], in: session)
            stage.now = at(25 * 60) + millisecond
            try await stage.storage.seal(QuestionSet.feedback, of: session)
            let set = try #require(try await stage.set(of: session))
            let tally = try #require(try await stage.tallies(of: session)[words.id])
            #expect((set.publishedResponses, tally.published.answers, tally.waiting.count) == (4, 0, 2))
            #expect(try await stage.texts(in: session).isEmpty)
            #expect(try await stage.toSeal(at: stage.now).isEmpty)
        },
        CommandRule("named answers are published at once") { stage in
            let (_, session) = try await stage.running(anonymous: false)
            try await stage.answer(1...2, writing: [1], in: session)
            let expected = TallyRecord(published: TallyCount(one: words), pending: TallyCount(for: words))
            #expect(try await stage.tallies(of: session)[words.id] == expected)
            #expect(try await stage.texts(in: session) == ["Text 1"])
        },
    ]
}

extension TallyCount {
    /// Counts one answer to a text question.
    fileprivate init(one question: Question) {
        self.init(for: question)
        add(.text("…"), to: question)
    }
}
