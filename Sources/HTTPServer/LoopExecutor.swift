import Threads

/// Runs tasks on the thread of the HTTP loop. Such a task wakes no other thread when it starts, when it
/// continues after a wait, and when it answers.
final class LoopExecutor: TaskExecutor {
    private let inbox: PolledInbox<HTTPLoopMessage>

    init(_ inbox: PolledInbox<HTTPLoopMessage>) { self.inbox = inbox }

    /// Queues a part of a task. After the end of the loop, the part runs on the calling thread, so that every
    /// task ends. Nobody waits for the answer of such a task.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if !inbox.post(.run(job)) { run(job) }
    }

    /// Runs a part of a task, until the task waits or ends.
    func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}
