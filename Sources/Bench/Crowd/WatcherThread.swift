internal import Synchronization
internal import Threads

/// A thread whose function can fail. Another thread waits for its end.
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

    /// The error with which the thread ended. Nil while the thread runs, or if it ended without an error.
    var failure: BenchError? { outcome.failure.withLock { $0 } }

    /// Waits until the thread has ended.
    func wait() { thread.join() }
}
