import Meetings
import Seeds
import Testing

/// An evening of eight doors whose networks come and go: 10,000 passes, four hours of simulated time, random
/// partitions, lost and repeated answers, killed laptops and wrong clocks.
struct OfflineEveningTests {
    @Test(arguments: [20_261_130, 41] as [UInt64])
    func `eight doors lose no entry, list every double, and end in one state`(seed: UInt64) throws {
        var evening = Evening(seed: seed)
        for minute in 0..<Evening.minutes { evening.run(minute) }
        evening.reconnect()

        let (made, server) = (evening.made, evening.nodes[0].log)
        #expect(evening.admissions >= Evening.people)
        // 0 lost: everybody has each entry that a door has stored before it said so, once.
        for node in evening.nodes {
            #expect(node.log.entries.values.map(\.count).reduce(0, +) == made.count)
            #expect(Set(node.log.entries.values.joined()) == Set(made))
            #expect(node.log.states() == server.states())
        }
        // The same state for any order in which the entries come.
        var shuffled = DoorLog()
        var waiting = made.shuffled(using: &evening.numbers)
        while !waiting.isEmpty { waiting.removeAll { shuffled.take($0) == .taken } }
        #expect(shuffled == server && shuffled.states() == server.states())

        // Every double is listed, with both entries. The count is made in another way than the log's.
        let (states, expected) = (server.states(), evening.doublesByHand())
        for person in 0..<Evening.people {
            let id = Evening.attendee(person)
            let listed = (states[.attendee(id)]?.doubles ?? []).compactMap(\.second.entry)
            #expect(listed.map(Evening.Key.init) == expected[person, default: []])
        }
        #expect(expected.values.map(\.count).reduce(0, +) > 50)
        #expect(evening.caught > 50, "no door has refused a second entry that another offline door had made")
        #expect(evening.kills > 20 && evening.lostAnswers > 100)
    }
}

/// The doors, the server and the network between them.
private struct Evening {
    static let (people, doors, minutes) = (10_000, 8, 240)
    private static let begin = Instant(milliseconds: 1_800_000_000_000)

    struct Key: Hashable {
        let satellite: SatelliteID
        let number: Int64

        init(_ entry: DoorEntry) { (satellite, number) = (entry.satellite, entry.number) }
    }

    /// A place that stores entries: the server (the first one) or a laptop at a door.
    struct Node {
        let id: SatelliteID
        var log = DoorLog()
        /// The entries by person, so that a door answers without reading all of them.
        var byPerson: [DoorEntry.Guest: [DoorEntry]] = [:]
        /// By how many milliseconds the clock is ahead of the true time, and what the door believes.
        var clockError: Int64 = 0
        var offset: Int64 = 0

        mutating func take(_ entry: DoorEntry) -> DoorLog.Taking {
            let taking = log.take(entry)
            if taking == .taken { byPerson[entry.guest, default: []].append(entry) }
            return taking
        }
    }

