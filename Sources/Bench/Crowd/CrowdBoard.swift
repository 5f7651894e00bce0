internal import Synchronization

/// The counts of the crowd, which the crowd's thread updates and the benchmark's thread reads.
final class CrowdBoard: Sendable {
    struct Counts: Sendable {
        var joined = 0
        var lost = 0
        /// The number of frames with whole counts, and of all bytes, since the last `reset`.
        var deliveries = 0
        var bytes = 0
        /// The number of all text frames since the last `reset`.
        var frames = 0
        /// The number of watchers that have received the goal, and the time when the last of them did.
        var reached = 0
        var lastReachedAt: UInt64 = 0
        /// The times from the start of a check-in until a watcher received a frame about it, one for each
        /// watcher, in nanoseconds.
        var latencies: [UInt64] = []
    }

    private struct State {
        var counts = Counts()
        var goal = Int.max
        /// The time when each check-in was sent, by the resulting count minus one; empty if nobody measures
        /// latencies.
        var sentAt: [UInt64] = []
    }

    private let state = Mutex(State())

    var counts: Counts { state.withLock { $0.counts } }
    var goal: Int { state.withLock { $0.goal } }

    /// Resets the counts of deliveries.
    /// - Parameter goal: the count that the watchers wait for.
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

    /// The results of one poll of all sockets.
    struct Turn {
        var joined = 0
        var lost = 0
        var bytes = 0
        var frames = 0
        /// The count in each received frame.
        var seen: [Int] = []
        var reached = 0
    }

    func add(_ turn: Turn, at now: UInt64) {
        state.withLock { state in
            state.counts.joined += turn.joined
            state.counts.lost += turn.lost
            state.counts.bytes += turn.bytes
            state.counts.frames += turn.frames
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
