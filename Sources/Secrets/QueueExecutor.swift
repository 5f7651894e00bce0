internal import Dispatch

/// Runs the jobs of an actor on a separate serial queue of Dispatch. Dispatch gives this queue a thread
/// whenever it has work, even if all threads of Swift's pool are busy. Swift's pool never runs these jobs.
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
