/// The connections that have not said yet what they want, in the order in which their time runs out.
///
/// Pure: descriptors and instants in, descriptors out. As every connection gets the same time, the order of
/// arrival is the order of expiry, and a queue with gaps replaces a heap.
struct WaitingRoom {
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
    /// Descriptors are numbers that the system gives again; the serial tells one use from the next.
    private var present: [CInt: (serial: UInt64, peer: Peer)] = [:]

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var count: Int { present.count }

    /// Takes one in. Returns whom to close for it, where the room was full: the one that waited longest.
    mutating func admit(_ descriptor: CInt, peer: Peer, until deadline: Instant) -> CInt? {
        let displaced = present.count >= limit ? popOldest(where: { _ in true }) : nil
        nextSerial += 1
        present[descriptor] = (nextSerial, peer)
        queue.append(Entry(descriptor: descriptor, serial: nextSerial, deadline: deadline))
        return displaced
    }

    func peer(of descriptor: CInt) -> Peer? { present[descriptor]?.peer }

    /// It has spoken, or is gone.
    mutating func release(_ descriptor: CInt) {
        present[descriptor] = nil
        compact()
    }

    /// One whose time has run out at `now`, to be closed; nil when there is none (more).
    mutating func expire(at now: Instant) -> CInt? { popOldest { $0.deadline <= now } }

    /// When the next one's time runs out.
    mutating func nextDeadline() -> Instant? {
        compact()
        return first < queue.count ? queue[first].deadline : nil
    }

    /// Everybody, for closing; the room is empty afterwards.
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

    /// Passes over those that have left, and gives memory back when half of the queue is behind.
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
