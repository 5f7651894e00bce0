package import Meetings

/// When an anonymous set has closed, the answers that waited for their group to be complete are shown with the rest: results then equal a
/// recount. Nothing where the set is open or named.
package struct PublishClosedSet: Command {
    package let session: SessionID
    package let set: String

    package init(session: SessionID, set: String) {
        self.session = session
        self.set = set
    }

    /// How many responses the set has, for `MarkSealed`; nil where the set is open, named or gone.
    package func run(in transaction: Transaction) throws(JournalError) -> Int? {
        guard var set = try transaction.rows.questionSet(set, of: session), set.anonymous,
            !set.isOpen(in: try transaction.session(session).session, at: transaction.now)
        else { return nil }
        guard set.publishedResponses < set.responses else { return set.responses }
        let tallies = try transaction.rows.tallies(of: session, set: set.name)
        for question in set.questions {
            guard var tally = tallies[question.id] else { continue }
            tally.publish(question)
            try transaction.rows.save(tally, of: question.id)
        }
        set.publishedResponses = set.responses
        try transaction.rows.publishResponses(of: session, set: set.name)
        try transaction.saveSettings(of: set, in: session)
        let name = set.name
        transaction.change(session) { $0.sets.insert(name) }
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
        guard let found = try transaction.rows.questionSet(set, of: session),
            found.responses == responses, !found.isOpen(in: try transaction.session(session).session, at: transaction.now)
        else { return }
        try transaction.rows.markSealed(set, of: session, true)
    }
}
