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
    func requireKey(of meeting: MeetingID, orNext key: NewSigningKey) throws(JournalError) {
        let newest = try rows.newestPassKey(of: meeting)?.number
        if key.isNeeded(after: newest) { _ = try add(key, to: meeting) }
    }

    /// Stores the meeting's next key. Returns its number.
    /// - Throws: `limitReached` if the meeting has `PassKey.mostOfMeeting` keys.
    func add(_ key: NewSigningKey, to meeting: MeetingID) throws(JournalError) -> Int {
        let number = (try rows.newestPassKey(of: meeting)?.number ?? 0) + 1
        guard number <= PassKey.mostOfMeeting else {
            throw .refused(.limitReached(.passKey, limit: PassKey.mostOfMeeting))
        }
        try rows.insert(
            PassKey(
                meeting: meeting, number: number, publicKey: key.publicKey, secret: key.secret,
                createdAt: transaction.now))
        return number
    }

    /// Adds a pass. If the person has too many, the oldest revoked one makes room, or else the oldest one for
    /// a session that is over.
    /// - Throws: `limitReached` if the person has `Pass.mostOfPerson` valid passes that can still open a
    ///   session.
    /// - Parameter passes: all passes of the person, as they are stored.
    func add(to person: PersonID, for session: SessionID?, among passes: inout [Pass]) throws(JournalError)
        -> Pass
    {
        if passes.count >= Pass.mostOfPerson {
            guard let useless = try firstUseless(passes) else {
                throw .refused(.limitReached(.pass, limit: Pass.mostOfPerson))
            }
            try rows.delete(useless.id)
            passes.removeAll { $0.id == useless.id }
        }
        let pass = Pass(id: .makeShort(), person: person, session: session, createdAt: transaction.now)
        try rows.insert(pass)
        passes.append(pass)
        return pass
    }

    private func firstUseless(_ passes: [Pass]) throws(JournalError) -> Pass? {
        if let revoked = passes.first(where: { !$0.isValid }) { return revoked }
        for pass in passes where try isOver(pass) { return pass }
        return nil
    }

    /// Whether the pass is for one session, which is over or being deleted.
    func isOver(_ pass: Pass) throws(JournalError) -> Bool {
        guard let session = pass.session else { return false }
        do throws(JournalError) {
            return try transaction.session(session).session.isOver(at: transaction.now)
        } catch {
            guard case .refused(.notFound) = error else { throw error }
            return true
        }
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
    package let key: NewSigningKey
    /// Whether an earlier command of the same request has created passes. Then the action log names it.
    package let isNoted: Bool
    package let actor: AccountID

    /// The most people of one command, so that it takes a few milliseconds.
    package static let mostAtOnce = 200

    package init(
        meeting: MeetingID, to receivers: Receivers, session: SessionID? = nil, key: NewSigningKey,
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
            var held = try rows.passes(of: person.id)
            if held.contains(where: { $0.isValid && $0.session == session }) {
                outcome.existing += 1
            } else {
                _ = try passes.add(to: person.id, for: session, among: &held)
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

/// Replaces a lost pass: revokes it, and returns a new one for the same sessions. If the pass has been
/// replaced before, returns the valid one, so that a late renewal does not end it.
/// - Throws: `notFound` if the meeting has no such pass; `limitReached` if the person has `Pass.mostOfPerson`
///   valid passes for other sessions.
package struct RenewPass: Command {
    package let id: PassID
    package let meeting: MeetingID
    package let key: NewSigningKey
    package let actor: AccountID

    package init(id: PassID, meeting: MeetingID, key: NewSigningKey, actor: AccountID) {
        (self.id, self.meeting, self.key, self.actor) = (id, meeting, key, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Pass {
        let passes = transaction.passes
        try transaction.rows.requireHost(actor, of: meeting)
        let lost = try passes.pass(id, of: meeting)
        // A pass that nobody can print must not replace one that works.
        try passes.requireKey(of: meeting, orNext: key)
        var held = try transaction.rows.passes(of: lost.person)
        if !lost.isValid, let valid = held.last(where: { $0.isValid && $0.session == lost.session }) {
            return valid
        }
        for pass in held where pass.session == lost.session { try passes.revoke(pass) }
        held = try transaction.rows.passes(of: lost.person)
        let pass = try passes.add(to: lost.person, for: lost.session, among: &held)
        try transaction.note(.passRenewed, by: .account(actor), in: meeting)
        return pass
    }
}

/// Replaces the passes of a part of a roster, for example after a theft of printed passes or of a secret.
/// Each valid pass ends, and its person gets one for the same sessions. Passes of archived people, and passes
/// for sessions that are over, only end.
package struct RenewPasses: Command {
    /// The position after which the roster continues.
    package struct Place: Hashable, Sendable {
        let archived: Bool
        let position: RosterPosition?

        /// The beginning of the roster.
        package static let start = Place(archived: false, position: nil)
    }

    package struct Outcome: Hashable, Sendable {
        /// The number of new passes.
        package var renewed = 0
        /// The number of passes that ended without a new one.
        package var revoked = 0
        /// The place where the next command continues; nil after the last person.
        package var next: Place?

        package init(next: Place? = nil) { self.next = next }
    }

    package let meeting: MeetingID
    /// Only passes from before this moment are replaced, so that a repetition with the same moment replaces
    /// no pass twice.
    package let before: Instant
    package let place: Place
    package let key: NewSigningKey
    /// Whether an earlier command of the same request has replaced passes. Then the action log names it.
    package let isNoted: Bool
    package let actor: AccountID

    /// The passes of one command after which it ends, so that it takes a few milliseconds. The passes of one
    /// person are never divided.
    package static let mostAtOnce = 400

    package init(
        of meeting: MeetingID, createdBefore before: Instant, after place: Place = .start,
        key: NewSigningKey, isNoted: Bool = false, actor: AccountID
    ) {
        self.meeting = meeting
        self.before = before
        self.place = place
        self.key = key
        self.isNoted = isNoted
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let (rows, passes) = (transaction.rows, transaction.passes)
        // As the end of one pass, the end of all does not wait for a job in the meeting.
        try rows.requireHost(actor, of: meeting)
        try passes.requireKey(of: meeting, orNext: key)
        var outcome = Outcome()
        let people = try rows.people(
            of: meeting, archived: place.archived, text: nil, after: place.position,
            limit: IssuePasses.mostAtOnce)
        var (looked, isCut) = (0, false)
        for person in people where !isCut {
            var held = try rows.passes(of: person.id)
            looked += held.count
            let ending = held.filter { $0.isValid && $0.createdAt < before }
            for pass in ending { try passes.revoke(pass) }
            // The ended passes make room now.
            if !ending.isEmpty { held = try rows.passes(of: person.id) }
            for pass in ending {
                let isUseless = try passes.isOver(pass)
                if person.isArchived || isUseless {
                    outcome.revoked += 1
                } else {
                    _ = try passes.add(to: person.id, for: pass.session, among: &held)
                    outcome.renewed += 1
                }
            }
            if looked >= Self.mostAtOnce {
                outcome.next = Place(archived: place.archived, position: person.position)
                isCut = true
            }
        }
        if !isCut {
            if people.count == IssuePasses.mostAtOnce {
                outcome.next = Place(archived: place.archived, position: people.last?.position)
            } else if !place.archived {
                outcome.next = Place(archived: true, position: nil)
            }
        }
        if outcome.renewed + outcome.revoked > 0, !isNoted {
            try transaction.note(.passesRenewed, by: .account(actor), in: meeting)
        }
        return outcome
    }
}

/// Gives the meeting another key for its next passes. The passes of the earlier keys stay valid. Returns the
/// number of the key.
/// - Throws: `limitReached` if the meeting has `PassKey.mostOfMeeting` keys.
package struct ReplacePassKey: Command {
    package let meeting: MeetingID
    package let key: NewSigningKey
    package let actor: AccountID

    package init(of meeting: MeetingID, by key: NewSigningKey, actor: AccountID) {
        (self.meeting, self.key, self.actor) = (meeting, key, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Int {
        try transaction.rights.requireHost(actor, of: meeting)
        let number = try transaction.passes.add(key, to: meeting)
        try transaction.note(.passKeyReplaced, by: .account(actor), in: meeting)
        return number
    }
}
