import Journal
import Meetings
import Testing

private let fruit = Question(
    id: id(41), title: "Fruit?", required: true,
    kind: .multipleChoice(
        choices: [.init(id: "a", label: "Apple"), .init(id: "b", label: "Banana")], minSelections: 1,
        maxSelections: 1))

extension CommandRule {
    /// Questions, votes and answers without a name stay so, whatever a host does to records and questions.
    static let keptPromises: [CommandRule] = [
        CommandRule("a question that a host hid or holds back does not take the place of a shown one") {
            stage in
            let (session, host, first, voters) = try await stage.questioned()
            let id = try #require(try await stage.question(first.id)?.attendeeID)
            let asker = try #require(try await stage.attendee(id))
            for (voter, status) in zip(voters, [AudienceQuestion.Status.hidden, .pending]) {
                let other = try await stage.ask("Rude words", by: voter)
                try await stage.perform(
                    ModerateQuestion(session: session, question: other.id, status: status, actor: host))
                try await stage.merge(other, into: first, by: host)
            }
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: asker)))
            #expect(try await stage.listed(in: session).isEmpty)
            #expect(try await stage.question(first.id)?.text == "")
        },
        CommandRule("an undone removal counts no vote for a question that is no longer merged") { stage in
            let (session, host, first, voters) = try await stage.questioned()
            let second = try await stage.ask("Why, please?", by: voters[1])
            try await stage.vote(for: second, by: voters[0])
            try await stage.merge(second, into: first, by: host)
            let merge = try await stage.last(in: session)
            try await stage.perform(RemoveAttendee(attendee: voters[0].id, actor: host))
            let removal = try await stage.last(in: session)
            try await stage.undo(merge, in: session, by: host)
            try await stage.undo(removal, in: session, by: host)
            #expect(try await stage.votes(for: [first, second]) == [0, 1])
            try await stage.vote(for: second, by: voters[0])
            #expect(try await stage.votes(for: [first, second]) == [0, 1])
        },

        // MARK: A record that a host sets back to awaited

        CommandRule(
            "the next holder of a record inherits no question and no vote, and an undo gives them back"
        ) {
            stage in
            let (session, host, question, voters) = try await stage.questioned()
            let anna = voters[0]
            let own = try await stage.ask("Mine?", by: anna)
            try await stage.vote(for: question, by: anna)
            func inherited() async throws -> (asked: [AudienceQuestionID], voted: Bool) {
                try await stage.storage.read { rows throws(JournalError) in
                    (
                        try rows.audienceQuestions(askedBy: anna.id).map(\.id),
                        try rows.hasVoted(anna.id, for: question.id)
                    )
                }
            }
            try await stage.setBack(anna, by: host)
            let correction = try await stage.last(in: session)
            #expect(try await inherited() == ([], false))
            let undone = try await stage.undo(correction, in: session, by: host)
            #expect(try await inherited() == ([own.id], true))
            try await stage.vote(for: question, by: anna)
            #expect(try await stage.votes(for: [question]) == [1])
            try await stage.undo(undone.event.sequence, in: session, by: host)
            #expect(try await inherited() == ([], false))
            let holder = try await stage.arrive(1, in: session)
            #expect(holder.id == anna.id)
            #expect(try await inherited() == ([], false))
            try await stage.vote(for: question, by: holder)
            #expect(try await stage.votes(for: [question]) == [2])
            try await stage.vote(for: question, by: holder, votes: false)
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: holder)))
            // The former holder's question and vote stay.
            #expect(try await stage.votes(for: [question]) == [1])
            #expect(try await stage.question(own.id)?.text == "Mine?")
        },
        CommandRule("the next holder of a record sees and changes no answer of the former one") { stage in
            for promise in [AnswerPromise.hidden, .named] {
                let (session, host, fruit) = try await stage.polled(promise)
                let anna = try await stage.arrive(1, in: session)
                try await stage.respond(anna, [fruit.id: .choices(["a"])], set: "poll-1")
                stage.now = stage.now + .seconds(1)
                try await stage.setBack(anna, by: host)
                let correction = try await stage.last(in: session)
                try await stage.undo(correction, in: session, by: host)
                #expect(try await stage.changeable(by: anna) == 1)
                try await stage.setBack(anna, by: host)
                stage.now = stage.now + .seconds(1)
                let holder = try await stage.arrive(1, in: session)
                #expect(holder.id == anna.id)
                #expect(try await stage.changeable(by: holder) == 0)
                await expectRefused(.alreadyResponded) {
                    try await stage.respond(holder, [fruit.id: .choices(["b"])], set: "poll-1")
                }
                #expect(
                    try await stage.tallies(of: session, set: "poll-1")[fruit.id]?.published.counts == [1, 0])
            }
        },

        // MARK: Removals

        CommandRule("a host's removal and its undo change no count of votes") { stage in
            let (session, host, question, voters) = try await stage.questioned()
            let own = try await stage.ask("Mine?", by: voters[0])
            for voter in voters { try await stage.vote(for: question, by: voter) }
            for _ in 0..<2 {
                try await stage.perform(RemoveAttendee(attendee: voters[0].id, actor: host))
                #expect(try await stage.votes(for: [question]) == [3])
                #expect(try await stage.question(own.id)?.text == "Mine?")
                try await stage.undo(try await stage.last(in: session), in: session, by: host)
                #expect(try await stage.votes(for: [question]) == [3])
            }
            try await stage.vote(for: question, by: voters[0])
            #expect(try await stage.votes(for: [question]) == [3])
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: voters[0])))
            #expect(try await stage.votes(for: [question]) == [2])
            #expect(try await stage.question(own.id)?.text == "")
        },
        CommandRule(
            "an erasure by a host or by age cuts the links of hidden questions and votes, and changes no list"
        ) {
            stage in
            let (session, host, question, voters) = try await stage.questioned()
            let hidden = [
                try await stage.ask("Mine?", by: voters[0]), try await stage.ask("Mine, too?", by: voters[1]),
            ]
            try await stage.perform(EditAudienceSettings(session: session, promise: .named, actor: host))
            let named = [
                try await stage.ask("By name?", by: voters[0]),
                try await stage.ask("By name!", by: voters[1]),
            ]
            for voter in voters { try await stage.vote(for: question, by: voter) }
            try await stage.perform(RemoveAttendee(attendee: voters[0].id, erases: true, actor: host))
            try await stage.perform(RemoveAttendee(attendee: voters[1].id, actor: host))
            stage.now = stage.now + .hours(24) + .seconds(1)
            try await stage.perform(ForgetRemoved())
            #expect(try await stage.votes(for: [question]) == [3])
            for (voter, kept) in zip(voters, hidden) {
                let found = try #require(try await stage.question(kept.id))
                #expect((found.text, found.status) == (kept.text, .visible))
                #expect(found.attendeeID != voter.id && found.attendeeID != nil)
                let votes = try await stage.storage.read { rows throws(JournalError) in
                    try rows.audienceVotes(of: voter.id)
                }
                #expect(votes.isEmpty)
            }
            // The members saw the names of these, so their disappearance tells nothing.
            for gone in named { #expect(try await stage.question(gone.id)?.text == "") }
        },

        // MARK: Merged records

        CommandRule("a merge of two records shows neither's hidden questions, votes and answers to the other")
        {
            stage in
            let (session, host, question, voters) = try await stage.questioned()
            let (anna, ben) = (voters[0], voters[1])
            let own = try await stage.ask("Mine?", by: anna)
            for voter in [anna, ben] { try await stage.vote(for: question, by: voter) }
            try await stage.vote(for: own, by: anna)
            _ = try await stage.perform(
                CreatePoll(session: session, content: .questions([fruit]), open: true, actor: host))
            try await stage.respond(anna, [fruit.id: .choices(["a"])], set: "poll-1")
            try await stage.perform(MergeAttendees(attendee: anna.id, into: ben.id, actor: host))
            let merge = try await stage.last(in: session)
            #expect(try await stage.votes(for: [question, own]) == [2, 1])
            let seen = try await stage.storage.read { rows throws(JournalError) in
                (try rows.audienceQuestions(askedBy: ben.id).isEmpty, try rows.hasVoted(ben.id, for: own.id))
            }
            #expect(seen == (true, false))
            #expect(try await stage.changeable(by: ben) == 0)
            // The merged record's phone still finds its own vote.
            try await stage.vote(for: own, by: anna, votes: false)
            try await stage.vote(for: own, by: anna)
            #expect(try await stage.votes(for: [question, own]) == [2, 1])
            try await stage.undo(merge, in: session, by: host)
            #expect(try await stage.votes(for: [question, own]) == [2, 1])
            #expect(try await stage.changeable(by: anna) == 1)
            // The other direction: Ben's receipt leads to Anna's record, and shows no answer of hers.
            try await stage.perform(MergeAttendees(attendee: ben.id, into: anna.id, actor: host))
            #expect(try await stage.changeable(by: ben) == 0)
            #expect(try await stage.changeable(by: anna) == 1)
            await expectRefused(.alreadyResponded) {
                try await stage.respond(ben, [fruit.id: .choices(["b"])], set: "poll-1")
            }
            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            try await stage.perform(MergeAttendees(attendee: anna.id, into: ben.id, actor: host))
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: ben)))
            #expect(try await stage.votes(for: [question]) == [0])
            #expect(try await stage.question(own.id)?.text == "")
        },
        CommandRule("a repeated check-in of a merged record gets the receipt of that record") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let anna = try await stage.arrive(1, in: session)
            let ben = try #require(try await stage.checkIn(2, in: session, grant: hash(2)).fresh)
            try await stage.perform(MergeAttendees(attendee: ben.id, into: anna.id, actor: host))
            for known in [nil, Receipt(for: ben)] {
                let command = CheckIn(
                    session: session, moment: stage.now, method: .qr, grant: known == nil ? hash(2) : hash(3),
                    receipt: known, name: "Person 2", email: "p2@example.org")
                let outcome = try await stage.perform(command)
                guard case .checkedIn(let attendee, _, again: true) = outcome else {
                    Issue.record("no repeated check-in")
                    continue
                }
                #expect(attendee.id == anna.id)
                let receipt = try await stage.storage.read { rows throws(JournalError) in
                    try command.receipt(for: outcome, in: rows)
                }
                #expect(receipt?.attendeeID == ben.id)
                let holder = try await stage.storage.read { rows throws(JournalError) in
                    try receipt.flatMap { receipt throws(JournalError) in
                        try rows.attendee(holding: receipt)
                    }
                }
                #expect(holder?.id == anna.id)
            }
        },

        // MARK: Withdrawals and limits

        CommandRule("a withdrawal erases the answers of hosts that corrections store for the question") {
            stage in
            let (session, host, question, voters) = try await stage.questioned()
            let own = try await stage.ask("Mine?", by: voters[0])
            for target in [own, question] {
                for answer in ["Thanks, Anna", "Thanks"] {
                    try await stage.perform(
                        ModerateQuestion(
                            session: session, question: target.id, answer: answer, actor: host))
                }
            }
            func stored() async throws -> [CorrectionRecord] {
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.corrections(of: session, in: 1...Int64.max)
                }
            }
            #expect(try await stored().count == 4)
            // A host who erases the record cannot tell by a missing undo whose question it was.
            try await stage.perform(RemoveAttendee(attendee: voters[0].id, actor: host))
            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: voters[0])))
            let rest = try await stored()
            #expect(rest.count == 2)
            for correction in rest {
                guard case .question(let before) = correction.before else {
                    Issue.record("another correction")
                    continue
                }
                #expect(before.question == question.id)
            }
        },
        CommandRule("an erasure by a host leaves the corrections of hidden questions") { stage in
            let (session, host, _, voters) = try await stage.questioned()
            let own = try await stage.ask("Mine?", by: voters[0])
            try await stage.perform(
                ModerateQuestion(session: session, question: own.id, pinned: true, actor: host))
            let change = try await stage.last(in: session)
            try await stage.perform(RemoveAttendee(attendee: voters[0].id, erases: true, actor: host))
            try await stage.undo(change, in: session, by: host)
            #expect(try await stage.question(own.id)?.pinned == false)
        },
        CommandRule("attendees leave two hundred questions to hosts, and withdrawn ones do not count") {
            stage in
            let (session, host, _, voters) = try await stage.questioned()
            let most = AudienceQuestion.mostInSession - AudienceQuestion.keptForHosts
            func fill(_ asked: Int) async throws {
                try await stage.perform(
                    Act { transaction throws(JournalError) in
                        var settings = try transaction.rows.audienceSettings(of: session) ?? .initial
                        settings.asked = asked
                        try transaction.rows.save(settings, of: session)
                    })
            }
            func write() async throws {
                _ = try await stage.perform(
                    AskQuestion(session: session, asker: .host(host), text: "From the hall"))
            }
            try await fill(most - 1)
            try await stage.ask("The last", by: voters[0])
            await expectRefused(.limitReached(.audienceQuestion, limit: most)) {
                try await stage.ask("One more", by: voters[1])
            }
            try await write()
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: voters[0])))
            await expectRefused(.limitReached(.audienceQuestion, limit: most)) {
                try await stage.ask("One more", by: voters[1])
            }
            try await fill(most - 1)
            try await stage.ask("One more", by: voters[1])
            try await fill(AudienceQuestion.mostInSession)
            await expectRefused(
                .limitReached(.audienceQuestion, limit: AudienceQuestion.mostInSession)
            ) { try await write() }
        },
        CommandRule("an attendee changes the answers of a response at most a hundred times") { stage in
            let (session, _, fruit) = try await stage.polled(.hidden)
            let person = try await stage.arrive(1, in: session)
            func choose(_ number: Int) async throws {
                try await stage.respond(
                    person, [fruit.id: .choices([number % 2 == 0 ? "a" : "b"])], set: "poll-1")
            }
            for number in 0...Responses.mostChanges { try await choose(number) }
            // Equal answers change nothing.
            try await choose(Responses.mostChanges)
            let sequence = try await stage.last(in: session)
            await expectRefused(.limitReached(.changedAnswer, limit: Responses.mostChanges)) {
                try await choose(Responses.mostChanges + 1)
            }
            #expect(try await stage.last(in: session) == sequence)
            let other = try await stage.arrive(2, in: session)
            try await stage.respond(other, [fruit.id: .choices(["a"])], set: "poll-1")
            try await stage.respond(other, [fruit.id: .choices(["b"])], set: "poll-1")
            try await stage.expectWhole(session)
        },
    ]
}

