import Synchronization

/// A clock that only the test advances.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant()
        var sleepers: [Int: (Instant, CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var next = 0
        var waiting: [(Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let (end, ready): (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) =
                    state.withLock { state in
                        if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
                        if deadline <= state.now { return (.success(()), []) }
                        state.sleepers[id] = (deadline, continuation)
                        let ready = state.waiting.filter { $0.0 <= state.sleepers.count }.map(\.1)
                        state.waiting.removeAll { $0.0 <= state.sleepers.count }
                        return (nil, ready)
                    }
                if let end { continuation.resume(with: end) }
                for waiter in ready { waiter.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                if let sleeper = state.sleepers.removeValue(forKey: id) { return Optional(sleeper.1) }
                state.cancelled.insert(id)
                return nil
            }
            sleeper?.resume(throwing: CancellationError())
        }
    }

    /// Waits until at least `count` tasks sleep on this clock.
    func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Advances the time, and leaves all tasks asleep.
    func wakeLater(by duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.0 <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.1)
        }
        for sleeper in due { sleeper.resume() }
    }
}
