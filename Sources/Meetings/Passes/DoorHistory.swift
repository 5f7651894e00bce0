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
