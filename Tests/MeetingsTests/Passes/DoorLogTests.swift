import Meetings
import Seeds
import Testing

/// Entries of several offline doors, drawn by a seed.
private struct DrawnDoors {
    let logs: [DoorLog]
    let entries: [DoorEntry]
    let passes: [PassID: AttendeeID]

    init(seed: UInt64, doors: Int = 4, people: Int = 6, most: Int = 40) {
        var random = SeededNumbers(seed: seed)
        let start: Int64 = 1_795_255_200_000
        passes = Dictionary(
            uniqueKeysWithValues: (0..<people).map {
                (PassID(high: 0, low: UInt64($0)), AttendeeID(high: 1 << 20, low: UInt64($0)))
            })
        var logs: [DoorLog] = []
        for door in 0..<doors {
            let satellite = SatelliteID(high: 1, low: UInt64(door))
            let offset = Int64.random(in: -3_600_000...3_600_000, using: &random)
            var (log, moment, own) = (DoorLog(), start, [DoorEntry]())
            for number in 0..<Int64.random(in: 0...Int64(most), using: &random) {
                // Few different moments, so that some entries have the same one.
                moment += Int64.random(in: 0...3, using: &random) * 60_000
                let person = UInt64.random(in: 0..<UInt64(people), using: &random)
                var guest = DoorEntry.Guest.attendee(ID(high: 1 << 20, low: person))
                if Int.random(in: 0..<8, using: &random) == 0 { guest = .pass(ID(high: 0, low: person)) }
                var kind = DoorEntry.Kind.in
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<3: kind = .out
                case 3:
                    if let undone = own.randomElement(using: &random) {
                        (kind, guest) = (.undone(undone.number), undone.guest)
                    }
                default: break
                }
                guard
                    let entry = DoorEntry(
                        of: satellite, number: number + 1, kind, guest,
                        at: Instant(milliseconds: moment + offset), offset: offset,
                        signature: (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &random) })
                else { preconditionFailure("the drawn values are within their ranges") }
                own.append(entry)
                _ = log.take(entry)
            }
            logs.append(log)
        }
        self.logs = logs
        entries = logs.flatMap { $0.entries.values.joined() }
    }

    /// A log of a random part of the entries, as an exchange that broke off leaves it.
    func part(_ random: inout SeededNumbers) -> DoorLog {
        var part = DoorLog()
        for log in logs {
            for entry in log.lacking([:], most: .random(in: 0...40, using: &random)) { _ = part.take(entry) }
        }
        return part
    }
}

private func merged(_ left: DoorLog, _ right: DoorLog) -> DoorLog {
    var log = left
    log.merge(right)
    return log
}

