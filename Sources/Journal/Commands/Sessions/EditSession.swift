package import Meetings

/// Changes what is not nil, within the rules: until the end the start and the late limit may move, and until
/// feedback closes the end may.
package struct EditSession: Command {
    package let id: SessionID
    package let startsAt: Instant?
    package let endsAt: Instant?
    package let settings: SessionSettings
    /// A new check-in code and join code; the old ones are refused from then on, grants stay.
    package let renewsCode: Bool
    /// Ends all presenter links of the session. A new code alone leaves them, and reaches their screens.
    package let revokesLinks: Bool
    package let allowOverlap: Bool
    /// Why, in the host's words; at most 500 characters.
    package let note: String
    package let expected: ExpectedVersion
    package let actor: AccountID

    package struct Outcome: Sendable {
        package let record: SessionRecord
        /// Sessions that the edit made to overlap, where that is a warning: a session that has started may
        /// overrun.
        package let overlaps: [Overlap]
    }

    package init(
        id: SessionID, startsAt: Instant? = nil, endsAt: Instant? = nil,
        settings: SessionSettings = SessionSettings(),
        renewsCode: Bool = false, revokesLinks: Bool = false,
        allowOverlap: Bool = false, note: String = "", expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.id = id
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.settings = settings
        self.renewsCode = renewsCode
        self.revokesLinks = revokesLinks
        self.allowOverlap = allowOverlap
        self.note = note
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let record = try transaction.session(id)
        try transaction.requireHost(actor, of: record.meeting.id)
        try expected.check(record.session.version)
        let before = record.session
        var session = before
        session.startsAt = startsAt ?? before.startsAt
        session.endsAt = endsAt ?? before.endsAt
        session.take(settings)
        if renewsCode {
            session.codeVersion += 1
            session.joinCode = try transaction.freeJoinCode(first: JoinCode.random())
        }
        let edited = try transaction.edit(
            before, to: session, allowOverlap: allowOverlap, note: note, by: actor)
        if revokesLinks { try transaction.revoke(try transaction.rows.presenterLinks(of: id), by: actor) }
        return Outcome(record: try transaction.session(id), overlaps: edited.overlaps)
    }
}

/// Deletes a session, and its meeting with it where it is the only one. With check-ins, the meeting's name
/// must be given as confirmation.
package struct DeleteSession: Command {
    package let id: SessionID
    package let confirmation: String?
    package let actor: AccountID

    package init(id: SessionID, confirmation: String?, actor: AccountID) {
        self.id = id
        self.confirmation = confirmation
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let record = try transaction.session(id)
        try transaction.requireHost(actor, of: record.meeting.id)
        let checkIns = record.headCount.present + record.headCount.late
        if checkIns > 0, confirmation != record.meeting.name {
            throw .refused(.confirmationNeeded(name: record.meeting.name, checkIns: checkIns))
        }
        if try transaction.rows.sessionCount(of: record.meeting.id) == 1 {
            try transaction.requireOwner(actor, of: record.meeting.id)
            try transaction.deleteMeeting(record.meeting.id)
        } else {
            transaction.forget(id)
            try transaction.rows.delete(id)
        }
    }
}
