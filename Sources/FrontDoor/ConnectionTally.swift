import Synchronization

/// How many connections each address holds, wherever they are by now.
final class ConnectionTally: Sendable {
    private let limit: Int
    private let counts = Mutex<[NumericAddress: Int]>([:])

    init(limit: Int) { self.limit = limit }

    /// A place for one more, or nil where the address has its share.
    func place(for address: NumericAddress) -> ConnectionPlace? {
        let household = address.household
        let isFree = counts.withLock { counts in
            let count = counts[household, default: 0]
            guard count < limit else { return false }
            counts[household] = count + 1
            return true
        }
        return isFree ? ConnectionPlace(household, in: self) : nil
    }

    fileprivate func leave(_ household: NumericAddress) {
        counts.withLock { counts in
            let left = (counts[household] ?? 0) - 1
            counts[household] = left > 0 ? left : nil
        }
    }
}

/// One connection's place among those of its address. Whoever is handed the connection keeps it as long as
/// the connection lives; letting go of it gives the place back.
package final class ConnectionPlace: Sendable {
    private let household: NumericAddress
    private let tally: ConnectionTally

    init(_ household: NumericAddress, in tally: ConnectionTally) {
        (self.household, self.tally) = (household, tally)
    }

    deinit { tally.leave(household) }
}
