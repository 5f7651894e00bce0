import Synchronization

/// The number of connections of each address, undecided or handed over. Any thread may use it.
final class ConnectionCounts: Sendable {
    private let limit: Int
    private let counts = Mutex<[NumericAddress: Int]>([:])

    init(limit: Int) { self.limit = limit }

    /// Returns a slot for one more connection, or nil if the address has reached its limit.
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

/// A connection's slot among those of its address. The owner of the connection holds it as long as the
/// connection lives; its release frees the slot.
package final class ConnectionSlot: Sendable {
    private let household: NumericAddress
    private let counts: ConnectionCounts

    init(_ household: NumericAddress, in counts: ConnectionCounts) {
        (self.household, self.counts) = (household, counts)
    }

    deinit { counts.release(household) }
}
