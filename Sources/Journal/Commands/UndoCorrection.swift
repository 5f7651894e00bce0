package import Meetings

/// Undoes or repeats one correction: a changed record, a new name, an addition, a removal, a merge, a move
/// (an attendee left or returned), an edit
/// of the session's times, a change of a question from the audience, or the moderation of a text or a word.
/// The undoing records its own event, and can be undone too.
/// - Throws: `nothingToUndo` and `nothingToRedo` if no correction is named and there is none;
///   `cannotBeUndone` if the event is not a correction, if its stored copy is deleted, or if there is
///   nothing to restore; `changedSince` if the record has changed since the correction; for an edit of the
///   session, the refusals of `EditSession`.
package struct UndoCorrection: Command {
    package let session: SessionID
    package let step: UndoStep
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

    package init(session: SessionID, _ step: UndoStep, note: String? = nil, actor: AccountID) {
        self.session = session
        self.step = step
        self.note = note
        self.actor = actor
    }

    package init(session: SessionID, sequence: Int64, note: String? = nil, actor: AccountID) {
        self.init(session: session, .named(sequence), note: note, actor: actor)
    }

    /// The kind of the event that this command records.
    private var kind: Event.Kind {
        if case .redo = step { .redone } else { .undone }
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        _ = try transaction.rights.session(session, managedBy: actor)
        return try undo(in: transaction)
    }

    /// Undoes the correction. The caller has checked the actor's right.
    /// - Parameter recomputed: the attendees whose status the late rule has changed already; nil to apply the
    ///   rule now.
    func undo(
        in transaction: Transaction, recomputed: LateRuleWork.Recomputed? = nil
    ) throws(JournalError) -> Outcome {
        let record = try transaction.session(session)
        // The work of an edit has already changed statuses, so no other step may take its place.
        let (correction, before) = try correction(
            of: record, onlyEdits: recomputed != nil, in: transaction.rows, at: transaction.now)
        let (event, attendee): (Event, Attendee?)
        switch before {
        case .corrected(let old, let grant, let former):
            (event, attendee) = try revert(
                to: old, grant: grant, former, correction, in: transaction)
        case .added: (event, attendee) = (try remove(correction, in: transaction), nil)
        case .removed(let whole): (event, attendee) = try restore(whole, correction, in: transaction)
        case .merged(let absorbed, let remaining):
            (event, attendee) = try unmerge(absorbed, from: remaining, correction, in: transaction)
        case .separated(let absorbed, let version, _, _):
            (event, attendee) = try mergeAgain(absorbed, version, correction, in: transaction)
        case .moved(_, let undone, _):
            (event, attendee) = try revertMove(undone, correction, in: transaction)
        case .edited(let old):
            (event, attendee) = (
                try revert(to: old, correction, recomputed: recomputed, in: transaction), nil
            )
        case .question(let old):
            event = try transaction.audience.revert(to: old, correction, kind, by: actor, note: note)
            attendee = nil
        case .text(let change):
            event = try transaction.texts.revert(change, correction, kind, by: actor, note: note)
            attendee = nil
        case .word(let change):
            event = try transaction.texts.revert(change, correction, kind, by: actor, note: note)
            attendee = nil
        case .mergedQuestion(let merged, let root):
            event = try transaction.audience.separate(
                merged, from: root, correction, kind, by: actor, note: note)
            attendee = nil
        case .separatedQuestion(let merged, let root):
            event = try transaction.audience.mergeAgain(
                merged, into: root, correction, kind, by: actor, note: note)
            attendee = nil
        }
        return Outcome(event: event, attendee: attendee, record: try transaction.session(session))
    }

    /// Returns the correction with the record before it.
    /// - Throws: `notFound` if the session has no such event; `cannotBeUndone` if the event is not a
    ///   correction, or if its stored copy is deleted; `nothingToUndo` and `nothingToRedo`.
    private func correction(
        of record: SessionRecord, onlyEdits: Bool = false, in rows: any ReadableRows, at now: Instant
    ) throws(JournalError) -> (CorrectionRecord, RecordBefore) {
        let found: CorrectionRecord?
        let refusal: Refusal
        switch step {
        case .named(let sequence):
            guard sequence > 0, sequence <= record.sequence else { throw .refused(.notFound(.event)) }
            // The list of a session leaves out admissions and moves, so theirs is that of the attendee.
            let event = try rows.events(of: record.session.id, after: sequence - 1, limit: 1).first
            let isAtDoor = event.map { [.checkedIn, .left, .returned].contains($0.kind) } ?? false
            var history = try UndoHistory(
                of: record, attendee: isAtDoor ? event?.attendeeID : nil, in: rows)
            (found, refusal) = (try history.named(sequence), .cannotBeUndone)
        case .latest(let attendee):
            var history = try UndoHistory(of: record, attendee: attendee, in: rows)
            (found, refusal) = (try history.latest(onlyEdits: onlyEdits, at: now), .nothingToUndo)
        case .redo(let attendee):
            var history = try UndoHistory(of: record, attendee: attendee, in: rows)
            (found, refusal) = (try history.undoneLast(onlyEdits: onlyEdits, at: now), .nothingToRedo)
        }
        guard let found, let before = found.before else { throw .refused(refusal) }
        // The copy of a record has its name.
        if found.attendeeID != nil { try record.requireNames() }
        return (found, before)
    }

    /// Returns the event of the correction that this command would reverse now.
    package func target(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> Event {
        guard let record = try rows.session(session) else { throw .refused(.notFound(.session)) }
        let sequence = try correction(of: record, in: rows, at: now).0.sequence
        guard let event = try rows.events(of: session, after: sequence - 1, limit: 1).first else {
            throw .refused(.notFound(.event))
        }
        return event
    }

    // MARK: An earlier late limit for many attendees

    package var planning: Planning { .reading }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard let record = try rows.session(session), record.headCount.checkedIn > LateRuleWork.mostAtOnce,
            case .edited(let old) = try plannedStep(of: record, in: rows, at: now),
            old.lateAfter != record.session.lateAfter
        else { return nil }
        return LateRuleWork(of: record, lateAfter: old.lateAfter)
    }

    /// Returns the record before the step; nil if the command would be refused.
    private func plannedStep(of record: SessionRecord, in rows: any ReadableRows, at now: Instant)
        throws(JournalError) -> RecordBefore?
    {
        do throws(JournalError) {
            return try correction(of: record, in: rows, at: now).1
        } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        Outcome
    > {
        let record = try transaction.rights.session(session, managedBy: actor)
        let (correction, before) = try correction(of: record, in: transaction.rows, at: transaction.now)
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
            kind, in: session, attendee: current.id, by: .account(actor),
            EventData(from: current, to: after, undoes: correction.sequence))
        // The rooms have already shown this attendee, so they get a change and not an arrival.
        if after.arrivalSequence == 0, after.status.countsAsCheckedIn {
            after.arrivalSequence = event.sequence
        }
        // If this undo ends the receipts again, it separates the holder's questions and votes again.
        var separated: FormerHolder?
        if let former {
            try transaction.attendees.restoreHolder(former, to: current)
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

    /// Undoes the attendee's last move, or repeats an undone one.
    /// - Parameter undone: the moment of the move to repeat; nil to undo the last one.
    private func revertMove(
        _ undone: Instant?, _ correction: CorrectionRecord, in transaction: Transaction
    ) throws(JournalError) -> (Event, Attendee?) {
        let current = try unchanged(correction, in: transaction)
        var (after, removed) = (current, nil as Instant?)
        if let undone {
            after.move(at: undone)
        } else {
            removed = after.removeLastMove()
            guard removed != nil else { throw .refused(.cannotBeUndone) }
        }
        after.version += 1
        let event = try transaction.record(
            kind, in: session, attendee: current.id, by: .account(actor),
            EventData(undoes: correction.sequence))
        let written = try transaction.attendees.replace(current, with: after, at: event)
        try save(
            event, of: current.id, .moved(version: current.version, undone: removed, isByHost: true),
            version: written.version, in: transaction)
        return (event, written)
    }

    /// Undoes an addition: removes the attendee whom a host had added. Also repeats a removal that was
    /// undone.
    /// - Throws: `changedSince` if the attendee has changed, has answered a set, or has absorbed another
    ///   record.
    private func remove(_ correction: CorrectionRecord, in transaction: Transaction) throws(JournalError)
        -> Event
    {
        let current = try unchanged(correction, in: transaction)
        let whole = try transaction.rows.whole(current)
        guard try transaction.rows.canRemoveAgain(current, added: correction) else {
            throw .refused(.changedSince)
        }
        try transaction.attendees.endReceipts(of: current.id)
        try transaction.certificates.revoke(of: current.id)
        try transaction.attendees.remove(current)
        let event = try transaction.record(
            kind, in: session, attendee: current.id, by: .account(actor),
            EventData(before: current.status, undoes: correction.sequence))
        transaction.publish(.removed(current.id), at: event)
        try transaction.roster.awaitAgain(whole)
        try save(
            event, of: current.id, .removed(whole), version: current.version,
            forgetAt: transaction.now + undoWindow, in: transaction)
        return event
    }

    /// Restores a removed attendee.
    private func restore(
        _ whole: WholeAttendee, _ correction: CorrectionRecord, in transaction: Transaction
    ) throws(JournalError) -> (Event, Attendee?) {
        guard try transaction.rows.attendee(behind: whole.attendee.id) == nil else {
            throw .refused(.changedSince)
        }
        let attendee = try transaction.attendees.restore(whole)
        let event = try transaction.record(
            kind, in: session, attendee: attendee.id, by: .account(actor),
            EventData(status: attendee.status, undoes: correction.sequence))
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
        guard try transaction.rows.isAsMerged(now, absorbed, into: remaining) else {
            throw .refused(.changedSince)
        }
        try transaction.rows.deleteTrace(of: absorbed.attendee.id)
        // The certificate of the merged record is about neither of the two records.
        try transaction.certificates.revoke(of: current.id)
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
            kind, in: session, attendee: restored.id, by: .account(actor),
            EventData(status: restored.status, into: current.id, undoes: correction.sequence))
        transaction.publish(.changed(restored), at: event)
        transaction.publish(.changed(reverted), at: event)
        let written = try transaction.rows.attendee(restored.id) ?? restored
        let separate = try transaction.rows.attendee(reverted.id) ?? reverted
        try save(
            event, of: separate.id,
            .separated(
                written.id, version: written.version, from: separate.id, former: current.version),
            version: separate.version, in: transaction)
        return (event, written)
    }

    /// Merges two records again whose merge was undone.
    private func mergeAgain(
        _ absorbed: AttendeeID, _ version: Int, _ correction: CorrectionRecord, in transaction: Transaction
    ) throws(JournalError) -> (Event, Attendee?) {
        let remaining = try unchanged(correction, in: transaction)
        guard let other = try transaction.rows.attendee(absorbed), other.version == version else {
            throw .refused(.changedSince)
        }
        let (event, merged) = try transaction.corrections.merge(
            other, into: remaining, kind, undoes: correction.sequence, note: note, by: actor)
        var written = merged
        // The rooms have shown the arrival at the first merge already.
        if written.arrivalSequence == event.sequence,
            let first = try firstStep(behind: event, in: transaction)
        {
            written.arrivalSequence = first
            try transaction.rows.update(written)
        }
        return (event, written)
    }

    /// Returns the sequence of the step that this event repeats, behind all undos and redos of it; nil if
    /// there are more than `UndoHistory.most`.
    private func firstStep(behind event: Event, in transaction: Transaction) throws(JournalError) -> Int64? {
        var (sequence, next) = (event.sequence, event.data.undoes)
        for _ in 0..<UndoHistory.most {
            guard let target = next else { return sequence }
            sequence = target
            next = try transaction.rows.events(of: session, after: target - 1, limit: 1).first?.data.undoes
        }
        return nil
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
            current, to: after, allowOverlap: false, kind, undoes: correction.sequence, note: note ?? "",
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
