import Journal
import Meetings
import Testing

extension Stage {
    /// Creates host 1's session. Its feedback opens at minute 0, and it has an anonymous poll, which opens
    /// only by hand.
    fileprivate func upcoming() async throws -> (host: AccountID, session: SessionID) {
        let poll = Question(id: .makeTimeless(), title: "Yes?", kind: .rating(scale: 2))
        let (host, record) = try await planned(sets: [
            QuestionSet(questions: questions), QuestionSet(name: "poll", questions: [poll]),
        ])
        return (host, record.session.id)
    }

    @discardableResult
    fileprivate func change(
        _ set: String = QuestionSet.feedback, of session: SessionID, by host: AccountID,
        anonymous: Bool? = nil, open: Bool? = nil
    ) async throws -> QuestionSet {
        try await perform(
            EditQuestionSet(
                session: session, set: set, .init(open: open, promise: ChosenPromise(anonymous: anonymous)),
                actor: host))
    }

    /// Expects that each way in which a host can write a set is refused, and that nothing has changed
    /// afterwards.
    fileprivate func expectFixed(
        _ set: String = QuestionSet.feedback, of session: SessionID, by host: AccountID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try #require(try await self.set(set, of: session), sourceLocation: sourceLocation)
        let other = try await meeting(
            of: host, sets: [QuestionSet(name: "source", questions: [], anonymous: !before.anonymous)],
            allowOverlap: true)
        await expectRefused(.anonymityFixed, sourceLocation: sourceLocation) {
            try await change(set, of: session, by: host, anonymous: !before.anonymous)
        }
        await expectRefused(.anonymityFixed, sourceLocation: sourceLocation) {
            try await perform(
                SetQuestions(
                    session: session, set: set, questions: [],
                    promise: ChosenPromise(anonymous: !before.anonymous), expected: .any,
                    actor: host))
        }
        await expectRefused(.anonymityFixed, sourceLocation: sourceLocation) {
            try await perform(
                ImportQuestions(
                    session: session, set: set,
                    imported: .init(
                        questions: before.questions, promise: ChosenPromise(anonymous: !before.anonymous)),
                    actor: host))
        }
        await expectRefused(.anonymityFixed, sourceLocation: sourceLocation) {
            try await perform(
                CopyQuestions(
                    session: session, from: other.session.id, set: "source", copyName: set, actor: host))
        }
        #expect(try await self.set(set, of: session) == before, sourceLocation: sourceLocation)
    }
}

