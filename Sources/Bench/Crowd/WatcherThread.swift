internal import Synchronization
internal import Threads

/// A thread that can fail, and that another thread waits for.
final class WatcherThread: Sendable {
    private final class Outcome: Sendable {
        let failure = Mutex<BenchError?>(nil)
    }

    private let outcome = Outcome()
    private let thread = LoopThread(named: "watchers")

    init(_ work: @escaping @Sendable () -> BenchError?) {
        do throws(ThreadNotStarted) {
            try thread.start { [outcome] in
                let failure = work()
                outcome.failure.withLock { $0 = failure }
            }
        } catch {
            preconditionFailure("no thread for the watchers: errno \(error.errno)")
        }
    }

    /// Nil while the thread runs, and if it ended without a failure.
    var failure: BenchError? { outcome.failure.withLock { $0 } }

    /// Returns when the thread has ended.
    func wait() { thread.join() }
}
