package import Meetings

/// Asks the host a question. A host can also write down the question of somebody in the hall, at any time;
/// it is visible at once.
/// - Throws: `receiptNotValid` if the receipt has ended or belongs to another session;
///   `audienceQuestionsClosed` if attendees cannot ask now; `audiencePromiseChanged` if the form showed
///   another promise; `limitReached` if the attendee has asked `mostEach` questions, or the session has
///   `mostInSession`, of which attendees leave `keptForHosts` to hosts.
package struct AskQuestion: Command {
    package enum Asker: Hashable, Sendable {
        case attendee(Receipt)
        case host(AccountID)
    }

    package let session: SessionID
    package let asker: Asker
    /// The text, normalized.
    package let text: String
    /// The promise that the form showed; nil if the request does not contain this field.
    package let promise: AudienceQuestion.Promise?
    /// The id that the form chose, so that a repeated form asks once. Nil for a new random id.
    package let id: AudienceQuestionID?

    package init(
        session: SessionID, asker: Asker, text: String, promise: AudienceQuestion.Promise? = nil,
        id: AudienceQuestionID? = nil
    ) {
        self.id = id
        self.session = session
        self.asker = asker
        self.text = text
        self.promise = promise
    }

    package func run(in transaction: Transaction) throws(JournalError) -> AudienceQuestion {
        var settings = try transaction.audience.settings(of: session)
        let known: AudienceQuestion? =
            if let id { try transaction.rows.audienceQuestion(id) } else { nil }
        var question = AudienceQuestion(
            id: known == nil ? id ?? .makeTimeless() : .makeTimeless(), sessionID: session, attendeeID: nil,
            promise: settings.promise,
            askedAt: transaction.now, text: text, status: .visible)
        let actor: Event.Actor
        var person: AttendeeID?
        var most = AudienceQuestion.mostInSession
        switch asker {
        case .host(let account):
            _ = try transaction.rights.session(session, managedBy: account)
            actor = .account(account)
        case .attendee(let receipt):
            person = try transaction.audience.attendee(holding: receipt, in: session).id
            question.attendeeID = receipt.attendeeID
            if let known, known.attendeeID == question.attendeeID { return known }
            settings = try transaction.audience.openSettings(of: session)
            if let promise, promise != settings.promise {
                throw .refused(.audiencePromiseChanged(settings.promise))
            }
            try checkLimit(of: question.attendeeID, in: transaction)
            if try isHeldBack(by: settings, in: transaction) { question.status = .pending }
            actor = .attendee
            most -= AudienceQuestion.keptForHosts
        }
        guard settings.asked < most else {
            throw .refused(.limitReached(.audienceQuestion, limit: most))
        }
        settings.asked += 1
        try transaction.rows.save(settings, of: session)
        try transaction.rows.insert(question)
        // The event of a question without a name has no attendee, because members see the journal.
        try transaction.record(
            .asked, in: session, attendee: question.promise == .named ? person : nil, by: actor,
            EventData(question: question.id))
        transaction.publishQuestions(of: session)
        return question
    }

    private func checkLimit(of attendee: AttendeeID?, in transaction: Transaction) throws(JournalError) {
        guard let attendee else { return }
        guard
            try transaction.rows.audienceQuestions(askedBy: attendee).count < AudienceQuestion.mostEach
        else { throw .refused(.limitReached(.audienceQuestion, limit: AudienceQuestion.mostEach)) }
    }

    private func isHeldBack(by settings: AudienceSettings, in transaction: Transaction) throws(JournalError)
        -> Bool
    {
        if settings.moderation == .before { return true }
        let meeting = try transaction.session(session).meeting.id
        return try transaction.rows.heldWords(of: meeting)?.match(text) ?? false
    }
}

/// Votes for a question, or removes the attendee's vote. A repeated command changes nothing. An attendee may
/// vote for their own question. A vote for a merged question counts for the question that absorbed it.
/// - Throws: `receiptNotValid` if the receipt has ended or belongs to another session;
///   `audienceQuestionsClosed` if attendees cannot vote now; `notFound` if the question is not visible;
///   `limitReached` if the attendee has removed `mostRemovedVotes` votes.
package struct VoteForQuestion: Command {
    package let session: SessionID
    package let question: AudienceQuestionID
    package let receipt: Receipt
    /// True to vote, false to remove the vote.
    package let votes: Bool

    package init(
        session: SessionID, question: AudienceQuestionID, receipt: Receipt, votes: Bool
    ) {
        self.session = session
        self.question = question
        self.receipt = receipt
        self.votes = votes
    }

    /// Returns the question that holds the vote, as it is after the command.
    package func run(in transaction: Transaction) throws(JournalError) -> AudienceQuestion {
        let audience = transaction.audience
        _ = try audience.attendee(holding: receipt, in: session)
        let person = receipt.attendeeID
        _ = try audience.openSettings(of: session)
        let named = try audience.question(question, in: session)
        let root = try transaction.rows.root(of: named)
        guard root.status.isShown else { throw .refused(.notFound(.audienceQuestion)) }
        var hasChanged = false
        if votes {
            hasChanged = try audience.add(AudienceVote(question: root.id), of: person)
        } else if try transaction.rows.hasVoted(person, for: root.id) {
            let removed = try transaction.rows.removedVotes(of: person, in: session)
            guard removed < AudienceQuestion.mostRemovedVotes else {
                throw .refused(.limitReached(.removedVote, limit: AudienceQuestion.mostRemovedVotes))
            }
            try transaction.rows.setRemovedVotes(removed + 1, of: person, in: session)
            for member in try transaction.rows.group(of: root) {
                _ = try audience.removeVote(of: person, for: member.id)
            }
            hasChanged = true
        }
        if hasChanged {
            // Votes have no name, so the event has no attendee.
            try transaction.record(
                votes ? .voted : .voteRemoved, in: session, by: .attendee, EventData(question: root.id))
            transaction.publishQuestions(of: session)
        }
        return try audience.question(root.id, in: session)
    }
}
