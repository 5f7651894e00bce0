internal import Foundation
internal import Synchronization

/// A thread that can fail, and be waited for.
final class WatcherThread: Sendable {
    private struct State {
        var failure: BenchError?
        var isOver = false
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private let shared = Shared()

    init(_ work: @escaping @Sendable () -> BenchError?) {
        let shared = shared
        let thread = Thread {
            let failure = work()
            shared.state.withLock { $0 = State(failure: failure, isOver: true) }
        }
        thread.name = "watchers"
        thread.start()
    }

    var failure: BenchError? { shared.state.withLock { $0.failure } }

    func wait() { while !shared.state.withLock({ $0.isOver }) { Thread.sleep(forTimeInterval: 0.001) } }
}
