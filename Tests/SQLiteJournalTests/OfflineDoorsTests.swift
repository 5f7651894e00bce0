import Journal
import Meetings
import Seeds
import Synchronization
import Testing

@testable import SQLiteJournal

/// Three offline doors and a server, each with a database of its own: admissions, leavings, undos, kills,
/// wrong clocks and exchanges in a random order.
@Suite(.timeLimit(.minutes(5))) struct OfflineDoorsTests {
    @Test(arguments: [20_261_130, 5, 77] as [UInt64])
    func `offline doors and their server end in the same state, and lose nothing`(seed: UInt64) async throws {
        try await withFolder { folder in
            var hall = try await OfflineHall(in: folder, seed: seed)
            defer { for place in hall.places { place.close() } }
            for _ in 0..<400 { try await hall.step() }
            try await hall.exchangeAll()
            let server = try await hall.places[0].state()
            #expect(server.entries == hall.stored)
            #expect(server.moments.values.contains { $0.count > 1 } && server.doubles > 3)
            for place in hall.places.dropFirst() {
                let state = try await place.state()
                #expect(state.entries == server.entries && state.doubles == server.doubles)
                for (attendee, moments) in server.moments where state.moments[attendee] != moments {
                    Issue.record("\(attendee): \(state.moments[attendee] ?? []) is not \(moments)")
                }
            }
            #expect(hall.kills > 3 && hall.undone > 3)
        }
    }

    private let kim = AttendeeID(high: 1 << 20, low: 1)
    private let pass = PassID(high: 0, low: 1)
    private let doors = (1...2).map { number in
        Satellite(
            id: SatelliteID(high: 9, low: UInt64(number)), session: session.id, name: "\(number)",
            door: number, createdAt: begin, createdBy: steward, publicKey: [1], joinedAt: begin)
    }

    @Test func `an entry that came before its attendee was in a snapshot counts after it`() async throws {
        try await withFolder { folder in
            let place = try Place(doors[0].id, folder, clockAhead: 0) { begin }
            defer { place.close() }
            try await place.prepare(doors, [])
            let entry = try #require(
                DoorEntry(
                    of: doors[1].id, number: 1, .in, .attendee(kim), at: begin, offset: 0,
                    signature: [UInt8](repeating: 1, count: 64)))
            #expect(try await place.storage.perform(MergeDoorEntries([entry], of: session.id)) == 1)
            #expect(try await place.state().moments.isEmpty)
            try await place.storage.perform(TakeSnapshotAttendees(of: session.id, [(kim, [])]))
            #expect(try await place.state().moments == [kim: [begin]])
        }
    }

    @Test func `a clock that was set back does not change the order of one person's entries`() async throws {
        try await withFolder { folder in
            let time = OfflineHall.Clock()
            let place = try Place(doors[0].id, folder, clockAhead: 0) { time.now }
            defer { place.close() }
            try await place.prepare(doors, [(pass, kim)])
            func show(leaving: Bool = false) async throws {
                let outcome = try await place.storage.perform(
                    Admit(
                        .pass(pass, of: session.meetingID), to: session.id, leaves: leaving, actor: steward))
                #expect(outcome.stored != nil)
            }
            try await show()
            time.move(by: .minutes(9))
            try await show(leaving: true)
            time.move(by: .minutes(-5))
            try await show()
            let left = begin + .minutes(9)
            #expect(try await place.state().moments == [kim: [begin, left, left]])
        }
    }
}

private let begin = Instant(milliseconds: 1_795_000_000_000)
private let session = Session(
    id: SessionID(high: 1 << 20, low: 2), meetingID: MeetingID(high: 1 << 20, low: 1), round: 1,
    startsAt: begin, endsAt: begin + .hours(8), joinCode: "")
private let steward = AccountID(high: 1 << 20, low: 3)

/// A database: the server's, or that of a laptop.
private final class Place: Sendable {
    let id: SatelliteID
    let folder: String
    let engine: SQLiteEngine
    let storage: Storage

    /// - Parameter clockAhead: the milliseconds by which the laptop's clock is ahead; nil for the server.
    init(_ id: SatelliteID, _ folder: String, clockAhead: Int64?, now: @escaping @Sendable () -> Instant)
        throws
    {
        (self.id, self.folder) = (id, folder)
        engine = try SQLiteEngine(folder: folder)
        let own = clockAhead.map { ahead in
            OwnSatellite(id, in: session.id, clockAhead: { ahead }) { _ in
                [UInt8](repeating: UInt8(truncatingIfNeeded: id.low), count: 64)
            }
        }
        storage = Storage(engine: engine, satellite: own, clock: now)
        try storage.open()
    }

    func close() { engine.close() }

