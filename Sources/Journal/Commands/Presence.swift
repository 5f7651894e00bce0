package import Meetings

/// Records that attendees leave a session and return to it.
package struct Presence {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// The most other sessions that one check-in looks through for the same person.
    static let mostOthers = 5

    /// Records that the attendee leaves. Changes nothing if the attendee is outside.
    /// - Parameter isByHost: whether a host corrects the record, so that "undo" reverts it. The door and
    ///   phones give false; a host can then undo the move only by its event.
    /// - Throws: `checkOutOff`, `notCheckedIn`; `sessionOver` after the session's end.
    @discardableResult
    package func leave(
        _ attendee: Attendee, in record: SessionRecord, by actor: Event.Actor, isByHost: Bool = false
    ) throws(JournalError) -> Attendee {
        try move(.left, attendee, in: record, by: actor, isByHost) { $0.leave(at: $1) }
    }

    /// Records that the attendee returns, and leaves the meeting's other sessions. Changes nothing if the
    /// attendee is inside.
    /// - Throws: as `leave`; `limitReached` if the attendee has had `Stays.most` stays.
    @discardableResult
    package func enterAgain(
        _ attendee: Attendee, in record: SessionRecord, by actor: Event.Actor, isByHost: Bool = false
    ) throws(JournalError) -> Attendee {
        let written = try move(.returned, attendee, in: record, by: actor, isByHost) {
            (attendee: inout Attendee, now: Instant) throws(Refusal) in try attendee.enterAgain(at: now)
        }
        if written != attendee { try leaveOthers(than: written, in: record, by: actor) }
        return written
    }

    /// Records that the person of this attendee, who is now inside the session, leaves the meeting's other
    /// sessions of this time. A person is known by the roster slot, the e-mail address or the number, and not
    /// by a name alone. Does nothing, and reads nothing, unless the session records leaving and has begun. A
    /// phone leaves only the sessions that phones may leave.
    /// - Parameter entry: the moment at which an offline door let the person in; nil for now. A stay that
    ///   began after it goes on.
    package func leaveOthers(
        than attendee: Attendee, in record: SessionRecord, by actor: Event.Actor, at entry: Instant? = nil
    ) throws(JournalError) {
        let moment = entry ?? transaction.now
        // A person who checks in early for the next round is still in this one.
        guard record.session.recordsLeaving, moment >= record.session.startsAt else { return }
        for found in try records(like: attendee, in: record, openAt: moment) {
            let left = try transaction.session(found.sessionID)
            // A phone may know only the number of another person.
            if actor == .attendee, left.session.checkOut != .phones { continue }
            if let entry, found.doorMoments.last.map({ $0 > entry }) ?? true { continue }
            try move(.left, found, in: left, by: actor, false, at: moment) { $0.leave(at: $1) }
        }
    }

    /// Returns the newest move of each other record of the person that the event in this session has made to
    /// leave, and that has not changed since. The undo of the event undoes these moves.
    func leftBecause(of event: Event, _ attendee: Attendee, in record: SessionRecord) throws(JournalError)
        -> [Event]
    {
        var moves: [Event] = []
        for found in try records(like: attendee, in: record, openAt: event.at) where found.isOutside {
            let newest = try rows.corrections(of: found.id).max { $0.sequence < $1.sequence }
            guard let newest, newest.versionAfter == found.version,
                let move = try rows.events(of: found.sessionID, after: newest.sequence - 1, limit: 1).first,
                move.kind == .left, move.at == event.at, move.actor == event.actor
            else { continue }
            moves.append(move)
        }
        return moves
    }

    /// Returns the checked-in records of the same person in the meeting's other sessions of this time that
    /// record leaving.
    private func records(like attendee: Attendee, in record: SessionRecord, openAt moment: Instant)
        throws(JournalError) -> [Attendee]
    {
        let others = try rows.sessionsRecordingLeaving(
            of: record.meeting.id, except: record.session.id, openAt: moment, limit: Self.mostOthers)
        guard !others.isEmpty else { return [] }
        let person = try rows.person(inSlotOf: attendee.id)
        var records: [Attendee] = []
        for other in others {
            var found: Attendee?
            if let person {
                found = try rows.attendee(of: person, in: other)
            } else if record.meeting.identifyBy != .name, let key = IdentityKey(ifAny: attendee.identity) {
                found = try transaction.attendees.known(by: key, in: other)
            }
            if let found, found.status.countsAsCheckedIn { records.append(found) }
        }
        return records
    }

    @discardableResult
    private func move(
        _ kind: Event.Kind, _ attendee: Attendee, in record: SessionRecord, by actor: Event.Actor,
        _ isByHost: Bool, at moment: Instant? = nil,
        _ body: (inout Attendee, Instant) throws(Refusal) -> Void
    ) throws(JournalError) -> Attendee {
        let moment = moment ?? transaction.now
        guard record.session.recordsLeaving else { throw .refused(.checkOutOff) }
        guard attendee.status.countsAsCheckedIn else { throw .refused(.notCheckedIn) }
        var after = attendee
        do throws(Refusal) { try body(&after, moment) } catch { throw .refused(error) }
        guard after != attendee else { return attendee }
        if record.session.isOver(at: moment) { throw .refused(.sessionOver) }
        after.version += 1
        let event = try transaction.record(kind, in: attendee.sessionID, attendee: attendee.id, by: actor)
        let written = try transaction.attendees.replace(attendee, with: after, at: event)
        try rows.save(
            CorrectionRecord(
                sessionID: attendee.sessionID, sequence: event.sequence, attendeeID: attendee.id,
                before: .moved(version: attendee.version, isByHost: isByHost), versionAfter: written.version))
        return written
    }
}

