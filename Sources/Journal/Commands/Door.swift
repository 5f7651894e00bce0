package import Meetings

/// Lets a person in or out at a door of a session, or says whether the door would let the person in. A
/// repetition changes nothing and says since when the person is in.
/// - Throws: `checkInNotOpen` or `checkInClosed` if the person may come in and it is not the time for
///   check-in; `meetingIsBusy` if a job may be about to expect the person; `notFound` if the session has no
///   such attendee; `limitReached` if the session has `CheckIn.mostAttendees`, or the attendee as many stays
///   as allowed; `checkOutOff` and `sessionOver` for a person who leaves; `notAllowed` unless the actor is a
///   host or a steward.
package struct Admit: Command {
    /// The person at the door.
    package enum Guest: Hashable, Sendable {
        /// A scanned text that leads to nobody.
        case notAPass
        /// The code of a session.
        case sessionCode
        /// A pass whose signature the caller has verified.
        case pass(PassID, of: MeetingID)
        /// The number or address by which the meeting identifies people.
        case identity(IdentityKey)
        /// An attendee whom the staff has found by name.
        case attendee(AttendeeID)
        /// A person whom the staff has found among the replies, and who has no record yet.
        case reply(ReplyID)
        /// A person without a record, by the normalized name.
        case walkIn(name: String)
    }

    /// The verdict with the person, as far as the staff may know them.
    package struct Outcome: Sendable {
        package let verdict: DoorVerdict
        package var person: Person?
        package var attendee: Attendee?
        /// The event that let the person in or out, for an undo; nil if this command has done neither.
        package var sequence: Int64?
        /// The number of the entry that an offline door has stored with the change; nil at a server.
        package var stored: Int64?
        package var counts = HeadCount()
        /// The person's reply; nil if there is none.
        package var reply: Reply?
        /// The seats of the session after this command; nil if it has no limit.
        package var occupancy: Occupancy?
    }

    package let session: SessionID
    package let guest: Guest
    /// The door (`Door.numbers`); nil if it has no number.
    package let door: Int?
    /// Whether to say the verdict only. Then `expected` replaces `admitted`, and nothing changes.
    package let onlyAsks: Bool
    /// Whether the person leaves. A door that lets people out asks nothing first.
    package let leaves: Bool
    /// Whether the staff lets the person in without a seat. Otherwise the verdicts `waiting`, `declined` and
    /// `full` let in nobody.
    package let anyway: Bool
    /// Whether an offline door lets in a genuine pass that it does not know.
    package let takesUnknown: Bool
    /// The kiosk at which the person stands; nil at a door.
    package let kiosk: PresenterLinkID?
    package let actor: AccountID

    package init(
        _ guest: Guest, to session: SessionID, door: Int? = nil, onlyAsks: Bool = false, leaves: Bool = false,
        anyway: Bool = false, takesUnknown: Bool = false, kiosk: PresenterLinkID? = nil, actor: AccountID
    ) {
        self.anyway = anyway
        self.guest = guest
        self.session = session
        self.door = door
        self.onlyAsks = onlyAsks
        self.leaves = leaves
        self.takesUnknown = takesUnknown
        self.kiosk = kiosk
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let record = try transaction.session(session)
        // As a check-in, the door does not wait for a job in the meeting.
        try transaction.rows.requireAtDoor(actor, of: record.meeting.id)
        var outcome = try judge(record, transaction)
        if outcome.sequence != nil, let attendee = outcome.attendee {
            let kind: DoorEntry.Kind = outcome.verdict == .left ? .out : .in
            outcome.stored = try transaction.offlineEntries.add(kind, attendee.id, in: session)
        }
        let after = try transaction.session(session)
        outcome.counts = after.headCount
        outcome.occupancy = try transaction.rows.occupancy(of: after)
        return outcome
    }

    private func judge(_ record: SessionRecord, _ transaction: Transaction) throws(JournalError) -> Outcome {
        let rows = transaction.rows
        switch guest {
        case .notAPass: return Outcome(verdict: .notAPass)
        case .sessionCode: return Outcome(verdict: .sessionCode)
        case .pass(let id, let meeting): return try judge(id, of: meeting, record, transaction)
        case .identity(let key):
            guard let found = try transaction.attendees.known(by: key, in: session) else {
                if let reply = try rows.reply(in: session, key: key) {
                    return try letIn(reply, record, transaction)
                }
                try transaction.requireSettled(record.meeting.id)
                return Outcome(verdict: .notAPass)
            }
            return try letIn(found, by: .door, record, transaction)
        case .attendee(let id):
            guard let found = try rows.attendee(id), found.sessionID == session else {
                throw .refused(.notFound(.attendee))
            }
            return try letIn(found, by: .door, record, transaction)
        case .reply(let id):
            guard let reply = try rows.reply(id), reply.sessionID == session else {
                throw .refused(.notFound(.attendee))
            }
            return try letIn(reply, record, transaction)
        case .walkIn(let name):
            let key = record.meeting.identifyBy == .name ? IdentityKey(name) : nil
            if let key, let found = try transaction.attendees.known(by: key, in: session),
                !found.status.countsAsCheckedIn
            {
                return try letIn(found, by: .door, record, transaction)
            }
            if leaves { return Outcome(verdict: .notIn) }
            return try letInWalkIn(named: name, key, record, transaction)
        }
    }

    private func judge(
        _ id: PassID, of meeting: MeetingID, _ record: SessionRecord, _ transaction: Transaction
    ) throws(JournalError) -> Outcome {
        let rows = transaction.rows
        guard meeting == record.meeting.id else { return Outcome(verdict: .notForThisSession) }
        if transaction.satellite != nil, try rows.pass(id) == nil {
            if leaves { return Outcome(verdict: .notIn) }
            guard takesUnknown, !onlyAsks else { return Outcome(verdict: .unknownHere) }
            try requireOpen(record, transaction)
            try transaction.offlineEntries.expect(id, in: record)
        }
        // The records of erased people and of the oldest revoked passes are gone.
        guard let pass = try rows.pass(id), let person = try rows.person(pass.person),
            person.meetingID == meeting
        else { return Outcome(verdict: .revoked) }
        guard pass.isValid else { return Outcome(verdict: .revoked, person: person) }
        guard pass.session == nil || pass.session == session else {
            return Outcome(verdict: .notForThisSession, person: person)
        }
        guard let slot = try rows.attendee(of: person.id, in: session) else {
            try transaction.requireSettled(meeting)
            return Outcome(verdict: .notForThisSession, person: person)
        }
        // A slot can outlive the archiving, for example of an excused person.
        guard slot.status.countsAsCheckedIn || !person.isArchived else {
            return Outcome(verdict: .notForThisSession, person: person)
        }
        var outcome = try letIn(slot, by: .pass, record, transaction)
        outcome.person = person
        return outcome
    }

    /// Lets in a person who has replied. A person without a record gets one with the seat.
    private func letIn(_ reply: Reply, _ record: SessionRecord, _ transaction: Transaction)
        throws(JournalError) -> Outcome
    {
        if let id = reply.attendee, let attendee = try transaction.rows.attendee(id) {
            return try letIn(attendee, by: .door, record, transaction)
        }
        if leaves { return Outcome(verdict: .notIn, reply: reply) }
        try requireOpen(record, transaction)
        if !anyway, let verdict = try transaction.replies.objection(to: reply, in: record) {
            return Outcome(verdict: verdict, reply: reply)
        }
        if onlyAsks { return Outcome(verdict: .expected, reply: reply) }
        try transaction.requireSettled(record.meeting.id)
        let accepted = try transaction.replies.acceptAtDoor(reply, by: .account(actor))
        guard let id = accepted.attendee, let attendee = try transaction.rows.attendee(id) else {
            throw .refused(.notFound(.attendee))
        }
        return try letIn(attendee, by: .door, record, transaction)
    }

    /// Checks in an attendee, as `CheckIn` does, also one whom a host has marked absent or excused. Nobody
    /// gets a receipt.
    private func letIn(
        _ before: Attendee, by method: CheckInMethod, _ record: SessionRecord, _ transaction: Transaction
    ) throws(JournalError) -> Outcome {
        if leaves { return try letOut(before, record, transaction) }
        if before.status.countsAsCheckedIn {
            guard record.session.recordsLeaving, before.isOutside,
                !record.session.isOver(at: transaction.now)
            else { return Outcome(verdict: .alreadyIn, attendee: before) }
            if onlyAsks { return Outcome(verdict: .expected, attendee: before) }
            let written = try transaction.presence.enterAgain(before, in: record, by: .account(actor))
            return try moved(.returned, written, transaction)
        }
        try requireOpen(record, transaction)
        var reply = try transaction.replies.atDoor(of: before)
        if !anyway, let verdict = try transaction.replies.objection(to: reply, in: record) {
            return Outcome(verdict: verdict, attendee: before, reply: reply)
        }
        if onlyAsks { return Outcome(verdict: .expected, attendee: before, reply: reply) }
        if let found = reply { reply = try transaction.replies.acceptAtDoor(found, by: .account(actor)) }
        var attendee = before
        attendee.status = record.session.status(ofArrivalAt: transaction.now)
        attendee.statusIsByHost = false
        attendee.checkedInAt = transaction.now
        (attendee.method, attendee.door) = (method, door)
        // They would be those of a phone that has checked in before.
        (attendee.typed, attendee.evidence, attendee.consentNumber) = (nil, nil, nil)
        attendee.version += 1
        let grant = try transaction.rows.keys(of: before.id).grant
        let event = try transaction.record(
            .checkedIn, in: session, attendee: before.id, by: .account(actor),
            EventData(status: attendee.status, before: before.status, method: method, link: kiosk))
        attendee = try transaction.attendees.replace(before, with: attendee, at: event)
        try transaction.presence.leaveOthers(than: attendee, in: record, by: .account(actor))
        var outcome = try noted(
            .corrected(before.withoutEvidence, grant: grant), attendee, event, transaction)
        outcome.reply = reply
        return outcome
    }

    private func letOut(_ before: Attendee, _ record: SessionRecord, _ transaction: Transaction)
        throws(JournalError) -> Outcome
    {
        guard before.status.countsAsCheckedIn else { return Outcome(verdict: .notIn, attendee: before) }
        let written = try transaction.presence.leave(before, in: record, by: .account(actor))
        guard written != before else { return Outcome(verdict: .alreadyOut, attendee: before) }
        return try moved(.left, written, transaction)
    }

    /// Returns the verdict about a move. Its event is the newest one of the session.
    private func moved(_ verdict: DoorVerdict, _ attendee: Attendee, _ transaction: Transaction)
        throws(JournalError) -> Outcome
    {
        Outcome(
            verdict: verdict, attendee: attendee, sequence: try transaction.session(session).sequence)
    }

    private func letInWalkIn(
        named name: String, _ key: IdentityKey?, _ record: SessionRecord, _ transaction: Transaction
    ) throws(JournalError) -> Outcome {
        try requireOpen(record, transaction)
        guard record.headCount.known < CheckIn.mostAttendees else {
            throw .refused(.limitReached(.attendee, limit: CheckIn.mostAttendees))
        }
        var attendee = Attendee(
            id: transaction.newAttendeeID(), sessionID: session, name: name,
            status: record.session.status(ofArrivalAt: transaction.now),
            walkIn: try transaction.hasRoster(record.meeting.id),
            firstTime: try transaction.isNewcomer(key, named: name, to: record),
            checkedInAt: transaction.now, method: .door, door: door)
        if !anyway, let verdict = try transaction.replies.objection(to: nil, in: record) {
            return Outcome(verdict: verdict, attendee: attendee)
        }
        if onlyAsks { return Outcome(verdict: .expected, attendee: attendee) }
        let event = try transaction.record(
            .checkedIn, in: session, attendee: attendee.id, by: .account(actor),
            EventData(status: attendee.status, method: .door, walkIn: attendee.walkIn ? true : nil))
        attendee.arrivalSequence = event.sequence
        try transaction.attendees.insert(attendee, key: nil, grant: nil)
        transaction.publish(.arrived(attendee), at: event)
        return try noted(.added, attendee, event, transaction)
    }

    private func requireOpen(_ record: SessionRecord, _ transaction: Transaction) throws(JournalError) {
        if let refusal = record.session.refusal(ofCheckInAt: transaction.now) { throw .refused(refusal) }
    }

    /// Stores how the admission can be undone.
    private func noted(
        _ before: RecordBefore, _ attendee: Attendee, _ event: Event, _ transaction: Transaction
    ) throws(JournalError) -> Outcome {
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: session, sequence: event.sequence, attendeeID: attendee.id, note: "",
                before: before, versionAfter: attendee.version))
        return Outcome(verdict: .admitted, attendee: attendee, sequence: event.sequence)
    }
}