extension Stage {
    /// Creates host 1's running session with an open poll.
    fileprivate func polled(_ promise: AnswerPromise) async throws -> (
        session: SessionID, host: AccountID, question: Question
    ) {
        let own = fruit.renamed(by: [fruit.id: .makeTimeless()])
        let host = try await account(promise == .hidden ? 1 : 2).id
        let session = try await meeting(of: host).session.id
        now = at(20)
        _ = try await perform(
            CreatePoll(
                session: session, content: .questions([own]), promise: promise, open: true, actor: host))
        return (session, host, own)
    }

    fileprivate func setBack(_ attendee: Attendee, by host: AccountID) async throws {
        try await perform(CorrectAttendee(attendee: attendee.id, status: .awaited, actor: host))
    }

    fileprivate func votes(for questions: [AudienceQuestion]) async throws -> [Int] {
        var votes: [Int] = []
        for one in questions { votes.append(try #require(try await question(one.id)).votes) }
        return votes
    }

    /// Returns the number of responses that this receipt's holder sees and can change.
    fileprivate func changeable(by attendee: Attendee) async throws -> Int {
        let now = now
        return try await storage.read { rows throws(JournalError) in
            guard let record = try rows.session(attendee.sessionID) else { return -1 }
            let receipt = Receipt(for: attendee)
            guard let holder = try rows.attendee(holding: receipt) else { return -1 }
            return try rows.earlierSets(
                of: holder, holding: receipt, in: record.session, at: now, by: PlainPatterns()
            ).count(where: \.canChange)
        }
    }
}