extension CommandRule {
    static let promises: [CommandRule] = [
        CommandRule(
            "a host may change whether feedback is anonymous only until the clock opens it"
        ) { stage in
            let (host, session) = try await stage.upcoming()
            stage.now = at(0) - millisecond
            #expect(try await stage.change(of: session, by: host, anonymous: false).anonymous == false)
            #expect(try await stage.change(of: session, by: host, anonymous: true).anonymous)
            stage.now = at(0)
            try await stage.expectFixed(of: session, by: host)
            // The choice also stays fixed long after feedback has closed.
            stage.now = at(99 * 60)
            try await stage.expectFixed(of: session, by: host)
        },
        CommandRule("a set that a host has opened keeps its anonymity, even if it is closed or emptied") {
            stage in
            let (host, session) = try await stage.upcoming()
            // The edit that opens the poll may still change whether it is anonymous.
            #expect(
                try await stage.change("poll", of: session, by: host, anonymous: false, open: true).anonymous
                    == false)
            try await stage.expectFixed("poll", of: session, by: host)
            try await stage.change("poll", of: session, by: host, open: false)
            try await stage.expectFixed("poll", of: session, by: host)
            try await stage.perform(
                SetQuestions(session: session, set: "poll", questions: [], expected: .any, actor: host))
            try await stage.expectFixed("poll", of: session, by: host)
        },
        CommandRule("a set without questions does not fix its anonymity") { stage in
            let (host, session) = try await stage.running()
            try await stage.perform(
                SetQuestions(session: session, set: "poll", questions: [], expected: .any, actor: host))
            try await stage.change("poll", of: session, by: host, open: true)
            #expect(
                try await stage.change("poll", of: session, by: host, anonymous: false).anonymous == false)
        },
        CommandRule("a set that was open keeps its anonymity if the windows move") { stage in
            let (host, session) = try await stage.upcoming()
            stage.now = at(10)
            let edit = try await stage.edit(session, by: host, from: 30, to: 90)
            #expect(try await stage.set(of: session)?.isOpen(in: edit.record.session, at: stage.now) == false)
            try await stage.expectFixed(of: session, by: host)
            // The move does not fix the poll, because the poll has never been open.
            #expect(
                try await stage.change("poll", of: session, by: host, anonymous: false).anonymous == false)
        },
        CommandRule(
            "showing a set fixes its anonymity without an event, and returns the sets that exist"
        ) { stage in
            let (host, session) = try await stage.upcoming()
            let (sequence, version) = (
                try await stage.record(session)?.sequence, try await stage.set("poll", of: session)?.version
            )
            let shown = try await stage.perform(ShowQuestionSets(session: session, sets: ["poll", "none"]))
            #expect(shown == [try await stage.set("poll", of: session)])
            #expect((try await stage.record(session)?.sequence, shown.first?.version) == (sequence, version))
            try await stage.expectFixed("poll", of: session, by: host)
            #expect(try await stage.record(session)?.feedback.anonymityIsFixed == false)
            try await stage.perform(ShowQuestionSets(session: session, sets: [QuestionSet.feedback]))
            #expect(try await stage.record(session)?.feedback.anonymityIsFixed == true)
        },
        CommandRule("if a host changes a set before a page shows it, the page shows the change") { stage in
            let (host, session) = try await stage.upcoming()
            let results = try await stage.together(
                { try await [stage.change("poll", of: session, by: host, anonymous: false)] },
                { try await stage.perform(ShowQuestionSets(session: session, sets: ["poll"])) })
            #expect(try results.map { try $0.get().map(\.anonymous) } == [[false], [false]])
        },
        CommandRule("an answer is refused if the client was shown another anonymity, and nothing is stored") {
            stage in
            for anonymous in [true, false] {
                let host = try await stage.account(anonymous ? 1 : 2).id
                let asked = Question(id: .makeTimeless(), title: "How?", kind: .rating(scale: 5))
                let session = try await stage.meeting(
                    of: host, sets: [QuestionSet(questions: [asked], anonymous: anonymous)]
                ).session.id
                stage.now = at(20)
                let attendee = try await stage.arrive(1, in: session)
                func respond(told: Bool?) async throws {
                    try await stage.perform(
                        Respond(
                            receipt: Receipt(for: attendee), session: session, set: QuestionSet.feedback,
                            answers: [asked.id: .rating(4)],
                            shown: ShownPromise(anonymous: told)))
                }
                await expectRefused(.anonymityChanged(anonymous ? .anonymous : .named)) {
                    try await respond(told: !anonymous)
                }
                #expect(try await stage.set(of: session)?.responses == 0)
                #expect(try await stage.events(of: session).count == 2)
                try await respond(told: anonymous)
                await expectRefused(.alreadyResponded) { try await respond(told: !anonymous) }
            }
        },
        CommandRule("the next session copies the anonymity, which a host may change until feedback opens") {
            stage in
            let (host, session) = try await stage.running()
            let meeting = try #require(try await stage.record(session)).meeting.id
            let next = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(100), endsAt: at(160), actor: host))
            #expect(try await stage.set(of: next.session.id)?.anonymous == true)
            #expect(
                try await stage.change(of: next.session.id, by: host, anonymous: false).anonymous == false)
            let named = try await stage.perform(
                ContinueMeeting(
                    meeting: meeting, startsAt: at(200), endsAt: at(260), anonymous: true, actor: host))
            #expect(try await stage.set(of: named.session.id)?.anonymous == true)
        },
    ]
}