/// Undoes an admission, or a move out or back in, that the same account has made within the last
/// `Door.undoWindow`. A person whom the admission has made to leave another room is inside there again.
/// - Throws: `notFound` if the account has made no such admission; `cannotBeUndone` if it is too old;
///   `changedSince` if the attendee has changed since; `notAllowed` unless the actor is a host or a steward.
package struct UndoAdmission: Command {
    package let session: SessionID
    /// The sequence number of the admission's event.
    package let sequence: Int64
    package let actor: AccountID

    package init(in session: SessionID, sequence: Int64, actor: AccountID) {
        (self.session, self.sequence, self.actor) = (session, sequence, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let record = try transaction.session(session)
        try transaction.rows.requireAtDoor(actor, of: record.meeting.id)
        try transaction.requireSettled(record.meeting.id)
        let found = try transaction.rows.events(of: session, after: sequence - 1, limit: 1).first
        guard let event = found, event.sequence == sequence,
            [.checkedIn, .left, .returned].contains(event.kind), event.actor == .account(actor)
        else { throw .refused(.notFound(.event)) }
        guard transaction.now <= event.at + Door.undoWindow else { throw .refused(.cannotBeUndone) }
        var moves: [Event] = []
        if event.kind != .left, let attendee = try event.attendeeID.flatMap(transaction.rows.attendee) {
            moves = try transaction.presence.leftBecause(of: event, attendee, in: record)
        }
        _ = try UndoCorrection(session: session, sequence: sequence, actor: actor).undo(in: transaction)
        for move in moves {
            _ = try UndoCorrection(session: move.sessionID, sequence: move.sequence, actor: actor).undo(
                in: transaction)
        }
        if let attendee = event.attendeeID {
            try transaction.offlineEntries.undoLast(of: attendee, in: session)
        }
    }
}
