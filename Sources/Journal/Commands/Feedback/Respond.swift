package import Meetings

/// Takes one attendee's answers to one set, once.
package struct Respond: Command {
    package let attendee: AttendeeID
    package let session: SessionID
    package let set: String
    package let answers: Answers

    package init(attendee: AttendeeID, session: SessionID, set: String, answers: Answers) {
        self.attendee = attendee
        self.session = session
        self.set = set
        self.answers = answers
    }

    package struct Outcome: Sendable {
        package let set: QuestionSet
        package let record: SessionRecord
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        guard let person = try transaction.rows.attendee(attendee), person.sessionID == session else { throw .refused(.receiptNotValid) }
        guard var set = try transaction.rows.questionSet(set, of: session) else { throw .refused(.notFound(.questionSet)) }
        guard try !transaction.rows.hasAnswered(attendee, set: set.name) else { throw .refused(.alreadyResponded) }
        if let refusal = set.refusal(in: try transaction.session(session).session, at: transaction.now) { throw .refused(refusal) }
        guard !set.questions.isEmpty else { throw .refused(.noQuestions) }
        let kept = try set.checkedAsJournal(answers)
        guard try transaction.rows.markAnswered(attendee, set: set.name) else { throw .refused(.alreadyResponded) }

        // An anonymous response keeps the hour and no person; a named one keeps both, so that it can be withdrawn.
        let response = Response(
            id: .makeTimeless(), sessionID: session, set: set.name, attendeeID: set.anonymous ? nil : attendee, answers: kept,
            at: set.anonymous ? transaction.now.startOfHour : transaction.now)
        try transaction.rows.insert(response, published: !set.anonymous)
        set.responses += 1
        try transaction.tally(kept, in: &set, of: session)
        try transaction.saveSettings(of: set, in: session)
        if set.anonymous { try transaction.rows.markSealed(set.name, of: session, false) }

        try transaction.record(
            .responded, in: session, attendee: set.anonymous ? nil : attendee, by: .attendee, EventData(set: set.name))
        let name = set.name
        transaction.change(session) { $0.sets.insert(name) }
        return Outcome(set: set, record: try transaction.session(session))
    }
}

extension QuestionSet {
    fileprivate func checkedAsJournal(_ answers: Answers) throws(JournalError) -> Answers {
        do throws(Refusal) { return try checked(answers) } catch { throw .refused(error) }
    }
}

extension Transaction {
    fileprivate func tally(_ answers: Answers, in set: inout QuestionSet, of session: SessionID) throws(JournalError) {
        var tallies = try rows.tallies(of: session, set: set.name)
        let groupIsComplete = !set.anonymous || set.responses - set.publishedResponses >= QuestionSet.smallestGroup
        for question in set.questions {
            var tally =
                tallies[question.id] ?? TallyRecord(published: TallyCount(for: question), pending: TallyCount(for: question))
            if let answer = answers[question.id] { tally.pending.add(answer, to: question) }
            if groupIsComplete { tally.publish(question) }
            guard tally != tallies[question.id] else { continue }
            tallies[question.id] = tally
            try rows.save(tally, of: question.id)
        }
        if groupIsComplete {
            set.publishedResponses = set.responses
            if set.anonymous { try rows.publishResponses(of: session, set: set.name) }
        }
    }
}

extension TallyRecord {
    /// Moves what waited into what is shown.
    mutating func publish(_ question: Question) {
        published.add(pending)
        pending = TallyCount(for: question)
    }
}
