package import Meetings

/// Undoes one correction, which the caller names by the sequence of its event: a changed record, a new name,
/// an addition, a removal, a merge, an edit of the session's times, a change of a question from the
/// audience, or the moderation of a text. The undoing records its own event, and can be undone too.
/// - Throws: `cannotBeUndone` if the event is not a correction, if its stored copy is deleted, or if there
///   is nothing to restore; `changedSince` if the record has changed since the correction; for an edit of
///   the session, the refusals of `EditSession`.
package struct UndoCorrection: Command {
    package let session: SessionID
    package let sequence: Int64
    package let note: String?
    package let actor: AccountID

    /// The event of the undoing, with the records after it.
    package struct Outcome: Sendable {
        package let event: Event
        /// The attendee after the undoing; nil if the undoing removed the attendee, or if the correction was
        /// an edit of the session.
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
        _ = try transaction.rights.session(session, managedBy: actor)
        return try undo(in: transaction, recomputed: nil)
    }

    /// Undoes the correction.
    /// - Parameter recomputed: the attendees whose status the late rule has changed already; nil to apply the
    ///   rule now.
    private func undo(
        in transaction: Transaction, recomputed: LateRuleWork.Recomputed?
    ) throws(JournalError) -> Outcome {
        let record = try transaction.session(session)
        let (correction, before) = try correction(of: record, in: transaction.rows)
        let (event, attendee): (Event, Attendee?)
        switch before {
        case .corrected(let old, let grant, let former):
            (event, attendee) = try revert(
                to: old, grant: grant, former, correction, in: transaction)
        case .added: (event, attendee) = (try remove(correction, in: transaction), nil)
        case .removed(let whole): (event, attendee) = try restore(whole, in: transaction)
        case .merged(let absorbed, let remaining):
            (event, attendee) = try unmerge(absorbed, from: remaining, correction, in: transaction)
        case .edited(let old):
            (event, attendee) = (
                try revert(to: old, correction, recomputed: recomputed, in: transaction), nil
            )
        case .question(let old):
            event = try transaction.audience.revert(to: old, correction, by: actor, note: note)
            attendee = nil
        case .text(let change):
            event = try transaction.texts.revert(change, correction, by: actor, note: note)
            attendee = nil
        case .mergedQuestion(let merged, let root):
            event = try transaction.audience.separate(merged, from: root, correction, by: actor, note: note)
            attendee = nil
        }
        return Outcome(event: event, attendee: attendee, record: try transaction.session(session))
    }

    /// Returns the correction with the record before it.
    /// - Throws: `notFound` if the session has no such event; `cannotBeUndone` if the event is not a
    ///   correction, or if its stored copy is deleted.
    private func correction(
        of record: SessionRecord, in rows: any ReadableRows
    ) throws(JournalError) -> (CorrectionRecord, RecordBefore) {
        guard sequence > 0, sequence <= record.sequence else { throw .refused(.notFound(.event)) }
        guard let correction = try rows.correction(of: session, sequence: sequence),
            let before = correction.before
        else {
            throw .refused(.cannotBeUndone)
        }
        return (correction, before)
    }

    // MARK: An earlier late limit for many attendees

    package var planning: Planning { .reading }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard let record = try rows.session(session), record.headCount.checkedIn > LateRuleWork.mostAtOnce,
            case .edited(let old) = try rows.correction(of: session, sequence: sequence)?.before,
            old.lateAfter != record.session.lateAfter
        else { return nil }
        return LateRuleWork(of: record, lateAfter: old.lateAfter)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        Outcome
    > {
        let record = try transaction.rights.session(session, managedBy: actor)
        let (correction, before) = try correction(of: record, in: transaction.rows)
        guard case .edited(let old) = before, let work = work as? LateRuleWork,
            work.isPlanned(for: record.session, lateAfter: old.lateAfter)
        else { return .outdated }
        let after = try earlier(old, than: record.session, correction)
        try transaction.sessions.requireEdit(record.session, to: after, allowOverlap: false)
        return .begun
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> Outcome {
        guard let work = work as? LateRuleWork else { preconditionFailure("the work of another command") }
        return try undo(in: transaction, recomputed: work.recomputed)
    }

    /// Returns the attendee whom the correction changed.
    /// - Throws: `changedSince` if the attendee has changed since the correction.
    private func unchanged(_ correction: CorrectionRecord, in transaction: Transaction) throws(JournalError)
        -> Attendee
    {
        guard let id = correction.attendeeID, let attendee = try transaction.rows.attendee(id),
            attendee.version == correction.versionAfter
        else { throw .refused(.changedSince) }
        return attendee
    }

    private func revert(
        to old: Attendee, grant: [UInt8]?, _ former: FormerHolder?, _ correction: CorrectionRecord,
        in transaction: Transaction
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
        // The rooms have already shown this attendee, so they get a change and not an arrival.
        if after.arrivalSequence == 0, after.status.countsAsCheckedIn {
            after.arrivalSequence = event.sequence
        }
        // If the undoing ends the receipts again, the record loses its holder's questions and votes again.
        var separated: FormerHolder?
        if let former {
            try transaction.attendees.giveBack(former, to: current)
        } else if after.receiptsEndedAt != nil, after.receiptsEndedAt != current.receiptsEndedAt {
            separated = try transaction.attendees.separateHolder(of: current)
        }
        let written = try transaction.attendees.replace(current, with: after, at: event)
        if let grant, keys.grant == nil, try transaction.rows.attendee(in: session, grant: grant) == nil {
            try transaction.rows.setKeys(AttendeeKeys(identity: keys.identity, grant: grant), of: written)
        }
        try save(
            event, of: current.id,
            .corrected(current.withoutEvidence, grant: keys.grant, former: separated),
            version: written.version, in: transaction)
        return (event, written)
    }

    /// Undoes an addition: removes the attendee whom a host had added.
    /// - Throws: `changedSince` if the attendee has changed, has answered a set, or has absorbed another
    ///   record.
    private func remove(_ correction: CorrectionRecord, in transaction: Transaction) throws(JournalError)
        -> Event
    {
        let current = try unchanged(correction, in: transaction)
        let whole = try transaction.rows.whole(current)
        guard whole.answered.isEmpty, try transaction.rows.traces(into: current.id).isEmpty else {
            throw .refused(.changedSince)
        }
        try transaction.attendees.endReceipts(of: current.id)
        try transaction.attendees.remove(current)
        let event = try transaction.record(
            .undone, in: session, attendee: current.id, by: .account(actor),
            EventData(before: current.status, undoes: sequence))
        transaction.publish(.removed(current.id), at: event)
        try transaction.roster.awaitAgain(whole)
        try save(
            event, of: current.id, .removed(whole), version: current.version,
            forgetAt: transaction.now + undoWindow, in: transaction)
        return event
    }

    /// Restores a removed attendee.
    private func restore(_ whole: WholeAttendee, in transaction: Transaction) throws(JournalError) -> (
        Event, Attendee?
    ) {
        guard try transaction.rows.attendee(behind: whole.attendee.id) == nil else {
            throw .refused(.changedSince)
        }
        let attendee = try transaction.attendees.restore(whole)
        let event = try transaction.record(
            .undone, in: session, attendee: attendee.id, by: .account(actor),
            EventData(status: attendee.status, undoes: sequence))
        transaction.publish(.changed(attendee), at: event)
        try save(event, of: attendee.id, .added, version: attendee.version, in: transaction)
        return (event, attendee)
    }

    /// Undoes a merge: restores the merged record, and gives the remaining record its earlier values.
    private func unmerge(
        _ absorbed: WholeAttendee, from remaining: WholeAttendee, _ correction: CorrectionRecord,
        in transaction: Transaction
    ) throws(JournalError) -> (Event, Attendee?) {
        let current = try unchanged(correction, in: transaction)
        let now = try transaction.rows.whole(current)
        let both = Set(absorbed.answered).union(remaining.answered)
        // If the attendee has changed answers since the merge, the records before the merge are outdated.
        let merged = Dictionary(
            (remaining.namedResponses + absorbed.namedResponses).map { ($0.set, $0.answers) }
        ) { kept, _ in kept }
        guard Set(now.answered) == both,
            now.namedResponses.allSatisfy({ merged[$0.set] == $0.answers }),
            try transaction.rows.trace(of: absorbed.attendee.id)?.into == current.id
        else {
            throw .refused(.changedSince)
        }
        try transaction.rows.deleteTrace(of: absorbed.attendee.id)
        try transaction.attendees.remove(current)
        let restored = try transaction.attendees.restore(absorbed)
        // `restore` raises the version by one. So the remaining record gets a higher version than it had
        // after the merge, and clients can tell the two versions of the record apart.
        var old = remaining.attendee
        old.version = current.version
        let reverted = try transaction.attendees.restore(
            WholeAttendee(
                old, keys: remaining.keys, namedResponses: remaining.namedResponses,
                answered: remaining.answered,
                person: remaining.person, personVersion: remaining.personVersion))
        try transaction.roster.separateSlots(now.person, of: absorbed, and: remaining)
        let event = try transaction.record(
            .undone, in: session, attendee: restored.id, by: .account(actor),
            EventData(status: restored.status, into: current.id, undoes: sequence))
        transaction.publish(.changed(restored), at: event)
        transaction.publish(.changed(reverted), at: event)
        try save(event, of: restored.id, nil, version: restored.version, in: transaction)
        return (event, try transaction.rows.attendee(restored.id) ?? restored)
    }

    /// Returns the session with its earlier times and settings. A renewed code stays renewed.
    /// - Throws: `changedSince` if the session has changed since the correction.
    private func earlier(
        _ old: Session, than current: Session, _ correction: CorrectionRecord
    ) throws(JournalError) -> Session {
        guard current.version == correction.versionAfter else { throw .refused(.changedSince) }
        var after = old
        after.codeVersion = current.codeVersion
        after.joinCode = current.joinCode
        return after
    }

    /// Restores the session's earlier times and settings.
    private func revert(
        to old: Session, _ correction: CorrectionRecord, recomputed: LateRuleWork.Recomputed?,
        in transaction: Transaction
    ) throws(JournalError) -> Event {
        let current = try transaction.session(session).session
        let after = try earlier(old, than: current, correction)
        let event = try transaction.sessions.edit(
            current, to: after, allowOverlap: false, .undone, undoes: sequence, note: note ?? "",
            recomputed: recomputed, by: actor
        )
        .event
        guard let event else { throw .refused(.cannotBeUndone) }
        return event
    }

    private func save(
        _ event: Event, of attendee: AttendeeID, _ before: RecordBefore?, version: Int,
        forgetAt: Instant? = nil, in transaction: Transaction
    ) throws(JournalError) {
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: session, sequence: event.sequence, attendeeID: attendee, note: note ?? "",
                before: before, versionAfter: version, forgetAt: forgetAt))
    }
}