@Suite struct DoorLogTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `merging is commutative, associative and idempotent`(seed: UInt64) {
        let doors = DrawnDoors(seed: seed)
        var random = SeededNumbers(seed: seed &+ 1000)
        let (one, two, three) = (doors.part(&random), doors.part(&random), doors.part(&random))
        #expect(merged(one, two) == merged(two, one))
        #expect(merged(merged(one, two), three) == merged(one, merged(two, three)))
        #expect(merged(one, one) == one)
        #expect(merged(one, DoorLog()) == one)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `whatever the order and the partitions of exchanges, all doors know all entries in one state`(
        seed: UInt64
    ) {
        let doors = DrawnDoors(seed: seed)
        var random = SeededNumbers(seed: seed &+ 2000)
        var places = doors.logs
        // Random exchanges of random parts, which may break off after any entry.
        for _ in 0..<60 {
            let (from, to) = (
                Int.random(in: places.indices, using: &random), Int.random(in: places.indices, using: &random)
            )
            let most = Int.random(in: 0...9, using: &random)
            for entry in places[from].lacking(places[to].have, most: most) {
                #expect(places[to].take(entry) == .taken)
            }
        }
        // Then each place meets each other one, in any order, until nobody lacks anything.
        for _ in places.indices {
            for (from, to) in pairs(places.count, &random) {
                for entry in places[from].lacking(places[to].have) { _ = places[to].take(entry) }
            }
        }
        let states = places.map { $0.states(of: doors.passes) }
        for (place, state) in zip(places, states) {
            #expect(place == places[0])
            #expect(state == states[0])
            #expect(Set(place.entries.values.joined()) == Set(doors.entries))
        }
    }

    private func pairs(_ count: Int, _ random: inout SeededNumbers) -> [(Int, Int)] {
        (0..<count).flatMap { from in (0..<count).map { (from, $0) } }.shuffled(using: &random)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `the state depends on the set alone, and each way in counts, is a double or is undone`(seed: UInt64)
    {
        let doors = DrawnDoors(seed: seed, people: 1)
        var random = SeededNumbers(seed: seed &+ 3000)
        let state = DoorHistory(doors.entries)
        let undone = Set(
            doors.entries.compactMap { entry -> [UInt64]? in
                guard case .undone(let number) = entry.kind else { return nil }
                return [entry.satellite.low, UInt64(number)]
            })
        let ways = doors.entries.filter {
            $0.kind == .in && !undone.contains([$0.satellite.low, UInt64($0.number)])
        }
        for _ in 0..<5 { #expect(DoorHistory(doors.entries.shuffled(using: &random)) == state) }
        #expect(DoorHistory(doors.entries + doors.entries) == state)
        let counted = state.moves.filter(\.isIn) + state.doubles.map(\.second)
        #expect(Set(counted.compactMap(\.entry)) == Set(ways))
        #expect(counted.count == ways.count)
        #expect(state.moves.enumerated().allSatisfy { $0.element.isIn == $0.offset.isMultiple(of: 2) })
        #expect(zip(state.moves, state.moves.dropFirst()).allSatisfy { $0.at <= $1.at })
        #expect(state.doubles.allSatisfy { $0.first.at <= $0.second.at })
    }

    @Test func `an entry is taken after its predecessor, once, and a different one with its key is noticed`()
        throws
    {
        let doors = DrawnDoors(seed: 1, doors: 1)
        let entries = doors.entries
        try #require(entries.count > 2)
        var log = DoorLog()
        #expect(log.take(entries[1]) == .tooEarly)
        #expect(log.take(entries[0]) == .taken)
        #expect(log.take(entries[1]) == .taken)
        #expect(log.take(entries[0]) == .known)
        var other = entries[1]
        other.signature[0] ^= 1
        #expect(log.take(other) == .differs)
        #expect(log.have == [entries[0].satellite: 2])
        #expect(log.lacking([entries[0].satellite: 1]) == [entries[1]])
        #expect(log.lacking([entries[0].satellite: 9]).isEmpty)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `an exchange carries the sender's entries first, and then a fair share of each door`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let doors = (0..<6).map { SatelliteID(high: 1, low: $0) }
        func numbers(_ most: Int64) -> [SatelliteID: Int64] {
            Dictionary(uniqueKeysWithValues: doors.map { ($0, Int64.random(in: 0...most, using: &random)) })
        }
        let (last, have) = (numbers(90), numbers(40))
        let most = Int.random(in: 0...200, using: &random)
        let lacking = Dictionary(
            uniqueKeysWithValues: doors.map { ($0, Int(max(0, last[$0, default: 0] - have[$0, default: 0]))) }
        )
        let shares = DoorShare.shares(of: last, lackedBy: have, first: doors[2], most: most)
        let counts = Dictionary(uniqueKeysWithValues: shares.map { ($0.satellite, $0.count) })
        #expect(shares.allSatisfy { $0.after == have[$0.satellite] && $0.count > 0 })
        #expect(counts.values.reduce(0, +) == min(most, lacking.values.reduce(0, +)))
        #expect(counts[doors[2]] ?? 0 == min(most, lacking[doors[2]] ?? 0))
        // A door that does not get all of its entries gets as many as any other one, but for one.
        let others = doors.filter { $0 != doors[2] }
        let largest = others.map { counts[$0] ?? 0 }.max() ?? 0
        for door in others where counts[door] ?? 0 < lacking[door] ?? 0 {
            #expect((counts[door] ?? 0) + 1 >= largest)
        }
    }

    private let ann = AttendeeID(high: 1 << 20, low: 1)

    private func entry(
        _ door: UInt64, _ number: Int64, _ kind: DoorEntry.Kind = .in, minute: Int, ahead: Int = 0
    ) throws -> DoorEntry {
        let start = try instant("2026-11-21T10:00:00Z")
        return try #require(
            DoorEntry(
                of: ID(high: 1, low: door), number: number, kind, .attendee(ann),
                at: start + .minutes(minute + ahead), offset: Int64(ahead) * 60_000))
    }

    @Test func `the earlier way in by the corrected time counts, and the later one is a double`() throws {
        // The clock of door 1 is two hours ahead.
        let (late, early) = (try entry(1, 1, minute: 5, ahead: 120), try entry(2, 1, minute: 2))
        let state = DoorHistory([late, early])
        #expect(state.first?.entry == early)
        #expect(state.doubles.map(\.second.entry) == [late])
        #expect(state.isInside)
    }

    @Test func `a way in after a way out at another door is no double, and neither is an undone one`() throws
    {
        let first = try entry(1, 1, minute: 1)
        #expect(
            DoorHistory([first, try entry(2, 1, .out, minute: 3), try entry(1, 2, minute: 5)]).doubles == [])
        let undo = try entry(2, 2, .undone(1), minute: 4)
        let state = DoorHistory([first, try entry(2, 1, minute: 3), undo])
        #expect(state.doubles.isEmpty && state.moves.count == 1)
        #expect(!DoorHistory([try entry(2, 1, minute: 3), undo]).isInside)
    }

    @Test func `a check-in at the server and a later one at an offline door are a double`() throws {
        let later = try entry(1, 1, minute: 9)
        let own = DoorMove(true, at: try instant("2026-11-21T10:03:00Z"))
        let state = DoorHistory([later], server: [own])
        #expect(state.doubles.map(\.first) == [own] && state.doubles.map(\.second.entry) == [later])
        // The server has taken this entry into its record.
        #expect(DoorHistory([later], server: [DoorMove(true, at: later.correctedAt)]).doubles.isEmpty)
    }
}

