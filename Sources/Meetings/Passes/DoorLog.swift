/// The entries of all offline doors of a session that one place knows. Merging is a set union by key, so the
/// order of the merges changes nothing.
package struct DoorLog: Hashable, Sendable {
    /// The entries of each offline door. The entry with the number n is at the index n - 1.
    package private(set) var entries: [SatelliteID: [DoorEntry]] = [:]

    package init() {}

    /// What happened to an entry that was to be taken.
    package enum Taking: Hashable, Sendable {
        case taken
        /// The same entry is here already.
        case known
        /// An earlier entry of the same offline door is missing, so this one must be sent again.
        case tooEarly
        /// Another entry with the same key is here, and stays. So somebody has copied the folder of the
        /// laptop, or restored an older one.
        case differs
    }

    /// The number of the last entry of each offline door that is here with all earlier ones.
    package var have: [SatelliteID: Int64] { entries.mapValues { Int64($0.count) } }

    package mutating func take(_ entry: DoorEntry) -> Taking {
        // A copy of the array here would make each append copy all entries.
        let count = entries[entry.satellite]?.count ?? 0
        if entry.number <= count {
            return entries[entry.satellite]?[Int(entry.number - 1)] == entry ? .known : .differs
        }
        guard entry.number == count + 1 else { return .tooEarly }
        entries[entry.satellite, default: []].append(entry)
        return .taken
    }

    /// Adds the entries of another log.
    package mutating func merge(_ other: DoorLog) {
        entries.merge(other.entries) { $0.count >= $1.count ? $0 : $1 }
    }

    /// Returns entries that another place lacks, in an order in which it can take all of them.
    /// - Parameter have: the `have` of that place.
    package func lacking(_ have: [SatelliteID: Int64], most: Int = DoorEntry.mostInExchange) -> [DoorEntry] {
        var found: [DoorEntry] = []
        for (satellite, own) in entries.sorted(by: { $0.key < $1.key }) where found.count < most {
            let first = Int(clamping: min(max(have[satellite] ?? 0, 0), Int64(own.count)))
            found += own[first...].prefix(most - found.count)
        }
        return found
    }

    /// Returns the state of each person in the entries.
    /// - Parameter attendees: the attendees whose passes are known here.
    package func states(
        of attendees: [PassID: AttendeeID] = [:], server: [AttendeeID: [DoorMove]] = [:]
    ) -> [DoorEntry.Guest: DoorHistory] {
        let all = entries.values.joined()
        var grouped = Dictionary(grouping: all) { entry in
            if case .pass(let pass) = entry.guest, let attendee = attendees[pass] {
                return DoorEntry.Guest.attendee(attendee)
            }
            return entry.guest
        }
        for attendee in server.keys where grouped[.attendee(attendee)] == nil {
            grouped[.attendee(attendee)] = []
        }
        return Dictionary(
            uniqueKeysWithValues: grouped.map { guest, entries in
                guard case .attendee(let id) = guest else { return (guest, DoorHistory(entries)) }
                return (guest, DoorHistory(entries, server: server[id] ?? []))
            })
    }
}

/// A person's way through a door: in or out, by the corrected time.
package struct DoorMove: Hashable, Sendable {
    package let at: Instant
    package let isIn: Bool
    /// The entry of an offline door; nil for a move that the server itself has recorded.
    package let entry: DoorEntry?

    /// A move that the server has recorded at a door with a network, or by a phone.
    package init(_ isIn: Bool, at: Instant) { (self.isIn, self.at, entry) = (isIn, at, nil) }

    /// Returns nil for an entry that undoes another one.
    package init?(_ entry: DoorEntry) {
        switch entry.kind {
        case .in: isIn = true
        case .out: isIn = false
        case .undone: return nil
        }
        (at, self.entry) = (entry.correctedAt, entry)
    }

    fileprivate static func precedes(_ left: DoorMove, _ right: DoorMove) -> Bool {
        if left.at != right.at { return left.at < right.at }
        switch (left.entry, right.entry) {
        case (let left?, let right?): return (left.satellite, left.number) < (right.satellite, right.number)
        case (_?, nil): return true
        case (nil, nil): return left.isIn && !right.isIn
        case (nil, _?): return false
        }
    }
}

/// A person who came in twice without going out between.
package struct DoorDouble: Hashable, Sendable {
    /// The way in that counts.
    package let first: DoorMove
    package let second: DoorMove
}

/// The state of one person: a function of the set of entries and of the server's own moves alone.
package struct DoorHistory: Hashable, Sendable {
    /// The moves that count: in, out, in, and so on, in the order of their times.
    package private(set) var moves: [DoorMove] = []
    package private(set) var doubles: [DoorDouble] = []

    package var isInside: Bool { moves.last?.isIn ?? false }
    /// The first way in; nil if the person has not come in.
    package var first: DoorMove? { moves.first }

    /// - Parameters:
    ///   - entries: all entries about the person, in any order.
    ///   - server: the moves that the server itself has recorded. A move at the moment of an entry is that
    ///     entry, and is not counted twice.
    package init(_ entries: some Sequence<DoorEntry>, server: [DoorMove] = []) {
        let all = Array(entries)
        var undone: Set<Key> = []
        for entry in all {
            if case .undone(let number) = entry.kind { undone.insert(Key(entry.satellite, number)) }
        }
        let own = Set(all).filter { !undone.contains(Key($0.satellite, $0.number)) }.compactMap(DoorMove.init)
        let others = Set(server).filter { move in
            !own.contains { $0.at == move.at && $0.isIn == move.isIn }
        }
        for move in (own + others).sorted(by: DoorMove.precedes) {
            if let last = moves.last, last.isIn {
                if move.isIn {
                    doubles.append(DoorDouble(first: last, second: move))
                } else {
                    moves.append(move)
                }
            } else if move.isIn {
                moves.append(move)
            }
        }
    }

    private struct Key: Hashable {
        let satellite: SatelliteID
        let number: Int64

        init(_ satellite: SatelliteID, _ number: Int64) {
            (self.satellite, self.number) = (satellite, number)
        }
    }
}
