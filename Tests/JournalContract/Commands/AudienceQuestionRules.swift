import Journal
import Meetings
import Testing

extension CommandRule {
    static let audienceQuestions: [CommandRule] = [
        CommandRule("attendees ask and vote only while a host has opened the questions") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            await expectRefused(.audienceQuestionsClosed) { try await stage.ask("Why?", by: person) }
            try await stage.openQuestions(of: session, by: host)
            let question = try await stage.ask("Why?", by: person)
            #expect(
                (question.status, question.promise, question.attendeeID) == (.visible, .hidden, person.id))
            try await stage.vote(for: question, by: person)
            try await stage.perform(EditAudienceSettings(session: session, open: false, actor: host))
            await expectRefused(.audienceQuestionsClosed) { try await stage.ask("How?", by: person) }
            await expectRefused(.audienceQuestionsClosed) {
                try await stage.vote(for: question, by: person, votes: false)
            }
            try await stage.perform(EditAudienceSettings(session: session, open: true, actor: host))
            stage.now = record.session.feedbackClosesAt + millisecond
            await expectRefused(.audienceQuestionsClosed) { try await stage.ask("How?", by: person) }
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.perform(EditAudienceSettings(session: session, open: true, actor: stranger))
            }
        },
        CommandRule("a vote counts once, a removed vote not at all, and repeats record no event") { stage in
            let (session, _, question, voters) = try await stage.questioned()
            for voter in voters + voters { try await stage.vote(for: question, by: voter) }
            #expect(try await stage.question(question.id)?.votes == 3)
            try await stage.vote(for: question, by: voters[0], votes: false)
            try await stage.vote(for: question, by: voters[0], votes: false)
            #expect(try await stage.question(question.id)?.votes == 2)
            let kinds = try await stage.events(of: session).map(\.kind)
            #expect(kinds.filter { $0 == .voted }.count == 3)
            #expect(kinds.filter { $0 == .voteRemoved }.count == 1)
            try await stage.expectWhole(session)
        },
        CommandRule("an attendee can remove at most a hundred votes, and each kept vote counts") { stage in
            let (session, _, question, voters) = try await stage.questioned()
            for _ in 0..<AudienceQuestion.mostRemovedVotes {
                try await stage.vote(for: question, by: voters[0])
                try await stage.vote(for: question, by: voters[0], votes: false)
            }
            try await stage.vote(for: question, by: voters[0])
            let limit = AudienceQuestion.mostRemovedVotes
            await expectRefused(.limitReached(.removedVote, limit: limit)) {
                try await stage.vote(for: question, by: voters[0], votes: false)
            }
            #expect(try await stage.question(question.id)?.votes == 1)
            try await stage.expectWhole(session)
        },
        CommandRule("events name no attendee for votes and for questions without a name") { stage in
            let (session, host, question, voters) = try await stage.questioned()
            try await stage.vote(for: question, by: voters[0])
            try await stage.perform(EditAudienceSettings(session: session, promise: .named, actor: host))
            let named = try await stage.ask("Who?", by: voters[1])
            let events = try await stage.events(of: session)
            #expect(events.filter { $0.kind == .voted }.map(\.attendeeID) == [nil])
            #expect(
                events.filter { $0.kind == .asked }.map { [$0.attendeeID?.text, $0.data.question?.text] } == [
                    [nil, question.id.text], [voters[1].id.text, named.id.text],
                ])
            #expect(try await stage.question(question.id)?.promise == .hidden)
            let last = try #require(stage.announced.last(session))
            #expect(last.hasNewQuestions)
        },
        CommandRule("a question is refused if the form showed another promise") { stage in
            let (session, host, _, voters) = try await stage.questioned()
            try await stage.perform(EditAudienceSettings(session: session, promise: .named, actor: host))
            await expectRefused(.audiencePromiseChanged(.named)) {
                try await stage.ask("Why?", by: voters[0], promise: .hidden)
            }
            #expect(try await stage.ask("Why?", by: voters[0], promise: .named).promise == .named)
        },
        CommandRule("moderation and the meeting's words hold questions back") { stage in
            let (session, host, _, voters) = try await stage.questioned()
            let record = try #require(try await stage.record(session))
            try await stage.perform(
                EditHeldWords(meeting: record.meeting.id, words: ["Spam", "바보"], actor: host))
            #expect(try await stage.ask("Is this ＳＰＡＭ?", by: voters[0]).status == .pending)
            #expect(try await stage.ask("바보입니까", by: voters[0]).status == .pending)
            #expect(try await stage.ask("Spammers, how many?", by: voters[0]).status == .visible)
            try await stage.perform(
                EditAudienceSettings(session: session, moderation: .before, actor: host))
            let held = try await stage.ask("Why?", by: voters[0])
            #expect(held.status == .pending)
            await expectRefused(.notFound(.audienceQuestion)) {
                try await stage.vote(for: held, by: voters[1])
            }
            let shown = try await stage.perform(
                ModerateQuestion(session: session, question: held.id, status: .visible, actor: host))
            #expect((shown.status, shown.version) == (.visible, 2))
            try await stage.vote(for: held, by: voters[1])
        },
        CommandRule("a form that is sent twice asks once") { stage in
            let (session, _, question, voters) = try await stage.questioned()
            let id = AudienceQuestionID.makeTimeless()
            for _ in 0..<2 {
                let asked = try await stage.perform(
                    AskQuestion(
                        session: session, asker: .attendee(Receipt(for: voters[0])), text: "Once?", id: id))
                #expect(asked.id == id)
            }
            // The id of another attendee's question makes a new question.
            let other = try await stage.perform(
                AskQuestion(
                    session: session, asker: .attendee(Receipt(for: voters[0])), text: "Mine", id: question.id
                ))
            #expect(other.id != question.id)
            #expect(try await stage.events(of: session).filter { $0.kind == .asked }.count == 3)
        },
        CommandRule("an attendee asks at most ten questions") { stage in
            let (session, _, _, voters) = try await stage.questioned()
            for number in 1...AudienceQuestion.mostEach {
                try await stage.ask("Question \(number)", by: voters[0])
            }
            await expectRefused(.limitReached(.audienceQuestion, limit: AudienceQuestion.mostEach)) {
                try await stage.ask("One more", by: voters[0])
            }
            try await stage.expectWhole(session)
        },
        CommandRule("a host's changes of a question can be undone, and the undo too") { stage in
            let (session, host, question, _) = try await stage.questioned()
            try await stage.perform(
                ModerateQuestion(
                    session: session, question: question.id, status: .answered, pinned: true,
                    answer: "Because.", actor: host))
            let change = try await stage.last(in: session)
            #expect(
                try await stage.events(of: session).last?.data.changes == [
                    FieldChange("status", from: "visible", to: "answered"),
                    FieldChange("pinned", from: "false", to: "true"),
                ])
            let undone = try await stage.undo(change, in: session, by: host)
            var found = try #require(try await stage.question(question.id))
            #expect((found.status, found.pinned, found.answer) == (.visible, false, ""))
            await expectRefused(.changedSince) { try await stage.undo(change, in: session, by: host) }
            try await stage.undo(undone.event.sequence, in: session, by: host)
            found = try #require(try await stage.question(question.id))
            #expect((found.status, found.pinned, found.answer) == (.answered, true, "Because."))
            await expectRefused(.versionMismatch(current: 4)) {
                try await stage.perform(
                    ModerateQuestion(
                        session: session, question: question.id, status: .hidden, expected: .version(3),
                        actor: host))
            }
        },
        CommandRule("a merge unites the votes, each attendee once, and an undo separates them") { stage in
            let (session, host, first, voters) = try await stage.questioned()
            let second = try await stage.ask("Why, please?", by: voters[1])
            let third = try await stage.ask("Why, why?", by: voters[2])
            try await stage.vote(for: first, by: voters[0])
            try await stage.vote(for: second, by: voters[0])
            try await stage.vote(for: second, by: voters[1])
            try await stage.vote(for: third, by: voters[1])
            try await stage.vote(for: third, by: voters[2])
            try await stage.merge(second, into: first, by: host)
            #expect(try await stage.question(first.id)?.votes == 2)
            let merge = try await stage.last(in: session)
            try await stage.merge(third, into: first, by: host)
            #expect(try await stage.question(first.id)?.votes == 3)
            // A vote for a merged question counts for the question that absorbed it, once.
            try await stage.vote(for: third, by: voters[0])
            #expect(try await stage.question(first.id)?.votes == 3)
            #expect(try await stage.listed(in: session) == [first.id])
            await expectRefused(.alreadyMerged) {
                try await stage.perform(
                    ModerateQuestion(
                        session: session, question: second.id, status: .hidden, actor: host))
            }
            try await stage.undo(merge, in: session, by: host)
            let votes = (
                try await stage.question(first.id)?.votes, try await stage.question(second.id)?.votes
            )
            #expect(votes == (3, 2))
            try await stage.vote(for: first, by: voters[1], votes: false)
            #expect(try await stage.question(first.id)?.votes == 2)
            #expect(try await stage.question(third.id)?.votes == 1)
            await expectRefused(.invalid([FieldError("/into", .unknownQuestion)])) {
                try await stage.merge(first, into: first, by: host)
            }
        },
        CommandRule("a withdrawal erases the attendee's questions and votes") { stage in
            let (session, _, question, voters) = try await stage.questioned()
            let own = try await stage.ask("Mine?", by: voters[0])
            try await stage.vote(for: question, by: voters[0])
            try await stage.vote(for: own, by: voters[1])
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: voters[0])))
            #expect(try await stage.question(question.id)?.votes == 0)
            let erased = try #require(try await stage.question(own.id))
            #expect((erased.text, erased.status, erased.attendeeID) == ("", .withdrawn, nil))
            #expect(try await stage.listed(in: session) == [question.id])
            await expectRefused(.notFound(.audienceQuestion)) {
                try await stage.vote(for: own, by: voters[1])
            }
            // A new check-in of the same person can vote again, and counts once.
            let again = try await stage.arrive(1, in: session)
            try await stage.vote(for: question, by: again)
            #expect(try await stage.question(question.id)?.votes == 1)
        },
        CommandRule("the oldest merged question takes the place of a withdrawn one, with its votes") {
            stage in
            let (session, host, first, voters) = try await stage.questioned()
            let id = try #require(try await stage.question(first.id)?.attendeeID)
            let asker = try #require(try await stage.attendee(id))
            stage.now = at(2)
            let second = try await stage.ask("Why, please?", by: voters[1])
            try await stage.vote(for: first, by: voters[0])
            try await stage.vote(for: second, by: voters[2])
            try await stage.merge(second, into: first, by: host)
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: asker)))
            let heir = try #require(try await stage.question(first.id))
            #expect(
                (heir.text, heir.attendeeID, heir.votes, heir.status) == (
                    "Why, please?", voters[1].id, 2, .visible
                ))
            #expect(try await stage.question(second.id)?.text.isEmpty == true)
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: voters[1])))
            #expect(try await stage.listed(in: session).isEmpty)
        },
        CommandRule("lists have pinned questions first, then by votes, then the oldest, in pages") { stage in
            let (session, host, first, voters) = try await stage.questioned()
            var all = [first]
            for minute in 2...6 {
                stage.now = at(minute)
                all.append(try await stage.ask("Question \(minute)", by: voters[0]))
            }
            for voter in voters { try await stage.vote(for: all[3], by: voter) }
            try await stage.vote(for: all[2], by: voters[0])
            try await stage.vote(for: all[4], by: voters[0])
            try await stage.perform(
                ModerateQuestion(session: session, question: all[5].id, pinned: true, actor: host))
            try await stage.perform(
                ModerateQuestion(session: session, question: all[4].id, status: .answered, actor: host))
            let expected = [5, 3, 2, 4, 0, 1].map { all[$0].id }
            #expect(try await stage.listed(in: session) == expected)
            var paged: [AudienceQuestionID] = []
            var cursor: AudienceQuestion.Rank?
            while true {
                let (position, shown) = (cursor, AudienceQuestion.Status.shown)
                let page = try await stage.storage.read { rows throws(JournalError) in
                    try rows.audienceQuestions(of: session, statuses: shown, after: position, limit: 2)
                }
                paged += page.map(\.id)
                guard page.count == 2 else { break }
                cursor = page.last?.rank
            }
            #expect(paged == expected)
            let newest = try await stage.storage.read { rows throws(JournalError) in
                try rows.newestAudienceQuestions(
                    of: session, statuses: AudienceQuestion.Status.shown, limit: 4)
            }
            #expect(newest.map(\.id) == [5, 4, 3, 2].map { all[$0].id })
            let counts = try await stage.storage.read { rows throws(JournalError) in
                try rows.audienceCounts(of: session)
            }
            #expect(counts == [.visible: 5, .answered: 1])
        },
    ]
}

