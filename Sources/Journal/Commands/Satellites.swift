package import Meetings

/// Adds an offline door to a session.
/// - Throws: `limitReached` if the session has `Satellite.mostOfSession` offline doors, or more than
///   `Satellite.mostAttendees` attendees.
package struct AddSatellite: Command {
    package let id: SatelliteID
    package let session: SessionID
    package let name: String
    package let door: Int
    package let hasNames: Bool
    package let hasNumbers: Bool
    package let sealingKey: [UInt8]?
    package let codeHash: [UInt8]
    package let actor: AccountID

    package init(
        id: SatelliteID, session: SessionID, name: String, door: Int, hasNames: Bool, hasNumbers: Bool,
        sealingKey: [UInt8]?, codeHash: [UInt8], actor: AccountID
    ) {
        (self.id, self.session, self.name, self.door) = (id, session, name, door)
        (self.hasNames, self.hasNumbers, self.sealingKey) = (hasNames, hasNumbers, sealingKey)
        (self.codeHash, self.actor) = (codeHash, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Satellite {
        let record = try transaction.rights.session(session, managedBy: actor)
        if record.session.isOver(at: transaction.now) { throw .refused(.sessionOver) }
        guard record.headCount.known <= Satellite.mostAttendees else {
            throw .refused(.limitReached(.attendee, limit: Satellite.mostAttendees))
        }
        guard try transaction.rows.satellites(of: session).count < Satellite.mostOfSession else {
            throw .refused(.limitReached(.satellite, limit: Satellite.mostOfSession))
        }
        let satellite = Satellite(
            id: id, session: session, name: name, door: door, hasNames: hasNames, hasNumbers: hasNumbers,
            sealingKey: sealingKey, createdAt: transaction.now, createdBy: actor, codeHash: codeHash)
        try transaction.rows.insert(satellite)
        try transaction.note(.satelliteAdded, by: .account(actor), in: record.meeting.id)
        return satellite
    }
}

/// Ends the rights of an offline door at once. Its entries that arrive later are held.
package struct RevokeSatellite: Command {
    package let satellite: SatelliteID
    package let session: SessionID
    package let actor: AccountID

    package init(_ satellite: SatelliteID, of session: SessionID, actor: AccountID) {
        (self.satellite, self.session, self.actor) = (satellite, session, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let meeting = try transaction.session(session).meeting.id
        try transaction.rows.requireHost(actor, of: meeting)
        var found = try transaction.rows.satellite(satellite, of: session)
        guard !found.isRevoked else { return }
        found.revokedAt = transaction.now
        found.codeHash = nil
        try transaction.rows.update(found)
        try transaction.note(.satelliteRevoked, by: .account(actor), in: meeting)
    }
}

/// Lets a laptop join as an offline door, once, by the code that a host has got. Within
/// `Satellite.repeatWindow`, the laptop with the same key can repeat it for another token.
/// - Throws: `satelliteCodeNotValid` if the code is unknown, was used, or is older than
///   `Satellite.codeLifetime`, or if the offline door was revoked.
package struct JoinSatellite: Command {
    package let codeHash: [UInt8]
    package let publicKey: [UInt8]
    package let tokenHash: [UInt8]

    package init(codeHash: [UInt8], publicKey: [UInt8], tokenHash: [UInt8]) {
        (self.codeHash, self.publicKey, self.tokenHash) = (codeHash, publicKey, tokenHash)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Satellite {
        guard var satellite = try transaction.rows.satellite(codeHash: codeHash),
            transaction.now <= satellite.createdAt + Satellite.codeLifetime,
            try transaction.rows.isUsable(satellite)
        else { throw .refused(.satelliteCodeNotValid) }
        if let joined = satellite.joinedAt {
            guard satellite.publicKey == publicKey, satellite.received == 0,
                transaction.now <= joined + Satellite.repeatWindow
            else { throw .refused(.satelliteCodeNotValid) }
            satellite.tokenHash = tokenHash
            try transaction.rows.update(satellite)
            return satellite
        }
        (satellite.tokenHash, satellite.publicKey) = (tokenHash, publicKey)
        satellite.joinedAt = transaction.now
        try transaction.rows.update(satellite)
        let meeting = try transaction.session(satellite.session).meeting.id
        try transaction.note(.satelliteJoined, by: .server, in: meeting)
        return satellite
    }
}

/// Takes entries of offline doors, each exactly once, and checks their people in or out by the corrected
/// times. It works in the same way on the server and on an offline door that takes the entries of others.
/// Entries of unknown offline doors, and those whose predecessor is missing, are left out: their sender sends
/// them again.
/// - Throws: `doorEntriesDiffer` if another entry of the sender is stored under the same number;
///   `meetingIsBusy` if a job may be about to add the person of an entry.
package struct MergeDoorEntries: Command {
    /// The most entries of one command. A longer exchange is several commands, so that the writer does other
    /// work between them.
    package static let most = 50
    /// The most entries about one attendee that count.
    package static let mostOfAttendee = 200
    /// The most held entries of one offline door.
    package static let mostHeld = 5_000

    package let session: SessionID
    /// Entries whose signatures the caller has verified, those of one offline door in the order of their
    /// numbers.
    package let entries: [DoorEntry]
    /// The offline door that sends them; nil if the sender is no offline door of this session.
    package let sender: SatelliteID?
    /// By how many milliseconds the sender's clock is ahead of this one.
    package let clockAhead: Int64?

    package init(
        _ entries: [DoorEntry], of session: SessionID, from sender: SatelliteID? = nil,
        clockAhead: Int64? = nil
    ) {
        (self.entries, self.session) = (entries, session)
        (self.sender, self.clockAhead) = (sender, clockAhead)
    }

    /// Returns the number of entries that were new.
    package func run(in transaction: Transaction) throws(JournalError) -> Int {
        let rows = transaction.rows
        var merging = DoorMerging(try transaction.session(session), transaction)
        var doors = try rows.satellitesByID(of: session)
        var changed: Set<SatelliteID> = []
        /// The number of held entries of each offline door; nil if its entries count.
        var heldCounts: [SatelliteID: Int?] = [:]
        var taken = 0
        if let sender, let clockAhead, doors[sender] != nil {
            doors[sender]?.seenAt = transaction.now
            doors[sender]?.offset = clockAhead
            changed.insert(sender)
        }
        for entry in entries.prefix(Self.most) {
            guard let door = doors[entry.satellite], door.publicKey != nil else { continue }
            switch entry.order(after: door.received) {
            case .tooEarly: continue
            case .known:
                if entry.satellite == sender,
                    try rows.doorEntry(entry.number, of: entry.satellite)?.entry != entry
                {
                    throw .refused(.doorEntriesDiffer)
                }
                continue
            case .next: break
            }
            let heldCount: Int?
            if let known = heldCounts[door.id] {
                heldCount = known
            } else {
                // An offline door does not know the hosts; it gets no entries that do not count.
                let isHeld = if transaction.satellite == nil { try !rows.isUsable(door) } else { false }
                heldCount = try isHeld ? rows.heldDoorEntryCount(of: door.id) : nil
            }
            guard heldCount ?? 0 < Self.mostHeld else { continue }
            heldCounts[door.id] = .some(heldCount.map { $0 + 1 })
            try merging.take(entry, holding: heldCount != nil)
            doors[door.id]?.received = entry.number
            changed.insert(door.id)
            taken += 1
        }
        for id in changed.sorted() { if let door = doors[id] { try rows.update(door) } }
        try merging.settle(doors)
        return taken
    }
}

/// Accepts or rejects the held entries of a revoked offline door, at most `MergeDoorEntries.most` at once.
/// - Throws: `meetingIsBusy`.
package struct DecideHeldEntries: Command {
    package let satellite: SatelliteID
    package let session: SessionID
    package let accepts: Bool
    package let actor: AccountID

    package init(of satellite: SatelliteID, in session: SessionID, accepts: Bool, actor: AccountID) {
        (self.satellite, self.session) = (satellite, session)
        (self.accepts, self.actor) = (accepts, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (decided: Int, hasMore: Bool) {
        let record = try transaction.rights.session(session, managedBy: actor)
        let rows = transaction.rows
        _ = try rows.satellite(satellite, of: session)
        var held = try rows.heldDoorEntries(of: satellite, limit: MergeDoorEntries.most + 1)
        let hasMore = held.count > MergeDoorEntries.most
        held = Array(held.prefix(MergeDoorEntries.most))
        guard !held.isEmpty else { return (0, false) }
        var merging = DoorMerging(record, transaction)
        for entry in held { try merging.decide(entry, accepts: accepts) }
        try merging.settle(try rows.satellitesByID(of: session))
        try transaction.note(
            accepts ? .heldEntriesAccepted : .heldEntriesRejected, by: .account(actor), in: record.meeting.id)
        return (held.count, hasMore)
    }
}

/// Stores entries, and brings the records of their attendees into the state that follows from all of them.
struct DoorMerging {
    private let record: SessionRecord
    private let transaction: Transaction
    /// The attendees of the entries, with the earlier entries about them and the new ones.
    private var people: [AttendeeID: (earlier: [StoredDoorEntry], new: [StoredDoorEntry])] = [:]
    private var order: [AttendeeID] = []
    private var rows: any WritableRows { transaction.rows }

    init(_ record: SessionRecord, _ transaction: Transaction) {
        (self.record, self.transaction) = (record, transaction)
    }

    /// Stores a new entry.
    mutating func take(_ entry: DoorEntry, holding isHeld: Bool) throws(JournalError) {
        let (attendee, current) = try person(of: entry)
        var state: StoredDoorEntry.State = isHeld ? .held : attendee == nil ? .rejected : .merged
        if state == .merged, let current, try count(of: current) >= MergeDoorEntries.mostOfAttendee {
            state = .rejected
        }
        let stored = StoredDoorEntry(
            entry, session: record.session.id, attendee: attendee, receivedAt: transaction.now, state: state)
        if state == .merged, let current { people[current]?.new.append(stored) }
        try rows.insert(stored)
    }

    /// Decides about a held entry. An entry that the host accepts is rejected if it still belongs to nobody.
    mutating func decide(_ held: StoredDoorEntry, accepts: Bool) throws(JournalError) {
        var decided = held
        decided.state = .rejected
        if accepts {
            var current = try held.attendee.flatMap { id throws(JournalError) in try here(id) }
            if held.attendee == nil { (decided.attendee, current) = try person(of: held.entry) }
            if decided.attendee != nil { decided.state = .merged }
            if let current {
                if try count(of: current) >= MergeDoorEntries.mostOfAttendee {
                    decided.state = .rejected
                } else {
                    people[current]?.new.append(decided)
                }
            }
        }
        try rows.update(decided)
    }

    /// Returns the id to store, and the record that now stands for it. The record is nil if it was deleted.
    private func person(of entry: DoorEntry) throws(JournalError) -> (AttendeeID?, AttendeeID?) {
        switch entry.guest {
        case .attendee(let id):
            if let found = try here(id) { return (id, found) }
            try transaction.requireSettled(record.meeting.id)
            // An attendee of another session stays out.
            return (try rows.attendee(behind: id) == nil ? id : nil, nil)
        case .pass(let id):
            // If there is no room, the entry is rejected here, so that the ones behind it are taken.
            if transaction.satellite != nil, try rows.pass(id) == nil,
                record.headCount.known < CheckIn.mostAttendees
            {
                try transaction.offlineEntries.expect(id, in: record)
            }
            guard let pass = try rows.pass(id), pass.session == nil || pass.session == record.session.id,
                pass.revokedAt.map({ $0 > entry.correctedAt }) ?? true,
                let slot = try rows.attendee(of: pass.person, in: record.session.id)
            else {
                try transaction.requireSettled(record.meeting.id)
                return (nil, nil)
            }
            return (slot.id, slot.id)
        }
    }

    private func here(_ id: AttendeeID) throws(JournalError) -> AttendeeID? {
        guard let found = try rows.attendee(behind: id), found.sessionID == record.session.id else {
            return nil
        }
        return found.id
    }

    /// Returns the number of the entries about an attendee that count, after reading them once.
    private mutating func count(of attendee: AttendeeID) throws(JournalError) -> Int {
        if let known = people[attendee] { return known.earlier.count + known.new.count }
        let earlier = try rows.doorEntries(about: attendee)
        people[attendee] = (earlier, [])
        order.append(attendee)
        return earlier.count
    }

    /// Writes the records of the attendees, in the order of their first entries.
    func settle(_ doors: [SatelliteID: Satellite]) throws(JournalError) {
        for id in order {
            guard let (earlier, new) = people[id], !new.isEmpty, let attendee = try rows.attendee(id) else {
                continue
            }
            try settle(attendee, earlier, new, doors)
        }
    }

    /// Writes the record of an attendee without a new entry.
    func settleAgain(_ attendee: Attendee) throws(JournalError) {
        try settle(
            attendee, try rows.doorEntries(about: attendee.id), [],
            try rows.satellitesByID(of: record.session.id))
    }

    private func settle(
        _ attendee: Attendee, _ earlier: [StoredDoorEntry], _ new: [StoredDoorEntry],
        _ doors: [SatelliteID: Satellite]
    ) throws(JournalError) {
        let current = attendee.doorMoments
        var own = DoorRecord(
            of: attendee.id, in: attendee.sessionID, moves: current, method: attendee.method,
            door: attendee.door)
        var counted: [StoredDoorEntry] = []
        if let known = try rows.doorRecord(of: attendee.id), known.settled == current {
            own = known
            counted = earlier.filter { $0.state == .merged }
        } else {
            // A host, a phone or a door with a network has changed the record since. It holds what the
            // earlier entries said, as far as the host has let it stand.
            for var entry in earlier where entry.state == .merged {
                entry.state = .overruled
                try rows.update(entry)
            }
        }
        let state = DoorHistory((counted + new).map(\.entry), server: own.doorMoves)
            .limited(recordsLeaving: record.session.recordsLeaving)
        own.doubles = DoorHistory((earlier + new).map(\.entry), server: own.doorMoves).doubles.count
        own.settled = state.map(\.at)
        if own.settled != current { try write(state, to: attendee, own, doors) }
        try rows.save(own)
    }

    private func write(
        _ moves: [DoorMove], to before: Attendee, _ own: DoorRecord, _ doors: [SatelliteID: Satellite]
    ) throws(JournalError) {
        guard let first = moves.first else { return try expectAgain(before) }
        var after = before
        let arrives = !before.status.countsAsCheckedIn
        // A host's own word about a person who came is left alone.
        if arrives || !before.statusIsByHost {
            after.status = record.session.status(ofArrivalAt: first.at)
            after.statusIsByHost = false
        }
        after.checkedInAt = first.at
        after.stays = Stays(moves.dropFirst().map(\.at))
        if let entry = first.entry {
            (after.method, after.door) = (.offlineDoor, doors[entry.satellite]?.door)
        } else {
            (after.method, after.door) = (own.method, own.door)
        }
        // They would be those of a phone that has checked in before.
        if arrives { (after.typed, after.evidence, after.consentNumber) = (nil, nil, nil) }
        after.version += 1
        if arrives, let reply = try transaction.replies.atDoor(of: before) {
            _ = try transaction.replies.acceptAtDoor(reply, by: .server)
        }
        guard arrives || before.checkedInAt != first.at else {
            let event = try transaction.record(
                after.isOutside ? .left : .returned, in: before.sessionID, attendee: before.id, by: .server)
            let written = try transaction.attendees.replace(before, with: after, at: event)
            return try leaveOthers(moves, before, written)
        }
        let grant = try rows.keys(of: before.id).grant
        let event = try transaction.record(
            .checkedIn, in: before.sessionID, attendee: before.id, by: .server,
            EventData(status: after.status, before: before.status, method: after.method))
        let written = try transaction.attendees.replace(before, with: after, at: event)
        try rows.save(
            CorrectionRecord(
                sessionID: before.sessionID, sequence: event.sequence, attendeeID: before.id, note: "",
                before: .corrected(before.withoutEvidence, grant: grant), versionAfter: written.version))
        try leaveOthers(moves, before, written)
    }

    /// Ends the person's earlier stays in the meeting's other sessions if the newest move is a new entry.
    private func leaveOthers(_ moves: [DoorMove], _ before: Attendee, _ after: Attendee) throws(JournalError)
    {
        guard let last = moves.last, last.isIn, last.entry != nil, before.doorMoments.last != last.at else {
            return
        }
        try transaction.presence.leaveOthers(than: after, in: record, by: .server, at: last.at)
    }

    /// Every entry that let the attendee in was undone.
    private func expectAgain(_ before: Attendee) throws(JournalError) {
        var after = before
        do throws(Refusal) {
            try AttendanceCorrection(status: .awaited, checkedInAt: nil).apply(
                to: &after, in: record.session, at: transaction.now)
        } catch { throw .refused(error) }
        after.version += 1
        let event = try transaction.record(
            .corrected, in: before.sessionID, attendee: before.id, by: .server,
            EventData(from: before, to: after, fields: ["status", "checkedInAt"]))
        after.receiptsEndedAt = event.sequence
        _ = try transaction.attendees.separateHolder(of: before)
        try transaction.attendees.replace(before, with: after, at: event)
    }
}

extension Attendee {
    /// The moments at which the attendee came in, left, returned, and so on; empty if the attendee has not
    /// checked in, or if nobody knows when.
    package var doorMoments: [Instant] {
        guard status.countsAsCheckedIn, let checkedInAt else { return [] }
        return [checkedInAt] + (stays?.moves ?? [])
    }
}

extension DoorHistory {
    /// The moves that a record can hold.
    fileprivate func limited(recordsLeaving: Bool) -> [DoorMove] {
        Array(moves.prefix(recordsLeaving ? 1 + Stays.mostMoves : 1))
    }
}

extension ReadableRows {
    /// Returns an offline door of the session.
    /// - Throws: `notFound` if the session has no such offline door.
    package func satellite(_ id: SatelliteID, of session: SessionID) throws(JournalError) -> Satellite {
        guard let found = try satellite(id), found.session == session else {
            throw .refused(.notFound(.satellite))
        }
        return found
    }

    /// Returns the offline doors of the session by their ids.
    package func satellitesByID(of session: SessionID) throws(JournalError) -> [SatelliteID: Satellite] {
        Dictionary(uniqueKeysWithValues: try satellites(of: session).map { ($0.id, $0) })
    }

    /// Whether the offline door may act: nobody has revoked it, its session exists, and its creator is still
    /// a host of the meeting and is not suspended.
    package func isUsable(_ satellite: Satellite) throws(JournalError) -> Bool {
        guard !satellite.isRevoked, let record = try session(satellite.session),
            try role(of: satellite.createdBy, in: record.meeting.id)?.isHost == true,
            let creator = try account(satellite.createdBy), creator.suspendedAt == nil
        else { return false }
        return true
    }

    /// Returns the merged and the overruled entries about an attendee and the records that were merged into
    /// it, at most `MergeDoorEntries.mostOfAttendee`.
    package func doorEntries(about attendee: AttendeeID) throws(JournalError) -> [StoredDoorEntry] {
        var found: [StoredDoorEntry] = []
        for id in try ids(of: attendee) where found.count < MergeDoorEntries.mostOfAttendee {
            found += try doorEntries(of: id, limit: MergeDoorEntries.mostOfAttendee - found.count)
        }
        return found
    }

    /// Returns the entries that one place sends to another one.
    package func doorEntries(_ shares: [DoorShare]) throws(JournalError) -> [DoorEntry] {
        var found: [DoorEntry] = []
        for share in shares {
            found += try doorEntries(of: share.satellite, after: share.after, limit: share.count).map(\.entry)
        }
        return found
    }

    /// Returns what an offline door may know of some attendees: the moves that are no entries, and the
    /// entries that no longer count although they are stored as merged, because a host has changed the record
    /// since.
    /// - Parameter attendees: attendees of the session, ordered by id.
    package func ownDoorMoves(of attendees: [Attendee], in session: SessionID, after first: AttendeeID?)
        throws(JournalError) -> [(attendee: Attendee, moves: [Instant], overruled: [StoredDoorEntry])]
    {
        guard let last = attendees.last else { return [] }
        var known: [AttendeeID: DoorRecord] = [:]
        for record in try doorRecords(of: session, after: first, limit: attendees.count)
        where record.attendee <= last.id {
            known[record.attendee] = record
        }
        var found: [(attendee: Attendee, moves: [Instant], overruled: [StoredDoorEntry])] = []
        for attendee in attendees {
            let current = attendee.doorMoments
            if let record = known[attendee.id], record.settled != current {
                let merged = try doorEntries(about: attendee.id).filter { $0.state == .merged }
                found.append((attendee, current, merged))
            } else {
                found.append((attendee, known[attendee.id]?.moves ?? current, []))
            }
        }
        return found
    }

    /// Returns the doubles of a session, by attendee and time, each with its number among the attendee's own.
    /// - Parameter last: the attendee and the number of the double before the first one to return.
    package func doubles(of session: SessionID, after last: (AttendeeID, Int)?, limit: Int)
        throws(JournalError) -> [(attendee: Attendee, double: DoorDouble, own: DoorRecord, number: Int)]
    {
        var found: [(attendee: Attendee, double: DoorDouble, own: DoorRecord, number: Int)] = []
        // The doubles of the first one may all be before.
        for record in try doorRecordsWithDoubles(of: session, from: last?.0, limit: limit + 1)
        where found.count < limit {
            guard let attendee = try attendee(record.attendee) else { continue }
            let entries = try doorEntries(about: attendee.id).map(\.entry)
            let doubles = DoorHistory(entries, server: record.doorMoves).doubles
            let before = last.map { $0.0 == attendee.id ? $0.1 : 0 } ?? 0
            for (index, double) in doubles.enumerated().dropFirst(before) where found.count < limit {
                found.append((attendee, double, record, index + 1))
            }
        }
        return found
    }
}
