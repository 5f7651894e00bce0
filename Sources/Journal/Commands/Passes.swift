package import Meetings

/// Finds, adds and ends the personal passes of people on a roster.
struct Passes {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Returns a pass of a person on this meeting's roster.
    /// - Throws: `notFound` if there is no such pass, or if it belongs to another meeting.
    func pass(_ id: PassID, of meeting: MeetingID) throws(JournalError) -> Pass {
        guard let pass = try rows.pass(id), try rows.person(pass.person)?.meetingID == meeting else {
            throw .refused(.notFound(.pass))
        }
        return pass
    }

    /// Stores the key as the meeting's next one, if the meeting has none yet, or none that can sign any more.
    /// - Throws: `limitReached` if the meeting has `PassKey.mostOfMeeting` keys.
    func requireKey(of meeting: MeetingID, orNext key: IssuePasses.NewKey) throws(JournalError) {
        let newest = try rows.newestPassKey(of: meeting)?.number
        guard newest == nil || newest == key.replaced else { return }
        _ = try add(key, to: meeting)
    }

    /// Stores the meeting's next key. Returns its number.
    /// - Throws: `limitReached` if the meeting has `PassKey.mostOfMeeting` keys.
    func add(_ key: IssuePasses.NewKey, to meeting: MeetingID) throws(JournalError) -> Int {
        let number = (try rows.newestPassKey(of: meeting)?.number ?? 0) + 1
        guard number <= PassKey.mostOfMeeting else {
            throw .refused(.limitReached(.passKey, limit: PassKey.mostOfMeeting))
        }
        try rows.insert(key.numbered(number, of: meeting, at: transaction.now))
        return number
    }

    /// Adds a pass. If the person has too many, the oldest revoked one makes room.
    /// - Throws: `limitReached` if the person has `Pass.mostOfPerson` valid passes.
    func add(to person: PersonID, for session: SessionID?, among earlier: [Pass]) throws(JournalError) -> Pass
    {
        if earlier.count >= Pass.mostOfPerson {
            guard let revoked = earlier.first(where: { !$0.isValid }) else {
                throw .refused(.limitReached(.pass, limit: Pass.mostOfPerson))
            }
            try rows.delete(revoked.id)
        }
        let pass = Pass(id: .makeShort(), person: person, session: session, createdAt: transaction.now)
        try rows.insert(pass)
        return pass
    }

    /// Revokes a pass. A revoked one stays as it is.
    func revoke(_ pass: Pass) throws(JournalError) {
        guard pass.isValid else { return }
        var pass = pass
        pass.revokedAt = transaction.now
        try rows.update(pass)
    }
}

extension Transaction {
    var passes: Passes { Passes(transaction: self) }
}

/// Gives passes to one person, or to a part of a roster. A person who has a valid pass for the same sessions
/// gets no other one, so a repetition changes nothing.
/// - Throws: `invalid` if the person is not on the roster or archived; `notFound` if the meeting has no such
///   session; `limitReached` if a person has `Pass.mostOfPerson` valid passes.
package struct IssuePasses: Command {
    package enum Receivers: Sendable {
        case person(PersonID)
        /// The next `mostAtOnce` people of the roster after this position.
        case roster(after: RosterPosition?)
    }

    /// A new key pair. The meeting stores it if it has no key that can sign.
    package struct NewKey: Sendable {
        package let publicKey: [UInt8]
        /// The sealed secret key.
        package let secret: [UInt8]
        /// The number of the meeting's newest key, if the server cannot open its secret any more.
        package let replaced: Int?

        package init(publicKey: [UInt8], secret: [UInt8], replacing replaced: Int? = nil) {
            (self.publicKey, self.secret, self.replaced) = (publicKey, secret, replaced)
        }

        func numbered(_ number: Int, of meeting: MeetingID, at now: Instant) -> PassKey {
            PassKey(meeting: meeting, number: number, publicKey: publicKey, secret: secret, createdAt: now)
        }
    }

    package struct Outcome: Hashable, Sendable {
        package var created = 0
        /// The number of people who had a valid pass already.
        package var existing = 0
        /// The position after which the roster continues; nil after its last person.
        package var next: RosterPosition?
    }

    package let meeting: MeetingID
    package let receivers: Receivers
    /// The only session that the passes open; nil for all sessions.
    package let session: SessionID?
    package let key: NewKey
    /// Whether an earlier command of the same request has created passes. Then the action log names it.
    package let isNoted: Bool
    package let actor: AccountID

    /// The most people of one command, so that it takes a few milliseconds.
    package static let mostAtOnce = 200

    package init(
        meeting: MeetingID, to receivers: Receivers, session: SessionID? = nil, key: NewKey,
        isNoted: Bool = false, actor: AccountID
    ) {
        self.meeting = meeting
        self.receivers = receivers
        self.session = session
        self.key = key
        self.isNoted = isNoted
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let (rows, passes) = (transaction.rows, transaction.passes)
        _ = try transaction.rights.meeting(meeting, managedBy: actor)
        if let session, try rows.session(session)?.meeting.id != meeting {
            throw .refused(.notFound(.session))
        }
        var outcome = Outcome()
        let people: [Person]
        switch receivers {
        case .person(let id):
            guard let person = try rows.person(id), person.meetingID == meeting, !person.isArchived else {
                throw .refused(.invalid([FieldError("/personId", .unknownPerson)]))
            }
            people = [person]
        case .roster(let position):
            people = try rows.people(
                of: meeting, archived: false, text: nil, after: position, limit: Self.mostAtOnce)
            if people.count == Self.mostAtOnce { outcome.next = people.last?.position }
        }
        try passes.requireKey(of: meeting, orNext: key)
        for person in people {
            let earlier = try rows.passes(of: person.id)
            if earlier.contains(where: { $0.isValid && $0.session == session }) {
                outcome.existing += 1
            } else {
                _ = try passes.add(to: person.id, for: session, among: earlier)
                outcome.created += 1
            }
        }
        if outcome.created > 0, !isNoted {
            try transaction.note(.passesCreated, by: .account(actor), in: meeting)
        }
        return outcome
    }
}

