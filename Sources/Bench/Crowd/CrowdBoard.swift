internal import Synchronization

/// The results of the crowd so far. Another thread reads them while it waits.
final class CrowdBoard: Sendable {
    struct Counts: Sendable {
        var joined = 0
        var lost = 0
        /// The number of frames with counts since the last `reset`. `bytes` is the number of all bytes.
        var deliveries = 0
        var bytes = 0
        /// The number of watchers that have received the goal, and the time at which the last of them
        /// received it.
        var reached = 0
        var lastReachedAt: UInt64 = 0
        /// The times from the start of a check-in until each watcher received its update, in nanoseconds.
        var latencies: [UInt64] = []
    }

    private struct State {
        var counts = Counts()
        var goal = Int.max
        /// The time at which each check-in was sent, indexed by the count before it. Empty if the benchmark
        /// does not measure latencies.
        var sentAt: [UInt64] = []
    }

    private let state = Mutex(State())

    var counts: Counts { state.withLock { $0.counts } }
    var goal: Int { state.withLock { $0.goal } }

    /// Resets all results. `goal` is the count for which the benchmark waits.
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

    /// The results of one iteration of the crowd's loop.
    struct Turn {
        var joined = 0
        var lost = 0
        var bytes = 0
        /// The count in each frame.
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
