internal import Synchronization

/// What the crowd has seen so far, for whoever waits for it.
final class CrowdBoard: Sendable {
    struct Counts: Sendable {
        var joined = 0
        var lost = 0
        /// Frames with whole counts, and all bytes, since the last `reset`.
        var deliveries = 0
        var bytes = 0
        /// Watchers that have seen the goal, and when the last of them did.
        var reached = 0
        var lastReachedAt: UInt64 = 0
        /// From a check-in's start to each watcher that was told of it.
        var latencies: [UInt64] = []
    }

    private struct State {
        var counts = Counts()
        var goal = Int.max
        /// When the check-in that made the count one higher left, by count; empty where nobody asks.
        var sentAt: [UInt64] = []
    }

    private let state = Mutex(State())

    var counts: Counts { state.withLock { $0.counts } }
    var goal: Int { state.withLock { $0.goal } }

    /// Forgets what was delivered so far. `goal` is the count that is waited for.
    func reset(goal: Int = .max) {
        state.withLock { state in
            let (joined, lost) = (state.counts.joined, state.counts.lost)
            state.counts = Counts()
            (state.counts.joined, state.counts.lost) = (joined, lost)
            state.goal = goal
        }
    }

    func sent(_ person: Int, at time: UInt64) {
        state.withLock { state in
            while state.sentAt.count <= person { state.sentAt.append(0) }
            state.sentAt[person] = time
        }
    }

    /// One turn of the crowd's loop.
    struct Turn {
        var joined = 0
        var lost = 0
        var bytes = 0
        /// Of each frame.
        var seen: [Int] = []
        var reached = 0
    }

    func add(_ turn: Turn, at now: UInt64) {
        state.withLock { state in
            state.counts.joined += turn.joined
            state.counts.lost += turn.lost
            state.counts.bytes += turn.bytes
            state.counts.deliveries += turn.seen.count
            state.counts.reached += turn.reached
            if turn.reached > 0 { state.counts.lastReachedAt = now }
            guard !state.sentAt.isEmpty else { return }
            for count in turn.seen
            where count > 0 && count <= state.sentAt.count && state.sentAt[count - 1] > 0 {
                state.counts.latencies.append(now - min(now, state.sentAt[count - 1]))
            }
        }
    }
}