@Suite struct DoorEntryTests {
    @Test func `an entry is read as it was written, for a thousand random ones`() throws {
        var random = SeededNumbers(seed: 11)
        for seed in 0..<25 as Range<UInt64> {
            for entry in DrawnDoors(seed: seed).entries {
                let bytes = entry.bytes
                #expect(bytes.count == DoorEntry.length)
                #expect(DoorEntry(bytes: bytes) == entry)
                #expect(DoorEntry(bytes: Array(bytes.dropLast())) == nil)
                var changed = bytes
                let index = Int.random(in: changed.indices, using: &random)
                changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                // A changed byte is refused, or is another entry: no two texts mean the same.
                #expect(DoorEntry(bytes: changed) != entry)
                if let read = DoorEntry(bytes: changed) { #expect(read.bytes == changed) }
            }
        }
    }

    @Test func `values outside their ranges make no entry`() throws {
        let door = SatelliteID(high: 1, low: 1)
        let guest = DoorEntry.Guest.attendee(ID(high: 1 << 20, low: 1))
        let now = try instant("2026-11-21T10:00:00Z")
        func entry(_ number: Int64, _ kind: DoorEntry.Kind = .in, _ at: Instant? = nil, _ offset: Int64 = 0)
            -> DoorEntry?
        {
            DoorEntry(of: door, number: number, kind, guest, at: at ?? now, offset: offset)
        }
        #expect(entry(1) != nil && entry(DoorEntry.mostOfSatellite) != nil && entry(2, .undone(1)) != nil)
        #expect(entry(0) == nil && entry(DoorEntry.mostOfSatellite + 1) == nil)
        #expect(entry(2, .undone(2)) == nil && entry(2, .undone(0)) == nil)
        #expect(entry(1, .in, Instant(milliseconds: -1)) == nil)
        #expect(entry(1, .in, now, .max) == nil && entry(1, .in, now, .min) == nil)
        #expect(entry(1, .in, Instant(milliseconds: 5), 6) == nil)
    }

    @Test func `no pass has the id of an attendee, and no attendee that of a pass`() throws {
        let (door, now) = (SatelliteID(high: 1, low: 1), try instant("2026-11-21T10:00:00Z"))
        func entry(_ guest: DoorEntry.Guest) -> DoorEntry? {
            DoorEntry(
                of: door, number: 1, .in, guest, at: now, offset: 0,
                signature: [UInt8](repeating: 1, count: 64))
        }
        #expect(entry(.attendee(ID(high: 0xFFFF, low: 1))) == nil)
        #expect(entry(.pass(ID(high: 1 << 16, low: 1))) == nil)
        for guest in [DoorEntry.Guest.attendee(ID(high: 1 << 16, low: 1)), .pass(ID(high: 0xFFFF, low: 1))] {
            var bytes = try #require(entry(guest)).bytes
            #expect(DoorEntry(bytes: bytes)?.guest == guest)
            bytes[34] ^= 3
            #expect(DoorEntry(bytes: bytes) == nil)
        }
    }
}
