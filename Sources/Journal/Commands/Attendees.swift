import Meetings

/// Inserts, changes, removes and restores attendees with their counts, tallies, roster slots and receipts.
/// `replace` publishes the change itself. After the other functions, the caller publishes, because only the
/// caller knows the event.
struct Attendees {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Returns the attendee who has this key. If the record with this key was merged into another, returns
    /// the attendee of that other record.
    func known(by key: IdentityKey, in session: SessionID) throws(JournalError) -> Attendee? {
        if let slot = try transaction.roster.slot(ofOldKey: key, in: session) { return slot }
        if let found = try rows.attendee(in: session, key: key) { return found }
        let hasTraces = try transaction.find(.traces(session)) { () throws(JournalError) in
            try rows.hasTraces(in: session) ? true : nil
        }
        guard hasTraces == true, let trace = try rows.trace(in: session, key: key) else { return nil }
        return try rows.attendee(behind: trace.id)
    }

    /// Inserts an attendee, and adds it to the session's counts.
    func insert(_ attendee: Attendee, key: IdentityKey?, grant: [UInt8]?) throws(JournalError) {
        try rows.insert(attendee, key: key, grant: grant)
        try count(nil, as: attendee)
    }

    /// Updates the session's counts. Nil for `before` counts a new attendee, and nil for `after` a deleted
    /// one.
    func count(_ before: Attendee?, as after: Attendee?) throws(JournalError) {
        if let before, !transaction.uncountMade(before) {
            try transaction.count(in: before.sessionID) { $0.remove(before) }
        }
        if let after { try transaction.count(in: after.sessionID) { $0.add(after) } }
    }

    /// Writes a changed attendee, updates the session's counts and publishes the change. If the attendee
    /// checks in by this event, publishes an arrival. If the attendee is awaited again, releases the grant,
    /// so that a new grant can check this attendee in again. Returns the attendee as written.
    @discardableResult
    func replace(_ before: Attendee, with after: Attendee, at event: Event) throws(JournalError) -> Attendee {
        var written = after
        let arrives = after.status.countsAsCheckedIn && after.arrivalSequence == 0
        if arrives { written.arrivalSequence = event.sequence }
        try rows.update(written)
        if written.receiptsEndedAt != before.receiptsEndedAt { try endReceipts(of: written.id) }
        if before.status != .pending, after.status == .pending, case let keys = try rows.keys(of: written.id),
            keys.grant != nil
        {
            try rows.setKeys(AttendeeKeys(identity: keys.identity), of: written)
        }
        try count(before, as: written)
        if before.status.countsAsCheckedIn, !written.status.countsAsCheckedIn {
            try transaction.certificates.revoke(of: written.id)
        }
        // Members see the name beside the attendee's questions.
        if before.name != written.name { transaction.publishQuestions(of: written.sessionID) }
        transaction.publish(arrives ? .arrived(written) : .changed(written), at: event)
        return written
    }

    /// Deletes an attendee with the named responses and the reply, and updates the tallies and counts. The
    /// journal's events stay, and so do questions from the audience, votes and parts in groups of interest.
    func remove(_ attendee: Attendee) throws(JournalError) {
        try transaction.responses.removeNamed(of: attendee)
        try transaction.audience.publishName(of: attendee)
        try transaction.replies.end(of: attendee.id)
        try rows.delete(attendee.id)
        try count(attendee, as: nil)
    }

    /// Restores a removed attendee under the next version, with the responses and the slot. Returns the
    /// attendee as written.
    /// - Throws: `changedSince` if another attendee now has the key, the grant or the slot, or if the
    ///   questions of the responses have changed.
    func restore(_ whole: WholeAttendee) throws(JournalError) -> Attendee {
        var attendee = whole.attendee
        let keys = whole.keys
        try transaction.roster.makeRoom(for: whole)
        if let key = keys.key, try rows.attendee(in: attendee.sessionID, key: key) != nil {
            throw .refused(.changedSince)
        }
        if let grant = keys.grant, try rows.attendee(in: attendee.sessionID, grant: grant) != nil {
            throw .refused(.changedSince)
        }
        attendee.version += 1
        attendee.followRule(of: try transaction.session(attendee.sessionID).session)
        try insert(attendee, key: keys.key, grant: keys.grant)
        for set in whole.answered { _ = try rows.markAnswered(attendee.id, set: set) }
        for response in whole.namedResponses { try transaction.responses.restore(response) }
        try transaction.audience.publishName(of: attendee)
        return try transaction.roster.takeSlot(whole.person, as: attendee, knownAs: whole.personVersion)
    }

    /// Closes the connections that were opened with a receipt of this attendee, or of a record that was
    /// merged into it, and deletes the devices that were registered with one. Call it before the record is
    /// deleted.
    func endReceipts(of attendee: AttendeeID) throws(JournalError) {
        transaction.endRights(of: .attendee(attendee))
        try transaction.matching.endReceipts(of: attendee)
        try rows.deleteDevices(of: OutgoingMail.Owner(attendee))
        for trace in try rows.traces(into: attendee) { try endReceipts(of: trace.id) }
    }

    /// Separates the questions, votes, groups of interest and hidden responses from a record whose receipts
    /// end, so that its next holder does not see them. Returns what an undo needs; nil if there were none.
    func separateHolder(of attendee: Attendee) throws(JournalError) -> FormerHolder? {
        var moved: [FormerHolder.Moved] = []
        for id in try rows.ids(of: attendee.id) {
            let former = AttendeeID.makeTimeless()
            let hasAsked = try transaction.audience.handOver(
                from: id, to: former, in: attendee.sessionID)
            let hasJoined = try transaction.matching.handOver(from: id, to: former)
            if hasAsked || hasJoined {
                moved.append(FormerHolder.Moved(record: id, former: former))
            }
        }
        let responses = try transaction.responses.unlinkHidden(of: attendee)
        return moved.isEmpty && responses.isEmpty
            ? nil : FormerHolder(moved: moved, responses: responses)
    }

    /// Reverses `separateHolder`, for an undo.
    func restoreHolder(_ former: FormerHolder, to attendee: Attendee) throws(JournalError) {
        for moved in former.moved {
            _ = try transaction.audience.handOver(
                from: moved.former, to: moved.record, in: attendee.sessionID)
            _ = try transaction.matching.handOver(from: moved.former, to: moved.record)
        }
        for response in former.responses { try rows.link(response, to: attendee.id) }
    }

    /// Returns the attendee as currently stored.
    /// - Throws: `notFound` if the attendee does not exist.
    func written(_ id: AttendeeID) throws(JournalError) -> Attendee {
        guard let attendee = try rows.attendee(id) else { throw .refused(.notFound(.attendee)) }
        return attendee
    }
}

extension Transaction {
    var attendees: Attendees { Attendees(transaction: self) }
}

extension Attendee {
    /// Applies the late rule again, because the session's times may have changed since this attendee was
    /// written.
    mutating func followRule(of session: Session) {
        guard !statusIsByHost, status.countsAsCheckedIn, let checkedInAt else { return }
        status = session.status(ofArrivalAt: checkedInAt)
    }

    /// Whether the attendee is awaited and has never checked in.
    var wasOnlyExpected: Bool { status == .pending && arrivalSequence == 0 && checkedInAt == nil }

    /// A copy of the attendee without evidence. Corrections store this copy, because evidence has its own
    /// deletion time and a stored correction may exist longer.
    var withoutEvidence: Attendee {
        var copy = self
        copy.evidence = nil
        return copy
    }
}
