package import Meetings

/// When the feedback window is over, the answers of an anonymous set that waited for their group to be complete are shown with the rest:
/// results then equal a recount. That happens once for a set, and never when a host closes it by hand: who could close and open it again would
/// otherwise see each answer by itself. Nothing where the set is open or named.
package struct PublishClosedSet: Command {
    package let session: SessionID
    package let set: String

    package init(session: SessionID, set: String) {
        self.session = session
        self.set = set
    }

    /// How many responses the set has, for `MarkSealed`; nil where the set is open, named or gone.
    package func run(in transaction: Transaction) throws(JournalError) -> Int? {
        let record = try transaction.session(session).session
        guard var set = try transaction.rows.questionSet(set, of: session), set.anonymous,
            !set.mayTakeAnswers(in: record, at: transaction.now)
        else {
            return nil
        }
        let tallies = try transaction.rows.tallies(of: session, set: set.name)
        guard !set.isAllShown(by: tallies), set.mayPublishRest(in: record, at: transaction.now) else { return set.responses }
        for question in set.questions {
            guard var tally = tallies[question.id] else { continue }
            tally.publish(question)
            try transaction.rows.save(tally, of: question.id)
        }
        set.publishedResponses = set.responses
        try transaction.rows.publishResponses(of: session, set: set.name)
        try transaction.saveCounts(of: set, in: session)
        return set.responses
    }
}

/// Notes that the file has been shuffled since the set's last response. Nothing where it was opened meanwhile: one that came after the
/// shuffle stands beside its neighbours in time, though the set may be closed again by now.
package struct MarkSealed: Command {
    package let session: SessionID
    package let set: String
    /// How many there were before the shuffle.
    package let responses: Int

    package init(session: SessionID, set: String, responses: Int) {
        self.session = session
        self.set = set
        self.responses = responses
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let record = try transaction.session(session).session
        guard let found = try transaction.rows.questionSet(set, of: session), found.responses == responses,
            !found.mayTakeAnswers(in: record, at: transaction.now)
        else { return }
        // What is still to be shown when the window is over brings another shuffle.
        let isAllShown = found.isAllShown(by: try transaction.rows.tallies(of: session, set: set))
        guard isAllShown || transaction.now > record.feedbackClosesAt else { return }
        try transaction.rows.markSealed(set, of: session, true)
    }
}

extension QuestionSet {
    fileprivate func isAllShown(by tallies: [QuestionID: TallyRecord]) -> Bool {
        publishedResponses == responses && tallies.values.allSatisfy(\.waiting.isEmpty)
    }

    /// Groups are complete; a number of published responses that is no multiple of them says that the rest has been shown before.
    fileprivate func mayPublishRest(in session: Session, at now: Instant) -> Bool {
        now > session.feedbackClosesAt && publishedResponses % Self.smallestGroup == 0
    }
}
