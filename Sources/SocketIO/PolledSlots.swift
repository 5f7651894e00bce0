/// Decides which sessions may begin by polling. A pure value: the server calls it under a lock, and acts
/// afterwards.
///
/// A session takes a slot from its first request until it ends or has become a websocket. All slots and the
/// slots of one address are limited. When all are taken, a new session is not refused, because a few
/// addresses could take them all. Instead, it replaces the oldest session that has not joined a room; else
/// the newest session of the address that has the most sessions. The new session is refused if that address
/// would then have fewer sessions than the new session's address.
///
/// When the slots of one address are taken, a new session replaces the oldest one of this address whose
/// client has shown no token; else the oldest one that has not joined a room. So abandoned sessions keep
/// nobody out who shares the address.
struct PolledSlots {
    enum Admission: Equatable {
        case refused
        case admitted
        /// Admitted in the slot of this session, which must end.
        case replacing(String)
    }

    private struct Slot {
        let origin: String
        let number: Int
        var hasToken = false
        var hasJoined = false
    }

    private let mostOfOrigin: Int
    private let most: Int
    private var slots: [String: Slot] = [:]
    /// The taken slots of each address, with those of sessions that are about to open.
    private var counts: [String: Int] = [:]
    private var count = 0
    /// The sessions of each address that had no token when they opened, the oldest first. Those that have
    /// shown a token or ended since are skipped.
    private var unproved: [String: ArraySlice<String>] = [:]
    /// The sessions that had not joined a room when they opened, the oldest first. Those that have joined or
    /// ended since are skipped.
    private var waiting: ArraySlice<String> = []
    private var opened = 0

    init(ofOrigin mostOfOrigin: Int, inAll most: Int) {
        (self.mostOfOrigin, self.most) = (mostOfOrigin, most)
    }

    /// Takes a slot for a new session, which `open` or `cancel` must follow.
    mutating func admit(_ origin: String) -> Admission {
        let own = counts[origin] ?? 0
        guard own < mostOfOrigin else {
            guard let replaced = oldestUnproved(of: origin) ?? oldestWaiting(of: origin) else {
                return .refused
            }
            free(replaced)
            take(origin)
            return .replacing(replaced)
        }
        guard count >= most else {
            take(origin)
            return .admitted
        }
        guard let replaced = oldestWaiting() ?? newestOfLargest(above: own + 1) else { return .refused }
        free(replaced)
        take(origin)
        return .replacing(replaced)
    }

    /// Begins a session in the slot that `admit` took for this address.
    mutating func open(_ sid: String, of origin: String) {
        opened += 1
        slots[sid] = Slot(origin: origin, number: opened)
        unproved[origin, default: []].append(sid)
        if let own = unproved[origin], own.count > 2 * mostOfOrigin {
            unproved[origin] = own.filter { slots[$0].map { !$0.hasToken } ?? false }[...]
        }
        waiting.append(sid)
        guard waiting.count > 2 * most else { return }
        waiting = waiting.filter { slots[$0].map { !$0.hasJoined } ?? false }[...]
    }

    /// Returns the slot that `admit` took, because no session began.
    mutating func cancel(_ origin: String) { release(origin) }

    /// Notes that the session's client has shown a valid token.
    mutating func prove(_ sid: String) { slots[sid]?.hasToken = true }

    /// Notes that the session has joined a room.
    mutating func join(_ sid: String) { slots[sid]?.hasJoined = true }

    /// Frees the slot of a session that has ended or become a websocket. A second call has no effect.
    mutating func free(_ sid: String) {
        if let slot = slots.removeValue(forKey: sid) { release(slot.origin) }
    }

    private mutating func take(_ origin: String) {
        counts[origin, default: 0] += 1
        count += 1
    }

    private mutating func release(_ origin: String) {
        let left = (counts[origin] ?? 0) - 1
        counts[origin] = left > 0 ? left : nil
        if left <= 0 { unproved[origin] = nil }
        count -= 1
    }

    private mutating func oldestUnproved(of origin: String) -> String? {
        while let sid = unproved[origin]?.popFirst() {
            if slots[sid]?.hasToken == false { return sid }
        }
        return nil
    }

    private mutating func oldestWaiting() -> String? {
        while let sid = waiting.popFirst() {
            if slots[sid]?.hasJoined == false { return sid }
        }
        return nil
    }

    private func oldestWaiting(of origin: String) -> String? {
        slots.filter { $0.value.origin == origin && !$0.value.hasJoined }.min {
            $0.value.number < $1.value.number
        }?.key
    }

    private func newestOfLargest(above least: Int) -> String? {
        guard let largest = counts.max(by: { $0.value < $1.value }), largest.value > least else { return nil }
        return slots.filter { $0.value.origin == largest.key }.max { $0.value.number < $1.value.number }?.key
    }
}
