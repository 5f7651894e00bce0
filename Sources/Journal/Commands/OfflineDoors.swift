package import Meetings

/// The entries that the offline door of this process makes. A server makes none.
struct OfflineEntries {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Stores what the door has done for an attendee, and brings the record into the state that follows from
    /// all entries. Returns the number of the entry; nil at a server.
    /// - Throws: `limitReached` if the door has `DoorEntry.mostOfSatellite` entries.
    func add(_ kind: DoorEntry.Kind, _ id: AttendeeID, in session: SessionID) throws(JournalError) -> Int64? {
        guard let own = transaction.satellite, own.session == session,
            var satellite = try rows.satellite(own.id)
        else { return nil }
        let offset = own.clockAhead()
        // A clock that was set back does not change the order of what this door did for one person.
        let last = try rows.doorEntries(about: id).filter { $0.entry.satellite == own.id }.last
        let moment = max(transaction.now, last?.entry.correctedAt ?? transaction.now)
        guard
            var entry = DoorEntry(
                of: own.id, number: satellite.received + 1, kind, .init(id),
                at: moment + .milliseconds(offset), offset: offset)
        else {
            throw .refused(.limitReached(.event, limit: Int(DoorEntry.mostOfSatellite)))
        }
        entry.signature = own.sign(entry.message)
        try rows.insert(
            StoredDoorEntry(
                entry, session: session, attendee: id, receivedAt: transaction.now, state: .merged))
        satellite.received = entry.number
        try rows.update(satellite)
        try settle(id, in: session)
        return entry.number
    }

    /// Stores that the door has undone its last entry about an attendee. Does nothing at a server.
    func undoLast(of attendee: AttendeeID, in session: SessionID) throws(JournalError) {
        guard let own = transaction.satellite else { return }
        let entries = try rows.doorEntries(about: attendee).map(\.entry).filter { $0.satellite == own.id }
        var undone: Set<Int64> = []
        for entry in entries {
            if case .undone(let number) = entry.kind { undone.formUnion([entry.number, number]) }
        }
        let last = entries.map(\.number).filter { !undone.contains($0) }.max()
        if let last { _ = try add(.undone(last), attendee, in: session) }
    }

    /// Brings the record of an attendee into the state that follows from the entries and from the server's
    /// own moves. The record as it is now is no correction by a host, because an offline door has no host.
    /// - Parameter moves: the moves that the server itself has recorded; nil for those that are known.
    func settle(_ id: AttendeeID, in session: SessionID, server moves: [Instant]? = nil)
        throws(JournalError)
    {
        guard let attendee = try rows.attendee(id) else { return }
        var known =
            try rows.doorRecord(of: id)
            ?? DoorRecord(of: id, in: session, moves: [], method: nil, door: nil)
        if let moves {
            known.moves = moves
            known.method = moves.isEmpty ? nil : .door
        }
        known.settled = attendee.doorMoments
        try rows.save(known)
        try DoorMerging(try transaction.session(session), transaction).settleAgain(attendee)
    }

    /// Changes the state of entries, and brings the records of their attendees up to date.
    func change(_ entries: [StoredDoorEntry], to state: StoredDoorEntry.State) throws(JournalError) {
        for var entry in entries where entry.state != state {
            entry.state = state
            try rows.update(entry)
            if let attendee = entry.attendee { try settle(attendee, in: entry.session) }
        }
    }

    /// Expects the owner of a pass that the snapshot does not know. The id of the record is that of the pass,
    /// until a snapshot says whose it is.
    func expect(_ pass: PassID, in record: SessionRecord) throws(JournalError) {
        guard record.headCount.known < CheckIn.mostAttendees else {
            throw .refused(.limitReached(.attendee, limit: CheckIn.mostAttendees))
        }
        try expect(AttendeeID(sameAs: pass), in: record, isUnknown: true)
        let person = PersonID(sameAs: pass)
        try rows.insert(Pass(id: pass, person: person, createdAt: transaction.now))
    }

    /// Adds an awaited attendee without a name.
    func expect(_ id: AttendeeID, in record: SessionRecord, isUnknown: Bool = false) throws(JournalError) {
        let person = PersonID(sameAs: id)
        try rows.insert(Person(id: person, meetingID: record.meeting.id, name: Self.noName))
        try transaction.attendees.insert(
            Attendee(id: id, sessionID: record.session.id, name: Self.noName, walkIn: isUnknown),
            key: nil, grant: nil)
        try rows.setSlot(of: person, to: id, in: record.session.id)
    }