extension Stage {
    func openQuestions(of session: SessionID, by host: AccountID) async throws {
        try await perform(EditAudienceSettings(session: session, open: true, actor: host))
    }

    /// Creates a session with open questions, one question of person 9, and the attendees 1 to 3.
    func questioned() async throws -> (
        session: SessionID, host: AccountID, question: AudienceQuestion, voters: [Attendee]
    ) {
        let (host, record) = try await planned()
        let session = record.session.id
        now = at(0)
        let asker = try await arrive(9, in: session)
        var voters: [Attendee] = []
        for number in 1...3 { voters.append(try await arrive(number, in: session)) }
        try await openQuestions(of: session, by: host)
        return (session, host, try await ask("Why?", by: asker), voters)
    }

    @discardableResult
    func ask(_ text: String, by person: Attendee, promise: AudienceQuestion.Promise? = nil) async throws
        -> AudienceQuestion
    {
        try await perform(
            AskQuestion(
                session: person.sessionID, asker: .attendee(Receipt(for: person)), text: text,
                promise: promise))
    }

    func vote(for question: AudienceQuestion, by person: Attendee, votes: Bool = true) async throws {
        _ = try await perform(
            VoteForQuestion(
                session: question.sessionID, question: question.id, receipt: Receipt(for: person),
                votes: votes))
    }

    func merge(
        _ question: AudienceQuestion, into root: AudienceQuestion, by host: AccountID
    ) async throws {
        try await perform(
            MergeQuestions(
                session: question.sessionID, question: question.id, into: root.id, actor: host))
    }

    func question(_ id: AudienceQuestionID) async throws -> AudienceQuestion? {
        try await storage.read { rows throws(JournalError) in try rows.audienceQuestion(id) }
    }

    func listed(in session: SessionID) async throws -> [AudienceQuestionID] {
        try await storage.read { rows throws(JournalError) in
            try rows.audienceQuestions(
                of: session, statuses: AudienceQuestion.Status.shown, after: nil, limit: 100
            ).map(\.id)
        }
    }
}
