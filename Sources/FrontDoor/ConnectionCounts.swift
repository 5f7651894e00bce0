import Synchronization

/// Counts the connections of each address. Undecided connections and connections of the servers are counted.
/// Any thread may call all functions.
final class ConnectionCounts: Sendable {
    private let limit: Int
    private let counts = Mutex<[NumericAddress: Int]>([:])

    init(limit: Int) { self.limit = limit }

    /// Counts one more connection and returns its slot, or returns nil if the address has reached its limit.
    func slot(for address: NumericAddress) -> ConnectionSlot? {
        let household = address.household
        let isFree = counts.withLock { counts in
            let count = counts[household, default: 0]
            guard count < limit else { return false }
            counts[household] = count + 1
            return true
        }
        return isFree ? ConnectionSlot(household, in: self) : nil
    }

    fileprivate func release(_ household: NumericAddress) {
        counts.withLock { counts in
            let left = (counts[household] ?? 0) - 1
            counts[household] = left > 0 ? left : nil
        }
    }
}

/// A connection that is counted for its address. The owner of the connection must retain this object as long
/// as the connection exists. When this object is released, the connection is no longer counted.
package final class ConnectionSlot: Sendable {
    private let household: NumericAddress
    private let counts: ConnectionCounts

    init(_ household: NumericAddress, in counts: ConnectionCounts) {
        (self.household, self.counts) = (household, counts)
    }

    deinit { counts.release(household) }
}