    /// Gives the entries of a pass that nobody knew to its owner, and deletes the record that stood for it.
    func give(_ owner: AttendeeID, _ pass: PassID) throws(JournalError) {
        let id = AttendeeID(sameAs: pass)
        guard let unknown = try rows.attendee(id) else { return }
        while true {
            let part = try rows.allDoorEntries(of: id, limit: MergeDoorEntries.mostOfAttendee)
            for var entry in part {
                entry.attendee = owner
                try rows.update(entry)
            }
            if part.count < MergeDoorEntries.mostOfAttendee { break }
        }
        try transaction.attendees.remove(unknown)
        try rows.delete(PersonID(sameAs: pass))
        try settle(owner, in: unknown.sessionID)
    }

    /// What stands in the database of an offline door instead of a name.
    static let noName = "—"
}

extension Transaction {
    var offlineEntries: OfflineEntries { OfflineEntries(transaction: self) }
}

/// Brings the meeting, the session, the keys and the list of offline doors in the database of an offline door
/// up to date. The first time, it creates them with the only account, which may only keep the door.
package struct TakeSessionSnapshot: Command {
    package let meeting: Meeting
    package let session: Session
    package let keys: [PassKey]
    package let satellites: [Satellite]
    package let steward: Account

    package init(
        _ meeting: Meeting, _ session: Session, keys: [PassKey], satellites: [Satellite], steward: Account
    ) {
        (self.meeting, self.session, self.keys) = (meeting, session, keys)
        (self.satellites, self.steward) = (satellites, steward)
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let rows = transaction.rows
        if try rows.account(steward.id) == nil {
            try rows.insert(steward)
            // Nobody can become the operator of an offline door.
            try rows.noteOperator()
        }
        if let before = try rows.session(session.id) {
            var (changed, edited) = (before.meeting, before.session)
            changed.name = meeting.name
            changed.timeZone = meeting.timeZone
            changed.identifyBy = meeting.identifyBy
            if changed != before.meeting { try transaction.update(changed) }
            edited.title = session.title
            (edited.startsAt, edited.endsAt) = (session.startsAt, session.endsAt)
            edited.lateAfterMinutes = session.lateAfterMinutes
            edited.checkInOpensMinutesBefore = session.checkInOpensMinutesBefore
            edited.checkOut = session.checkOut
            if edited != before.session { try transaction.update(edited) }
        } else {
            try rows.insert(meeting)
            try rows.setRole(.steward, of: steward.id, in: meeting.id)
            try rows.insert(session)
        }
        for key in keys where try rows.passKey(key.number, of: meeting.id) == nil { try rows.insert(key) }
        for satellite in satellites {
            guard var known = try rows.satellite(satellite.id) else {
                try rows.insert(satellite)
                continue
            }
            guard known.isRevoked != satellite.isRevoked else { continue }
            known.revokedAt = satellite.revokedAt
            try rows.update(known)
        }
    }
}

/// Holds the entries of a revoked offline door that do not count, and counts those that a host has accepted;
/// at most `TakeSnapshotAttendees.mostAtOnce` of them.
package struct TakeSnapshotRevocation: Command {
    package let satellite: SatelliteID
    package let countedUntil: Int64
    package let after: Int64

    package init(of satellite: SatelliteID, countedUntil: Int64, after: Int64 = 0) {
        (self.satellite, self.countedUntil, self.after) = (satellite, countedUntil, after)
    }

    /// Returns the number after which the next command continues; nil after the last entry.
    package func run(in transaction: Transaction) throws(JournalError) -> Int64? {
        let most = TakeSnapshotAttendees.mostAtOnce
        let page = try transaction.rows.doorEntries(of: satellite, after: after, limit: most)
        let entries = transaction.offlineEntries
        try entries.change(
            page.filter { $0.entry.number > countedUntil && $0.state == .merged }, to: .held)
        try entries.change(
            page.filter { $0.entry.number <= countedUntil && $0.state == .held }, to: .merged)
        return page.count == most ? page.last?.entry.number : nil
    }
}

