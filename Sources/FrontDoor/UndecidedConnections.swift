/// The connections whose protocol is not known yet, in the order of their deadlines.
///
/// This value has no side effects. The caller passes descriptors and times, and closes the descriptors that
/// the functions return. All connections have the same time limit, so they expire in the order of their
/// arrival, and a queue is sufficient instead of a heap.
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
    /// The current connections by descriptor. The system reuses descriptors, so each connection also has a
    /// serial number.
    private var present: [CInt: (serial: UInt64, peer: PeerAddress)] = [:]

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var count: Int { present.count }

    /// Adds a connection. If the limit is exceeded, removes and returns the oldest connection, which the
    /// caller must close.
    mutating func add(_ descriptor: CInt, peer: PeerAddress, until deadline: Instant) -> CInt? {
        let displaced = present.count >= limit ? popOldest(where: { _ in true }) : nil
        nextSerial += 1
        present[descriptor] = (nextSerial, peer)
        queue.append(Entry(descriptor: descriptor, serial: nextSerial, deadline: deadline))
        return displaced
    }

    func peer(of descriptor: CInt) -> PeerAddress? { present[descriptor]?.peer }

    /// Removes a connection whose protocol is known or that is closed.
    mutating func remove(_ descriptor: CInt) {
        present[descriptor] = nil
        compact()
    }

    /// Removes and returns a connection whose deadline has passed at `now`, or returns nil if there is none.
    mutating func expire(at now: Instant) -> CInt? { popOldest { $0.deadline <= now } }

    /// Returns the earliest deadline, or nil if there are no connections.
    mutating func nextDeadline() -> Instant? {
        compact()
        return first < queue.count ? queue[first].deadline : nil
    }

    /// Removes and returns all connections.
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

    /// Skips the removed connections, and frees memory when half of the queue is skipped.
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
