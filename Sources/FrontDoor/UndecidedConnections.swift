/// The connections whose first bytes do not tell yet what they are, in the order of their deadlines.
///
/// A pure value: it gets descriptors and instants, and returns the descriptors to close. Every connection has
/// the same time, so that they expire in the order of their arrival: a queue with gaps replaces a heap.
struct UndecidedConnections {
    typealias Instant = ContinuousClock.Instant

    private struct Entry {
        let descriptor: CInt
        let serial: UInt64
        let deadline: Instant
    }

    private let limit: Int
    private var queue: [Entry] = []
    private var first = 0
    private var nextSerial: UInt64 = 0
    /// The system reuses the numbers of descriptors; the serial tells one use from the next.
    private var present: [CInt: (serial: UInt64, peer: PeerAddress)] = [:]

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var count: Int { present.count }

    /// Adds a connection. If there were too many, returns the oldest, which the caller must close.
    mutating func add(_ descriptor: CInt, peer: PeerAddress, until deadline: Instant) -> CInt? {
        let displaced = present.count >= limit ? popOldest(where: { _ in true }) : nil
        nextSerial += 1
        present[descriptor] = (nextSerial, peer)
        queue.append(Entry(descriptor: descriptor, serial: nextSerial, deadline: deadline))
        return displaced
    }

    func peer(of descriptor: CInt) -> PeerAddress? { present[descriptor]?.peer }

    /// Removes a connection that is decided or closed.
    mutating func remove(_ descriptor: CInt) {
        present[descriptor] = nil
        compact()
    }

    /// Removes a connection whose time has run out at `now`, and returns it; nil if there is none.
    mutating func expire(at now: Instant) -> CInt? { popOldest { $0.deadline <= now } }

    /// The earliest deadline; nil if there are no connections.
    mutating func nextDeadline() -> Instant? {
        compact()
        return first < queue.count ? queue[first].deadline : nil
    }

    /// Removes all connections, and returns them.
    mutating func clear() -> [CInt] {
        defer { (queue, first, present) = ([], 0, [:]) }
        return Array(present.keys)
    }

    private mutating func popOldest(where isDue: (Entry) -> Bool) -> CInt? {
        compact()
        guard first < queue.count, isDue(queue[first]) else { return nil }
        let descriptor = queue[first].descriptor
        first += 1
        present[descriptor] = nil
        return descriptor
    }

    /// Skips the connections that were removed, and releases memory when half of the queue is skipped.
    private mutating func compact() {
        while first < queue.count, present[queue[first].descriptor]?.serial != queue[first].serial {
            first += 1
        }
        if first > 64, first * 2 > queue.count {
            queue.removeFirst(first)
            first = 0
        }
    }
}
