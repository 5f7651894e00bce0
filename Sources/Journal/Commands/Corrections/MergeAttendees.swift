package import Meetings

/// Makes one of two records of one person. The merged record goes; its receipt, grant and key lead on to the
/// kept one. Each set is answered once: where both have answered a named set, the kept one's response stands.
/// A place on the roster goes over with the record, unless the kept one has its own.
package struct MergeAttendees: Command {
    package let attendee: AttendeeID
    package let into: AttendeeID
    package let note: String?
    /// Of the one that goes.
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        attendee: AttendeeID, into: AttendeeID, note: String? = nil, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.attendee = attendee
        self.into = into
        self.note = note
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        let (gone, record) = try transaction.correcting(attendee, by: actor)
        try expected.check(gone.version)
        guard into != attendee, let kept = try transaction.rows.attendee(into),
            kept.sessionID == gone.sessionID
        else {
            throw .refused(.invalid([FieldError("/into", .unknownAttendee)]))
        }
        let (goneWhole, keptWhole) = (try transaction.rows.whole(gone), try transaction.rows.whole(kept))
        let session = gone.sessionID
        var after = kept.absorbing(gone, in: record.session)
        after.version += 1
        try transaction.movePlace(of: goneWhole, to: keptWhole)
        try transaction.takeOut(gone)
        let event = try transaction.record(
            .merged, in: session, attendee: gone.id, by: .account(actor),
            EventData(status: after.status, before: kept.status, into: kept.id))
        transaction.publish(.removed(gone.id), at: event)
        try transaction.replace(kept, with: after, at: event)
        // A key goes over where it is that of the kept record's own address; else the trace leads from it.
        let isShared = kept.identity.isEmpty || IdentityKey(ifAny: kept.identity) == goneWhole.keys.key
        let keys = AttendeeKeys(
            identity: keptWhole.keys.identity ?? (isShared ? goneWhole.keys.identity : nil),
            grant: keptWhole.keys.grant ?? goneWhole.keys.grant)
        if keys != keptWhole.keys { try transaction.rows.setKeys(keys, of: after) }
        try transaction.rows.insert(
            MergedTrace(id: gone.id, sessionID: session, into: kept.id, keys: goneWhole.keys))
        try transaction.handOver(goneWhole, to: kept.id, which: keptWhole.answered)
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: session, sequence: event.sequence, attendeeID: kept.id, note: note ?? "",
                before: .merged(goneWhole, into: keptWhole), versionAfter: after.version,
                forgetAt: transaction.now + undoWindow))
        guard let written = try transaction.rows.attendee(kept.id) else {
            throw .refused(.notFound(.attendee))
        }
        return (written, try transaction.session(session))
    }
}

extension Transaction {
    /// What one record answered and the other has not.
    fileprivate func handOver(_ gone: WholeAttendee, to kept: AttendeeID, which answered: [String])
        throws(JournalError)
    {
        for set in gone.answered where !answered.contains(set) { _ = try rows.markAnswered(kept, set: set) }
        for response in gone.namedResponses where !answered.contains(response.set) {
            try putBack(
                Response(
                    id: response.id, sessionID: response.sessionID, set: response.set, attendeeID: kept,
                    answers: response.answers,
                    at: response.at))
        }
    }
}