    /// Takes a snapshot of a session with these passes.
    func prepare(_ satellites: [Satellite], _ people: [(PassID, AttendeeID)]) async throws {
        var recorded = session
        recorded.checkOut = .door
        try await storage.perform(
            TakeSessionSnapshot(
                Meeting(id: session.meetingID, name: "Choir", createdAt: begin), recorded, keys: [],
                satellites: satellites,
                steward: Account(
                    id: steward, email: "door@offline.invalid", name: "Door", passwordHash: "$1",
                    verified: true,
                    createdAt: begin)))
        // The doors' creator must be a host for the server, and the door's staff is a steward.
        if id.low == 0 { try await storage.perform(Promote()) }
        try await storage.perform(TakeSnapshotAttendees(of: session.id, people.map { ($0.1, []) }))
        try await storage.perform(
            TakeSnapshotPasses(of: session.id, people.map { .init($0.0, of: $0.1, isRevoked: false) }))
    }

    func state() async throws -> (moments: [AttendeeID: [Instant]], entries: Int, doubles: Int) {
        try await storage.read { rows throws(JournalError) in
            var moments: [AttendeeID: [Instant]] = [:]
            for attendee in try rows.attendees(
                of: session.id, statuses: nil, text: nil, after: nil, limit: 1_000)
            {
                moments[attendee.id] = attendee.doorMoments
            }
            var entries = 0
            for door in try rows.satellites(of: session.id) {
                entries += try rows.doorEntries(of: door.id, after: 0, limit: 10_000).count
            }
            return (moments, entries, try rows.doubleCount(of: session.id))
        }
    }
}

private struct Promote: Command {
    func run(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.setRole(.host, of: steward, in: session.meetingID)
    }
}

private struct OfflineHall {
    /// The server, and then the doors.
    private(set) var places: [Place] = []
    private(set) var (stored, kills, undone) = (0, 0, 0)
    private var numbers: SeededNumbers
    private let clock = Clock()
    private var ahead: [Int64?] = [nil]
    private let people = (1...40).map { (PassID(high: 0, low: $0), AttendeeID(high: 1 << 20, low: $0)) }

    final class Clock: Sendable {
        private let time = Mutex(begin)
        var now: Instant { time.withLock { $0 } }
        func move(by duration: Duration) { time.withLock { $0 = $0 + duration } }
    }

    init(in folder: String, seed: UInt64) async throws {
        numbers = SeededNumbers(seed: seed)
        let satellites = (1...3).map { number in
            Satellite(
                id: SatelliteID(high: 9, low: UInt64(number)), session: session.id, name: "\(number)",
                door: number, createdAt: begin, createdBy: steward, publicKey: [1], joinedAt: begin)
        }
        for number in 0...3 {
            if number > 0 { ahead.append(Int64.random(in: -90_000...90_000, using: &numbers)) }
            places.append(try open(number, in: "\(folder)/\(number)"))
            try await places[number].prepare(satellites, people)
        }
    }

    private func open(_ number: Int, in folder: String) throws -> Place {
        try Place(SatelliteID(high: 9, low: UInt64(number)), folder, clockAhead: ahead[number]) {
            [clock] in clock.now
        }
    }

    mutating func step() async throws {
        clock.move(by: .milliseconds(Int.random(in: 500...20_000, using: &numbers)))
        let door = Int.random(in: 1...3, using: &numbers)
        switch Int.random(in: 0..<20, using: &numbers) {
        case 0: try reopen(door)
        case 1..<5: try await exchange(door, Int.random(in: 0...3, using: &numbers))
        default: try await show(people[Int.random(in: 0..<people.count, using: &numbers)].0, at: door)
        }
    }

    private mutating func show(_ pass: PassID, at door: Int) async throws {
        let leaves = Int.random(in: 0..<4, using: &numbers) == 0
        let outcome = try await places[door].storage.perform(
            Admit(
                .pass(pass, of: session.meetingID), to: session.id, door: door, leaves: leaves,
                actor: steward))
        guard outcome.stored != nil, let sequence = outcome.sequence else { return }
        stored += 1
        guard Int.random(in: 0..<8, using: &numbers) == 0 else { return }
        clock.move(by: .seconds(5))
        do {
            try await places[door].storage.perform(
                UndoAdmission(in: session.id, sequence: sequence, actor: steward))
            stored += 1
            undone += 1
        } catch JournalError.refused(.changedSince) {
            // An entry of another door was earlier than this admission, and has moved it.
        }
    }

    /// The laptop is killed and starts again.
    private mutating func reopen(_ door: Int) throws {
        kills += 1
        let folder = places[door].folder
        places[door].close()
        places[door] = try open(door, in: folder)
    }

    /// One place gives another one what that lacks.
    private func exchange(_ one: Int, _ other: Int) async throws {
        guard one != other else { return }
        for (from, to) in [(places[one], places[other]), (places[other], places[one])] {
            let have = try await to.storage.read { rows throws(JournalError) in
                try rows.satellites(of: session.id).map { ($0.id, $0.received) }
            }
            for (id, number) in have where id != to.id {
                let entries = try await from.storage.read { rows throws(JournalError) in
                    try rows.doorEntries(of: id, after: number, limit: MergeDoorEntries.most)
                }
                guard !entries.isEmpty else { continue }
                _ = try await to.storage.perform(
                    MergeDoorEntries(entries.map(\.entry), of: session.id))
            }
        }
    }

    func exchangeAll() async throws {
        // A round carries fifty entries of each door at most.
        for _ in 0..<12 { for door in 1...3 { try await exchange(door, 0) } }
    }
}