    var numbers: SeededNumbers
    var nodes: [Node]
    private(set) var made: [DoorEntry] = []
    private(set) var (admissions, caught, kills, lostAnswers) = (0, 0, 0, 0)
    /// The group of each node. Nodes of one group reach each other.
    private var groups: [Int]
    private var plan: [[(person: Int, isOut: Bool)]]

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        nodes = (0...Self.doors).map { Node(id: SatelliteID(high: 9, low: UInt64($0))) }
        groups = Array(repeating: 0, count: Self.doors + 1)
        plan = Array(repeating: [], count: Self.minutes)
        for door in 1...Self.doors {
            // Some clocks are right within a second, and some wrong by hours.
            let most: Int64 = Bool.random(using: &numbers) ? 1_000 : 5 * 3_600_000
            nodes[door].clockError = Int64.random(in: -most...most, using: &numbers)
            // The laptop has compared its clock when it joined, up to a second wrong.
            nodes[door].offset = nodes[door].clockError + Int64.random(in: -1_000...1_000, using: &numbers)
        }
        for person in 0..<Self.people {
            let minute = Int.random(in: 0..<Self.minutes - 20, using: &numbers)
            plan[minute].append((person, false))
            // One pass in ten is shown again somewhere, and one person in ten leaves, perhaps to return.
            if Int.random(in: 0..<10, using: &numbers) == 0 {
                plan[minute + Int.random(in: 0..<10, using: &numbers)].append((person, false))
            }
            if Int.random(in: 0..<10, using: &numbers) == 0 {
                plan[minute + 5].append((person, true))
                if Bool.random(using: &numbers) { plan[minute + 15].append((person, false)) }
            }
        }
    }

    static func attendee(_ person: Int) -> AttendeeID { AttendeeID(high: 1 << 20, low: UInt64(person)) }

    mutating func run(_ minute: Int) {
        // A partition holds for some minutes. Now and then, the server is alone for half an hour.
        if Int.random(in: 0..<4, using: &numbers) == 0 {
            let count = Int.random(in: 1...5, using: &numbers)
            for node in nodes.indices { groups[node] = Int.random(in: 0..<count, using: &numbers) }
        }
        if minute / 30 % 2 == 1 { groups[0] = -1 }
        for (person, isOut) in plan[minute].shuffled(using: &numbers) {
            let at =
                Self.begin
                + .milliseconds(
                    minute * 60_000 + Int.random(in: 0..<60_000, using: &numbers))
            let door = Int.random(in: 1...Self.doors, using: &numbers)
            show(person, isOut: isOut, at: door, at)
        }
        for door in 1...Self.doors {
            // A laptop is killed and started again: it has what it has stored, and nothing else.
            if Int.random(in: 0..<60, using: &numbers) == 0 { restart(door) }
            // Somebody sets the clock of a laptop.
            if Int.random(in: 0..<200, using: &numbers) == 0 {
                nodes[door].clockError = Int64.random(in: -7_200_000...7_200_000, using: &numbers)
            }
        }
        for one in nodes.indices {
            for other in nodes.indices where other != one && groups[one] == groups[other] {
                if Bool.random(using: &numbers) { exchange(from: one, with: other) }
            }
        }
    }

    /// The door decides by what it knows, and stores an entry before it says anything.
    private mutating func show(_ person: Int, isOut: Bool, at door: Int, _ time: Instant) {
        let guest = DoorEntry.Guest.attendee(Self.attendee(person))
        let known = nodes[door].byPerson[guest] ?? []
        let isInside = DoorHistory(known).isInside
        guard isInside == isOut else {
            if !isOut, known.contains(where: { $0.satellite != nodes[door].id }) { caught += 1 }
            return
        }
        store(isOut ? .out : .in, guest, at: door, time)
        if !isOut { admissions += 1 }
        // One admission in fifty is undone at once, and then made again.
        guard Int.random(in: 0..<50, using: &numbers) == 0 else { return }
        store(.undone(nodes[door].log.have[nodes[door].id] ?? 0), guest, at: door, time + .seconds(1))
        store(isOut ? .out : .in, guest, at: door, time + .seconds(2))
    }

    private mutating func store(
        _ kind: DoorEntry.Kind, _ guest: DoorEntry.Guest, at door: Int, _ time: Instant
    ) {
        let node = nodes[door]
        guard
            let entry = DoorEntry(
                of: node.id, number: (node.log.have[node.id] ?? 0) + 1, kind, guest,
                at: time + .milliseconds(node.clockError), offset: node.offset,
                signature: [UInt8](repeating: UInt8(door), count: 64))
        else { preconditionFailure("a value of an entry is outside its range") }
        made.append(entry)
        precondition(nodes[door].take(entry) == .taken)
    }

    /// Reads the stored bytes of the laptop again.
    private mutating func restart(_ door: Int) {
        kills += 1
        let stored = nodes[door].log.lacking([:], most: .max).map(\.bytes)
        nodes[door].log = DoorLog()
        nodes[door].byPerson = [:]
        for bytes in stored {
            guard let entry = DoorEntry(bytes: bytes) else { preconditionFailure("unreadable bytes") }
            precondition(nodes[door].take(entry) == .taken)
        }
    }

    /// One node sends what the other lacks, and gets what it lacks itself. The request or the answer may be
    /// lost, the other may be killed in the middle, and entries may arrive twice and in the wrong order.
    private mutating func exchange(from one: Int, with other: Int) {
        if one > 0, other == 0 { nodes[one].offset = nodes[one].clockError }
        var sent = nodes[one].log.lacking(nodes[other].log.have)
        if Int.random(in: 0..<10, using: &numbers) == 0 { sent = sent.shuffled(using: &numbers) + sent }
        if Int.random(in: 0..<10, using: &numbers) == 0 {
            sent = Array(sent.prefix(Int.random(in: 0...sent.count, using: &numbers)))
        }
        for entry in sent { precondition(nodes[other].take(entry) != .differs) }
        guard Int.random(in: 0..<10, using: &numbers) > 0 else {
            lostAnswers += 1
            return
        }
        for entry in nodes[other].log.lacking(nodes[one].log.have) {
            precondition(nodes[one].take(entry) != .differs)
        }
    }

    /// The network is back: everybody reaches the server, until nothing is missing any more.
    mutating func reconnect() {
        groups = Array(repeating: 0, count: nodes.count)
        while nodes.contains(where: { $0.log.have != nodes[0].log.have })
            || nodes[0].log.entries.values.map(\.count).reduce(0, +) < made.count
        {
            for door in 1...Self.doors { exchange(from: door, with: 0) }
        }
    }

    /// The second entries of each person, from the list of all entries and not from a log.
    func doublesByHand() -> [Int: [Key]] {
        var undone: Set<Key> = []
        for entry in made {
            guard case .undone(let number) = entry.kind else { continue }
            undone.formUnion(
                made.filter { $0.satellite == entry.satellite && $0.number == number }.map(Key.init))
        }
        var found: [Int: [Key]] = [:]
        var isInside: Set<DoorEntry.Guest> = []
        let ordered = made.filter { !undone.contains(Key($0)) }.sorted {
            ($0.correctedAt, $0.satellite, $0.number) < ($1.correctedAt, $1.satellite, $1.number)
        }
        for entry in ordered {
            guard case .attendee(let id) = entry.guest else { continue }
            switch entry.kind {
            case .out: isInside.remove(entry.guest)
            case .in:
                if !isInside.insert(entry.guest).inserted {
                    found[Int(id.low), default: []].append(Key(entry))
                }
            case .undone: break
            }
        }
        return found
    }
}
