import Journal
import Meetings
import Testing

extension Stage {
    /// Creates a host, a running session, and `count` people who have checked in.
    fileprivate func crowd(_ count: Int) async throws -> (
        host: AccountID, session: SessionID, people: ArraySlice<Attendee>
    ) {
        let (host, session) = try await running()
        var people: [Attendee] = []
        for number in 1...count { people.append(try await arrive(number, in: session)) }
        return (host, session, people[...])
    }

    /// The next `count` people give a rating, and a text if `writing` is true.
    fileprivate func answer(_ count: Int, of people: inout ArraySlice<Attendee>, writing: Bool = false)
        async throws
    {
        for person in people.prefix(count) {
            try await respond(
                person, [stars.id: .rating(2)].merging(writing ? [words.id: .text("Words")] : [:]) { $1 })
        }
        people = people.dropFirst(count)
    }

    fileprivate func close(_ session: SessionID, by host: AccountID) async throws {
        try await settings(session, by: host, open: false)
        try await storage.seal(QuestionSet.feedback, of: session)
    }

    fileprivate func endWindow(of session: SessionID) async throws {
        now = try #require(try await record(session)).session.feedbackClosesAt + millisecond
        try await storage.seal(QuestionSet.feedback, of: session)
    }

    fileprivate func setHours(_ hours: Int, of session: SessionID, by host: AccountID) async throws {
        try await perform(
            EditSession(id: session, settings: .init(feedbackClosesHoursAfter: hours), actor: host))
    }

    /// Returns the number of responses that results show, and the number of answers to the text question.
    fileprivate func shown(in session: SessionID) async throws -> [Int] {
        try await expectRecount(session)
        let published = try await published(of: session).count
        return [published, try await tallies(of: session)[words.id]?.published.answers ?? 0]
    }
}

extension CommandRule {
    static let secondRounds: [CommandRule] = [
        CommandRule(
            "after the window's end, closing again publishes no single new answer, only whole groups"
        ) { stage in
            let (host, session, found) = try await stage.crowd(10)
            var people = found
            // Six responses are two whole groups: none is held back, and the results are final.
            try await stage.answer(6, of: &people)
            try await stage.endWindow(of: session)
            for _ in 1...2 {
                try await stage.settings(session, by: host, open: true)
                try await stage.answer(1, of: &people)
                try await stage.close(session, by: host)
                #expect(try await stage.shown(in: session) == [6, 0])
                #expect(try await stage.toSeal(at: stage.now).isEmpty)
            }
            try await stage.settings(session, by: host, open: true)
            try await stage.answer(2, of: &people)
            try await stage.close(session, by: host)
            #expect(try await stage.shown(in: session) == [9, 0])
        },
        CommandRule("the rest of a question is published once, even if the set's own groups are whole") {
            stage in
            let (host, session, found) = try await stage.crowd(10)
            var people = found
            try await stage.answer(4, of: &people, writing: true)
            try await stage.answer(2, of: &people)
            #expect(try await stage.shown(in: session) == [6, 3])
            try await stage.endWindow(of: session)
            #expect(try await stage.shown(in: session) == [6, 4])
            try await stage.settings(session, by: host, open: true)
            try await stage.answer(1, of: &people, writing: true)
            try await stage.close(session, by: host)
            #expect(try await stage.shown(in: session) == [6, 4])
        },
        CommandRule("a set sealed by hand within its window counts as published when the window ends") {
            stage in
            let (host, session, found) = try await stage.crowd(7)
            var people = found
            try await stage.answer(6, of: &people)
            try await stage.close(session, by: host)
            stage.now = at(25 * 60) + millisecond
            #expect(try await stage.toSeal(at: stage.now).isEmpty)
            try await stage.settings(session, by: host, open: true)
            try await stage.answer(1, of: &people)
            try await stage.close(session, by: host)
            #expect(try await stage.shown(in: session) == [6, 0])
        },
        CommandRule(
            "a window that an edit opens again publishes only whole groups at its second end"
        ) { stage in
            let (host, session, found) = try await stage.crowd(10)
            var people = found
            try await stage.answer(6, of: &people)
            // The server has not sealed the set when the host moves the window.
            try await stage.setHours(0, of: session, by: host)
            stage.now = at(60) + millisecond
            try await stage.setHours(24, of: session, by: host)
            try await stage.answer(1, of: &people)
            try await stage.endWindow(of: session)
            #expect(try await stage.shown(in: session) == [6, 0])
        },
        CommandRule(
            "a moved window publishes nothing early, and a shorter window publishes the rest at its end"
        ) {
            stage in
            let (host, session, found) = try await stage.crowd(10)
            var people = found
            try await stage.answer(4, of: &people)
            try await stage.setHours(2, of: session, by: host)
            try await stage.setHours(1, of: session, by: host)
            _ = try await stage.edit(session, by: host, to: 90)
            #expect(try await stage.shown(in: session) == [3, 0])
            try await stage.answer(4, of: &people)
            #expect(try await stage.shown(in: session) == [6, 0])
            try await stage.endWindow(of: session)
            #expect(try await stage.shown(in: session) == [8, 0])
        },
        CommandRule("a set kept open by hand after its window publishes its rest when it closes") { stage in
            let (host, session, found) = try await stage.crowd(7)
            var people = found
            try await stage.answer(6, of: &people)
            try await stage.settings(session, by: host, open: true)
            try await stage.endWindow(of: session)
            try await stage.answer(1, of: &people)
            try await stage.close(session, by: host)
            #expect(try await stage.shown(in: session) == [7, 0])
        },
        CommandRule(
            "a second round publishes first-round answers that were too few, once they form a group"
        ) { stage in
            let (host, session, found) = try await stage.crowd(10)
            var people = found
            try await stage.answer(2, of: &people, writing: true)
            try await stage.endWindow(of: session)
            #expect(try await stage.shown(in: session) == [0, 0])
            #expect(try await stage.toSeal(at: stage.now).isEmpty)
            try await stage.settings(session, by: host, open: true)
            try await stage.answer(2, of: &people)
            #expect(try await stage.shown(in: session) == [3, 0])
            try await stage.close(session, by: host)
            #expect(try await stage.shown(in: session) == [4, 0])
            try await stage.settings(session, by: host, open: true)
            try await stage.answer(3, of: &people, writing: true)
            #expect(try await stage.shown(in: session) == [7, 5])
        },
        CommandRule(
            "a group is published with its last answer's hour, which tells none of the three apart"
        ) { stage in
            let (_, session, found) = try await stage.crowd(4)
            var people = found
            try await stage.answer(1, of: &people)
            stage.now = at(20 + 60)
            try await stage.answer(1, of: &people)
            stage.now = at(20 + 3 * 60)
            try await stage.answer(1, of: &people)
            #expect(
                try await stage.published(of: session).map(\.at)
                    == Array(repeating: stage.now.startOfHour, count: 3))
            // The held-back response gets the hour of its publication.
            try await stage.answer(1, of: &people)
            try await stage.endWindow(of: session)
            #expect(try await stage.published(of: session).first?.at == stage.now.startOfHour)
        },
    ]
}
