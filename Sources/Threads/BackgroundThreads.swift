internal import Dispatch
internal import Synchronization

/// Threads for tasks that use the processor for a long time, or that wait without suspending. Swift's pool
/// has one thread for each processor. If such tasks ran there, all other tasks would wait for them.
package final class BackgroundThreads: TaskExecutor {
    private let queue: Queue

    /// - Parameters:
    ///   - count: the number of threads. If the system starts none of them, Swift's pool runs the tasks.
    ///   - name: the beginning of the threads' names.
    ///   - isHurried: false gives the threads a low priority.
    package init(_ count: Int, named name: String, isHurried: Bool = false) {
        let queue = Queue()
        self.queue = queue
        var started = 0
        for number in 0..<count {
            do throws(ThreadNotStarted) {
                try LoopThread(named: "\(name)-\(number)").start {
                    if !isHurried { LoopThread.lowerPriority() }
                    queue.runJobs()
                }
                started += 1
            } catch { break }
        }
        if started == 0 { queue.close() }
    }

    deinit { queue.close() }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.add(UnownedJob(job), for: asUnownedTaskExecutor())
    }

    /// The jobs that no thread has taken yet. The threads own the queue, and not the executor, so that they
    /// end when nobody uses the executor.
    private final class Queue: Sendable {
        private struct State {
            var jobs: ArraySlice<(job: UnownedJob, executor: UnownedTaskExecutor)> = []
            var isClosed = false
        }

        private let state = Mutex(State())
        /// Counts the jobs, and the close.
        private let changes = DispatchSemaphore(value: 0)

        /// Adds a job. A closed queue passes it to Swift's pool.
        func add(_ job: UnownedJob, for executor: UnownedTaskExecutor) {
            let isTaken = state.withLock { state in
                if !state.isClosed { state.jobs.append((job, executor)) }
                return !state.isClosed
            }
            if isTaken { changes.signal() } else { globalConcurrentExecutor.enqueue(job) }
        }

        /// Lets the threads end when they have run the jobs of the queue.
        func close() {
            state.withLock { $0.isClosed = true }
            changes.signal()
        }

        /// Runs jobs until the queue is closed and empty.
        func runJobs() {
            while true {
                changes.wait()
                let next = state.withLock { $0.jobs.popFirst() }
                guard let next else {
                    // The next thread must end too.
                    changes.signal()
                    return
                }
                next.job.runSynchronously(on: next.executor)
            }
        }
    }
}