/// Revokes a pass. From the commit on, no door of this server accepts it.
/// - Throws: `notFound` if the meeting has no such pass.
package struct RevokePass: Command {
    package let id: PassID
    package let meeting: MeetingID
    package let actor: AccountID

    package init(id: PassID, meeting: MeetingID, actor: AccountID) {
        (self.id, self.meeting, self.actor) = (id, meeting, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        // An end of rights does not wait for a job in the meeting.
        try transaction.rows.requireHost(actor, of: meeting)
        let pass = try transaction.passes.pass(id, of: meeting)
        guard pass.isValid else { return }
        try transaction.passes.revoke(pass)
        try transaction.note(.passRevoked, by: .account(actor), in: meeting)
    }
}

/// Replaces a lost pass: revokes the person's valid passes for the same sessions, and returns a new one.
/// - Throws: `notFound` if the meeting has no such pass; `limitReached` if the person has `Pass.mostOfPerson`
///   valid passes for other sessions.
package struct RenewPass: Command {
    package let id: PassID
    package let meeting: MeetingID
    package let key: IssuePasses.NewKey
    package let actor: AccountID

    package init(id: PassID, meeting: MeetingID, key: IssuePasses.NewKey, actor: AccountID) {
        (self.id, self.meeting, self.key, self.actor) = (id, meeting, key, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Pass {
        let passes = transaction.passes
        try transaction.rows.requireHost(actor, of: meeting)
        let lost = try passes.pass(id, of: meeting)
        // A pass that nobody can print must not replace one that works.
        try passes.requireKey(of: meeting, orNext: key)
        for pass in try transaction.rows.passes(of: lost.person) where pass.session == lost.session {
            try passes.revoke(pass)
        }
        let pass = try passes.add(
            to: lost.person, for: lost.session, among: try transaction.rows.passes(of: lost.person))
        try transaction.note(.passRenewed, by: .account(actor), in: meeting)
        return pass
    }
}

/// Gives the meeting another key for its next passes. The passes of the earlier keys stay valid. Returns the
/// number of the key.
/// - Throws: `limitReached` if the meeting has `PassKey.mostOfMeeting` keys.
package struct ReplacePassKey: Command {
    package let meeting: MeetingID
    package let key: IssuePasses.NewKey
    package let actor: AccountID

    package init(of meeting: MeetingID, by key: IssuePasses.NewKey, actor: AccountID) {
        (self.meeting, self.key, self.actor) = (meeting, key, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Int {
        try transaction.rights.requireHost(actor, of: meeting)
        let number = try transaction.passes.add(key, to: meeting)
        try transaction.note(.passKeyReplaced, by: .account(actor), in: meeting)
        return number
    }
}

/// Checks in the person of a pass that was shown at the door. A repetition changes nothing and says since
/// when the person is in.
/// - Throws: `checkInNotOpen` or `checkInClosed` if the pass is valid and it is not the time for check-in;
///   `meetingIsBusy` if a job may be about to expect the person.
package struct AdmitByPass: Command {
    /// A scanned text whose signature the caller has verified.
    package enum Scanned: Hashable, Sendable {
        case notAPass
        case pass(PassID, of: MeetingID)
    }

    /// The verdict with the person, as far as the host may know them.
    package struct Outcome: Sendable {
        package let verdict: DoorVerdict
        package var person: Person?
        package var attendee: Attendee?
    }

    package let session: SessionID
    package let scanned: Scanned
    package let actor: AccountID

    package init(_ scanned: Scanned, to session: SessionID, actor: AccountID) {
        (self.scanned, self.session, self.actor) = (scanned, session, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let rows = transaction.rows
        let record = try transaction.session(session)
        // As a check-in, the door does not wait for a job in the meeting.
        try rows.requireHost(actor, of: record.meeting.id)
        guard case .pass(let id, let meeting) = scanned else { return Outcome(verdict: .notAPass) }
        guard meeting == record.meeting.id else { return Outcome(verdict: .notForThisSession) }
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
        if slot.status.countsAsCheckedIn {
            return Outcome(verdict: .alreadyIn, person: person, attendee: slot)
        }
        // A slot can outlive the archiving, for example of an excused person.
        guard !person.isArchived else { return Outcome(verdict: .notForThisSession, person: person) }
        if let refusal = record.session.refusal(ofCheckInAt: transaction.now) { throw .refused(refusal) }
        return Outcome(
            verdict: .admitted, person: person, attendee: try admit(slot, in: record, transaction))
    }

    /// Checks in the attendee of a roster slot, as `CheckIn` does, also one whom a host has marked absent or
    /// excused. Nobody gets a receipt.
    private func admit(_ slot: Attendee, in record: SessionRecord, _ transaction: Transaction)
        throws(JournalError) -> Attendee
    {
        var attendee = slot
        attendee.status = record.session.status(ofArrivalAt: transaction.now)
        attendee.statusIsByHost = false
        attendee.checkedInAt = transaction.now
        attendee.method = .pass
        // They would be those of a phone that has checked in before.
        (attendee.typed, attendee.evidence, attendee.consentNumber) = (nil, nil, nil)
        attendee.version += 1
        let event = try transaction.record(
            .checkedIn, in: session, attendee: slot.id, by: .account(actor),
            EventData(status: attendee.status, before: slot.status, method: .pass))
        return try transaction.attendees.replace(slot, with: attendee, at: event)
    }
}
