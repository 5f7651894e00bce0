package import Meetings

/// Reverses one correction, by the sequence of its event: what was corrected, renamed, added, removed or
/// merged, or an edit of the session's times. The undoing is an event of its own, and can be undone. Refused
/// where the record has changed since, or is no longer kept.
package struct UndoCorrection: Command {
    package let session: SessionID
    package let sequence: Int64
    package let note: String?
    package let actor: AccountID

    package struct Outcome: Sendable {
        package let event: Event
        /// As it is now; nil where the undoing took somebody out, and for an edit.
        package let attendee: Attendee?
        package let record: SessionRecord
    }

    package init(session: SessionID, sequence: Int64, note: String? = nil, actor: AccountID) {
        self.session = session
        self.sequence = sequence
        self.note = note
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let record = try transaction.session(session)
        try transaction.requireHost(actor, of: record.meeting.id)
        guard sequence > 0, sequence <= record.sequence else { throw .refused(.notFound(.event)) }
        guard let correction = try transaction.rows.correction(of: session, sequence: sequence),
            let before = correction.before
        else {
            throw .refused(.cannotBeUndone)
        }
        let (event, attendee): (Event, Attendee?)
        switch before {
        case .corrected(let old, let grant):
            (event, attendee) = try restore(old, grant: grant, correction, in: transaction)
        case .added: (event, attendee) = (try takeOut(correction, in: transaction), nil)
        case .removed(let whole): (event, attendee) = try putBack(whole, in: transaction)
        case .merged(let gone, let kept):
            (event, attendee) = try part(gone, from: kept, correction, in: transaction)
        case .edited(let old): (event, attendee) = (try editBack(to: old, correction, in: transaction), nil)
        }
        return Outcome(event: event, attendee: attendee, record: try transaction.session(session))
    }

    /// The attendee of the correction, if it is as the correction left it.
    private func unchanged(_ correction: CorrectionRecord, in transaction: Transaction) throws(JournalError)
        -> Attendee
    {
        guard let id = correction.attendeeID, let attendee = try transaction.rows.attendee(id),
            attendee.version == correction.versionAfter
        else { throw .refused(.changedSince) }
        return attendee
    }

    private func restore(
        _ old: Attendee, grant: [UInt8]?, _ correction: CorrectionRecord, in transaction: Transaction
    ) throws(JournalError) -> (Event, Attendee?) {
        let current = try unchanged(correction, in: transaction)
        let keys = try transaction.rows.keys(of: current.id)
        var after = old
        after.version = current.version + 1
        after.evidence = current.evidence
        after.followRule(of: try transaction.session(session).session)
        let event = try transaction.record(
            .undone, in: session, attendee: current.id, by: .account(actor),
            EventData(from: current, to: after, undoes: sequence))
        // It was known already when this person came.
        if after.arrivalSequence == 0, after.status.countsAsCheckedIn {
            after.arrivalSequence = event.sequence
        }
        try transaction.replace(current, with: after, at: event)
        if let grant, keys.grant == nil, try transaction.rows.attendee(in: session, grant: grant) == nil {
            try transaction.rows.setKeys(AttendeeKeys(identity: keys.identity, grant: grant), of: after)
        }
        try keep(
            event, of: current.id, .corrected(current.withoutEvidence, grant: keys.grant),
            version: after.version, in: transaction)
        return (event, after)
    }

    /// Somebody who has answered, or stands for a second record by now, is not taken out by the way.
    private func takeOut(_ correction: CorrectionRecord, in transaction: Transaction) throws(JournalError)
        -> Event
    {
        let current = try unchanged(correction, in: transaction)
        let whole = try transaction.rows.whole(current)
        guard whole.answered.isEmpty, try transaction.rows.traces(into: current.id).isEmpty else {
            throw .refused(.changedSince)
        }
        try transaction.endReceipts(of: current.id)
        try transaction.takeOut(current)
        let event = try transaction.record(
            .undone, in: session, attendee: current.id, by: .account(actor),
            EventData(before: current.status, undoes: sequence))
        transaction.publish(.removed(current.id), at: event)
        try transaction.awaitAgain(whole)
        try keep(
            event, of: current.id, .removed(whole), version: current.version,
            forgetAt: transaction.now + undoWindow, in: transaction)
        return event
    }

    private func putBack(_ whole: WholeAttendee, in transaction: Transaction) throws(JournalError) -> (
        Event, Attendee?
    ) {
        guard try transaction.rows.attendee(behind: whole.attendee.id) == nil else {
            throw .refused(.changedSince)
        }
        let attendee = try transaction.putBack(whole)
        let event = try transaction.record(
            .undone, in: session, attendee: attendee.id, by: .account(actor),
            EventData(status: attendee.status, undoes: sequence))
        transaction.publish(.changed(attendee), at: event)
        try keep(event, of: attendee.id, .added, version: attendee.version, in: transaction)
        return (event, attendee)
    }

    private func part(
        _ gone: WholeAttendee, from kept: WholeAttendee, _ correction: CorrectionRecord,
        in transaction: Transaction
    ) throws(JournalError) -> (Event, Attendee?) {
        let current = try unchanged(correction, in: transaction)
        let now = try transaction.rows.whole(current)
        let both = Set(gone.answered).union(kept.answered)
        guard Set(now.answered) == both, try transaction.rows.trace(of: gone.attendee.id)?.into == current.id
        else {
            throw .refused(.changedSince)
        }
        try transaction.rows.deleteTrace(of: gone.attendee.id)
        try transaction.takeOut(current)
        let parted = try transaction.putBack(gone)
        // Under the version that follows the merge's, so that nobody takes the one record for the other.
        var old = kept.attendee
        old.version = current.version
        let left = try transaction.putBack(
            WholeAttendee(
                old, keys: kept.keys, namedResponses: kept.namedResponses, answered: kept.answered,
                person: kept.person,
                personVersion: kept.personVersion))
        try transaction.partPlaces(now.person, of: gone, and: kept)
        let event = try transaction.record(
            .undone, in: session, attendee: parted.id, by: .account(actor),
            EventData(status: parted.status, into: current.id, undoes: sequence))
        transaction.publish(.changed(parted), at: event)
        transaction.publish(.changed(left), at: event)
        try keep(event, of: parted.id, nil, version: parted.version, in: transaction)
        return (event, try transaction.rows.attendee(parted.id) ?? parted)
    }

    /// The times and settings as they were; a code that was renewed stays renewed.
    private func editBack(to old: Session, _ correction: CorrectionRecord, in transaction: Transaction)
        throws(JournalError) -> Event
    {
        let current = try transaction.session(session).session
        guard current.version == correction.versionAfter else { throw .refused(.changedSince) }
        var after = old
        after.codeVersion = current.codeVersion
        after.joinCode = current.joinCode
        let event = try transaction.edit(
            current, to: after, allowOverlap: false, .undone, undoes: sequence, note: note ?? "", by: actor
        )
        .event
        guard let event else { throw .refused(.cannotBeUndone) }
        return event
    }

    private func keep(
        _ event: Event, of attendee: AttendeeID, _ before: RecordBefore?, version: Int,
        forgetAt: Instant? = nil,
        in transaction: Transaction
    ) throws(JournalError) {
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: session, sequence: event.sequence, attendeeID: attendee, note: note ?? "",
                before: before, versionAfter: version,
                forgetAt: forgetAt))
    }
}
