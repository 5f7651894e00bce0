package import Meetings

/// When the feedback window of a closed anonymous set is over, the answers that waited for their group are
/// shown with the rest (`Transaction.publishRest`). Nothing where the set is open or named.
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
        try transaction.publishRest(of: &set, in: record)
        return set.responses
    }
}

extension Transaction {
    /// Makes a set's results final where its window is over and it is closed, as `session` stands: all
    /// answers are shown, but to a question that has too few. That happens once for a set: who could open it
    /// again for one more answer would otherwise see that answer by itself. Where there are too few responses
    /// to show any, nobody has seen a thing, and the next round may end so.
    func publishRest(of set: inout QuestionSet, in session: Session) throws(JournalError) {
        guard set.anonymous, !set.restIsShown, set.responses >= QuestionSet.smallestGroup,
            now > session.feedbackClosesAt,
            !set.mayTakeAnswers(in: session, at: now)
        else { return }
        set.restIsShown = true
        let tallies = try rows.tallies(of: session.id, set: set.name)
        guard !set.isAllShown(by: tallies) else { return try saveSettings(of: set, in: session.id) }
        let rest = try rows.unpublishedResponses(of: session.id, set: set.name)
        for question in set.questions {
            guard var tally = tallies[question.id] else { continue }
            tally.publishRest(question, with: rest)
            try rows.save(tally, of: question.id)
        }
        set.publishedResponses = set.responses
        try rows.publishResponses(of: session.id, set: set.name, at: now.startOfHour)
        try saveCounts(of: set, in: session.id)
    }
}

/// Notes that the file has been shuffled since the set's last response. Nothing where it was opened
/// meanwhile: one that came after the shuffle stands beside its neighbours in time, though the set may be
/// closed again by now.
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
}