/// Takes entries that no longer count, because a host has corrected the record since; at most
/// `TakeSnapshotAttendees.mostAtOnce` of them.
package struct TakeSnapshotOverruled: Command {
    package let numbers: [(SatelliteID, Int64)]

    package init(_ numbers: [(SatelliteID, Int64)]) { self.numbers = numbers }

    package func run(in transaction: Transaction) throws(JournalError) {
        for (satellite, number) in numbers {
            guard let entry = try transaction.rows.doorEntry(number, of: satellite), entry.state == .merged
            else { continue }
            try transaction.offlineEntries.change([entry], to: .overruled)
        }
    }
}

/// Brings the attendees of an offline door up to date, at most `mostAtOnce` of them.
package struct TakeSnapshotAttendees: Command {
    package let session: SessionID
    /// The attendees with the moves that the server itself has recorded.
    package let attendees: [(AttendeeID, [Instant])]

    package static let mostAtOnce = 500

    package init(of session: SessionID, _ attendees: [(AttendeeID, [Instant])]) {
        (self.session, self.attendees) = (session, attendees)
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let (rows, record) = (transaction.rows, try transaction.session(session))
        for (id, moves) in attendees {
            let isNew = try rows.attendee(id) == nil
            if isNew { try transaction.offlineEntries.expect(id, in: record) }
            if var person = try rows.person(PersonID(sameAs: id)), person.isArchived {
                person.isArchived = false
                try rows.update(person)
            }
            // Entries about a new one may have come from other doors before this snapshot.
            let hasEntries = isNew ? try !rows.doorEntries(of: id, limit: 1).isEmpty : false
            let known = try rows.doorRecord(of: id)?.moves ?? []
            if hasEntries || known != moves {
                try transaction.offlineEntries.settle(id, in: session, server: moves)
            }
        }
    }
}

/// Brings the passes of an offline door up to date, at most `TakeSnapshotAttendees.mostAtOnce` of them.
package struct TakeSnapshotPasses: Command {
    package struct Known: Sendable {
        package let id: PassID
        /// The attendee whom the pass lets in; nil if the pass opens nothing in this session.
        package let attendee: AttendeeID?
        package let isRevoked: Bool

        package init(_ id: PassID, of attendee: AttendeeID?, isRevoked: Bool) {
            (self.id, self.attendee, self.isRevoked) = (id, attendee, isRevoked)
        }
    }

    package let session: SessionID
    package let passes: [Known]

    package init(of session: SessionID, _ passes: [Known]) { (self.session, self.passes) = (session, passes) }

    package func run(in transaction: Transaction) throws(JournalError) {
        let (rows, record) = (transaction.rows, try transaction.session(session))
        for known in passes {
            let owner = known.attendee ?? AttendeeID(sameAs: known.id)
            let person = PersonID(sameAs: owner)
            var before = try rows.pass(known.id)
            if let pass = before, pass.person != person {
                // Until now, nobody knew whose pass it is.
                try rows.delete(pass.id)
                before = nil
                if let attendee = known.attendee { try transaction.offlineEntries.give(attendee, pass.id) }
            }
            if try rows.person(person) == nil {
                try rows.insert(Person(id: person, meetingID: record.meeting.id, name: OfflineEntries.noName))
            }
            if before == nil {
                try rows.insert(Pass(id: known.id, person: person, createdAt: transaction.now))
            }
            if var pass = try rows.pass(known.id), pass.isValid == known.isRevoked {
                pass.revokedAt = known.isRevoked ? transaction.now : nil
                try rows.update(pass)
            }
        }
    }
}

/// Expects the people no more whom the newest snapshot does not have.
package struct ForgetSnapshotPeople: Command {
    package let session: SessionID
    package let known: Set<AttendeeID>
    package let after: AttendeeID?

    package init(of session: SessionID, except known: Set<AttendeeID>, after: AttendeeID?) {
        (self.session, self.known, self.after) = (session, known, after)
    }

    /// Returns the attendee after whom the next command continues; nil after the last one.
    package func run(in transaction: Transaction) throws(JournalError) -> AttendeeID? {
        let rows = transaction.rows
        let page = try rows.attendees(
            of: session, statuses: nil, text: nil, after: after, limit: TakeSnapshotAttendees.mostAtOnce)
        for attendee in page where !known.contains(attendee.id) && attendee.id.high >> 16 != 0 {
            guard var person = try rows.person(PersonID(sameAs: attendee.id)),
                !person.isArchived
            else { continue }
            person.isArchived = true
            try rows.update(person)
        }
        return page.count == TakeSnapshotAttendees.mostAtOnce ? page.last?.id : nil
    }
}