extension Transaction {
    package var presence: Presence { Presence(transaction: self) }
}

extension ReadableRows {
    /// Counts the attendees who are partially present at `now`. Reads every attendee who has checked in.
    package func partiallyPresent(in session: Session, at now: Instant) throws(JournalError) -> Int {
        var (count, cursor) = (0, nil as AttendeeID?)
        while true {
            let page = try attendees(
                of: session.id, statuses: [.present, .late], text: nil, after: cursor, limit: 1_000)
            count += page.count { $0.presence(in: session, at: now)?.isPartial == true }
            guard page.count == 1_000, let last = page.last else { return count }
            cursor = last.id
        }
    }
}

/// The two moves of an attendee.
package enum Move: String, Hashable, Sendable, CaseIterable {
    case leave
    case enterAgain = "return"
}

/// Records that an attendee leaves or returns, for a host.
/// - Throws: as `Presence.leave` and `Presence.enterAgain`.
package struct MoveAttendee: Command {
    package let attendee: AttendeeID
    package let move: Move
    package let actor: AccountID

    package init(_ attendee: AttendeeID, _ move: Move, actor: AccountID) {
        (self.attendee, self.move, self.actor) = (attendee, move, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        let (before, record) = try transaction.corrections.target(attendee, by: actor)
        let (presence, actor) = (transaction.presence, Event.Actor.account(actor))
        let after =
            switch move {
            case .leave: try presence.leave(before, in: record, by: actor, isByHost: true)
            case .enterAgain: try presence.enterAgain(before, in: record, by: actor, isByHost: true)
            }
        return (after, try transaction.session(record.session.id))
    }
}

/// Records that an attendee leaves or returns, by the attendee's own phone.
/// - Throws: `receiptNotValid`; `checkOutOff` unless the session records leaving by phones; as
///   `Presence.leave` and `Presence.enterAgain`.
package struct MoveOneself: Command {
    package let receipt: Receipt
    package let move: Move

    package init(_ receipt: Receipt, _ move: Move) { (self.receipt, self.move) = (receipt, move) }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        guard let before = try transaction.rows.attendee(holding: receipt) else {
            throw .refused(.receiptNotValid)
        }
        let record = try transaction.session(before.sessionID)
        guard record.session.checkOut == .phones else { throw .refused(.checkOutOff) }
        let after =
            switch move {
            case .leave: try transaction.presence.leave(before, in: record, by: .attendee)
            case .enterAgain: try transaction.presence.enterAgain(before, in: record, by: .attendee)
            }
        return (after, try transaction.session(before.sessionID))
    }
}
