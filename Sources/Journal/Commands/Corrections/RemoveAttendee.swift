package import Meetings

/// Takes somebody out of a session. What they were is kept for `undoWindow`, so that a mistake can be undone,
/// unless it is erased at once. Who is on the roster and was here is awaited again while the session lasts;
/// who was awaited is not.
package struct RemoveAttendee: Command {
    package let attendee: AttendeeID
    package let note: String?
    /// Keeps nothing: for people who ask for it.
    package let erases: Bool
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        attendee: AttendeeID, note: String? = nil, erases: Bool = false, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.attendee = attendee
        self.note = note
        self.erases = erases
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let (before, _) = try transaction.correcting(attendee, by: actor)
        try expected.check(before.version)
        let whole = try transaction.rows.whole(before)
        try transaction.endReceipts(of: before.id)
        try transaction.takeOut(before)
        let event = try transaction.record(
            .removed, in: before.sessionID, attendee: before.id, by: .account(actor),
            EventData(before: before.status))
        transaction.publish(.removed(before.id), at: event)
        try transaction.awaitAgain(whole)
        if erases { return try transaction.eraseCorrections(of: before.id) }
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: before.sessionID, sequence: event.sequence, attendeeID: before.id,
                note: note ?? "", before: .removed(whole),
                versionAfter: before.version, forgetAt: transaction.now + undoWindow))
    }
}

/// Erases what is kept of people who were removed or merged, once it can no longer be undone. Returns whether
/// there may be more.
package struct ForgetRemoved: Command {
    package init() {}

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        let due = try transaction.rows.correctionsToForget(at: transaction.now, limit: 100)
        for correction in due {
            if case .removed(let gone) = correction.before,
                try transaction.isGone(gone.attendee.id, since: correction)
            {
                try transaction.eraseCorrections(of: gone.attendee.id)
                continue
            }
            // Who was merged is there no more by name; whoever was put back is.
            if case .merged(let gone, _) = correction.before {
                try transaction.rows.forgetBefore(of: gone.attendee.id)
            }
            var forgotten = correction
            forgotten.before = nil
            forgotten.forgetAt = nil
            try transaction.rows.save(forgotten)
        }
        return due.count == 100
    }
}

extension Transaction {
    /// Whether somebody is out by this correction, and by none that came later and can still be undone.
    fileprivate func isGone(_ id: AttendeeID, since correction: CorrectionRecord) throws(JournalError) -> Bool
    {
        guard try rows.attendee(id) == nil, try rows.trace(of: id) == nil else { return false }
        let later = try rows.corrections(of: correction.sessionID, in: correction.sequence + 1...Int64.max)
        return !later.contains { $0.attendeeID == id && $0.forgetAt != nil }
    }
}

/// Forgets the devices and networks of sessions that ended long ago. Returns whether there may be more.
package struct ForgetEvidence: Command {
    package init() {}

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        let due = try transaction.rows.sessionsHoldingEvidence(
            endedBefore: transaction.now - CheckInEvidence.lifetime, limit: 10)
        for session in due { try transaction.rows.forgetEvidence(of: session) }
        return due.count == 10
    }
}
