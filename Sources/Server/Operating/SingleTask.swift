import Synchronization

/// Work of the server's tick in a task of its own, so that no other work waits for it. It runs once at a
/// time, and a drain ends it between two of its steps.
final class SingleTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Whether the work must begin no further step.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Begins the work if none is running and it is due. `isDue` runs under this object's lock.
    func begin(if isDue: () -> Bool, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isStopped, state.task == nil, isDue() else { return }
            state.task = Task {
                await work()
                self.state.withLock { $0.task = nil }
            }
        }
    }

    /// Lets the work begin no more steps, and returns when the present one has ended.
    func drain() async {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        await task?.value
    }
}
