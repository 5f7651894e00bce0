package import Meetings

/// What a backup holds that matters for anonymity: the numbers of anonymous responses in its state of the
/// database. Two backups that differ by one or two responses of a set show who gave them.
package struct BackupContent: Hashable, Sendable {
    /// The epoch of the database.
    package let epoch: String
    /// The anonymous sets with responses.
    package let sets: [AnonymousSetState]

    package init(epoch: String, sets: [AnonymousSetState]) {
        (self.epoch, self.sets) = (epoch, sets)
    }
}

/// The state of one anonymous question set.
package struct AnonymousSetState: Hashable, Sendable {
    package let session: SessionID
    package let set: String
    /// One of its questions, which a new set of the same name does not have; empty without questions.
    package let question: String
    /// The number of responses, at least 1.
    package let responses: Int
    /// Whether the feedback window is over and no host has opened the set by hand. Then the last one or two
    /// responses are shown to hosts too.
    package let isOver: Bool

    package init(session: SessionID, set: String, question: String = "", responses: Int, isOver: Bool) {
        (self.session, self.set, self.question) = (session, set, question)
        (self.responses, self.isOver) = (responses, isOver)
    }
}
