internal import Dispatch

/// Runs an actor on a serial queue of its own. A private queue targets Dispatch's overcommitting root, which
/// gives it a thread whenever it has work, even while the pool of Swift's concurrency is full; that pool
/// never runs its jobs.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, qos: .utility)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func mustBeCurrent() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
