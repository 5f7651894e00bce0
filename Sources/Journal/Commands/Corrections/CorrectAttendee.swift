package import Meetings

/// Changes what is not nil in somebody's record, in one step and one event.
package struct CorrectAttendee: Command {
    package let attendee: AttendeeID
    /// Normalized.
    package let name: String?
    /// At most 500 characters; an empty one takes the note away.
    package let note: String?
    package let correction: AttendanceCorrection
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        attendee: AttendeeID, name: String? = nil, note: String? = nil, status: AttendanceStatus? = nil,
        checkedInAt: Instant? = nil,
        expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.attendee = attendee
        self.name = name
        self.note = note
        correction = AttendanceCorrection(status: status, checkedInAt: checkedInAt)
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        let (before, record) = try transaction.correcting(attendee, by: actor)
        try expected.check(before.version)
        var after = before
        after.name = name ?? before.name
        after.note = note ?? before.note
        do throws(Refusal) {
            try correction.apply(to: &after, in: record.session, at: transaction.now)
        } catch { throw .refused(error) }
        let fields = [
            before.name == after.name ? nil : "name",
            before.status == after.status && before.statusIsByHost == after.statusIsByHost ? nil : "status",
            before.checkedInAt == after.checkedInAt ? nil : "checkedInAt",
            before.note == after.note ? nil : "note",
        ].compactMap { $0 }
        guard !fields.isEmpty else { return (before, record) }

        after.version += 1
        let keys = try transaction.rows.keys(of: before.id)
        let event = try transaction.record(
            .corrected, in: before.sessionID, attendee: before.id, by: .account(actor),
            EventData(from: before, to: after, fields: fields))
        try transaction.replace(before, with: after, at: event)
        // Who may check in afresh may do so with a grant of their own, and with the one they had.
        if after.status == .pending, keys.grant != nil {
            try transaction.rows.setKeys(AttendeeKeys(identity: keys.identity), of: after)
        }
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: before.sessionID, sequence: event.sequence, attendeeID: before.id,
                note: note ?? "",
                before: .corrected(before.withoutEvidence, grant: keys.grant), versionAfter: after.version))
        guard let written = try transaction.rows.attendee(before.id) else {
            throw .refused(.notFound(.attendee))
        }
        return (written, try transaction.session(before.sessionID))
    }
}

extension EventData {
    /// What the journal may say of a correction.
    init(from before: Attendee, to after: Attendee, fields: [String]? = nil, undoes: Int64? = nil) {
        let hasMoved = before.status != after.status
        let comes = after.status.countsAsCheckedIn && !before.status.countsAsCheckedIn
        self.init(
            status: hasMoved ? after.status : nil, before: hasMoved ? before.status : nil,
            method: comes ? after.method : nil,
            fields: fields, undoes: undoes)
    }
}

extension Attendee {
    /// Evidence is forgotten in its own time; what a correction keeps must not outlive it.
    var withoutEvidence: Attendee {
        var copy = self
        copy.evidence = nil
        return copy
    }
}
