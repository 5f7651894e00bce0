import Dispatch
import Meetings
import Synchronization

/// The counts and times of the writer's batches since the start.
package struct WriterStatistics: Sendable {
    /// The number of commands in the committed batches, including the refused commands.
    package internal(set) var commands = 0
    /// The number of committed batches.
    package internal(set) var commits = 0
    /// The number of batches that could not be committed.
    package internal(set) var failures = 0
    /// The number of commands, and of steps of long commands, whose values the database refused.
    package internal(set) var failedCommands = 0
    /// The number of batches that ran again after a conflict with another transaction.
    package internal(set) var conflicts = 0
    /// The reason why the last batch failed, or a command of it for another reason than its own values; nil
    /// if the last batch was committed.
    package internal(set) var lastFailure: StorageFailure?
    /// The number of commands in the largest committed batch.
    package internal(set) var largestBatch = 0
    /// The total time of all batches, failed ones too: begin, commands and commit.
    package internal(set) var busy = Duration.zero
    /// The part of `busy` that the commits took.
    package internal(set) var committing = Duration.zero
    /// How long the commits of successful batches took.
    package internal(set) var commitTimes = Histogram(
        bounds: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1])
}

/// Accepts jobs from any thread, and runs them in batches on one serial queue.
final class Writer: Sendable {
    /// The most jobs in one batch. The limit bounds the time for which the first command of a batch waits: at
    /// 94,000 durable rows per second in groups, 512 commands take a few milliseconds.
    private static let largestBatch = 512
    /// The most full batches between two slices of a long command.
    private static let mostBatchesInARow = 8

    /// The objects that the writer's queue uses between `open` and `close`.
    private struct Opened {
        let transaction: Transaction
        let listener: Storage.Listener
        /// The long commands, which run in slices between the batches.
        let lane: JobLane
    }

    private struct Inbox {
        var jobs: [any Job] = []
        /// Whether to look for the commits of other nodes, and for the jobs of nodes that have ended.
        var mustLook = false
        var mustTakeOver = false
        var isRunning = false
        var isClosed = false
        var onIdle: [@Sendable () -> Void] = []
    }

    private let queue = DispatchQueue(label: "qring.journal.writer", qos: .userInitiated)
    private let inbox = Mutex(Inbox())
    private let slices: SliceSize
    private let limits: AccountLimits
    private let satellite: OwnSatellite?
    private let clock: @Sendable () -> Instant
    let statistics = Mutex(WriterStatistics())
    /// Whether the last failure is a full disk. Each request reads it.
    let isFull = Atomic<Bool>(false)
    /// Copies of the sessions that commands have used lately, as of the last commit. Any thread may read
    /// them.
    let committedSessions = Mutex([SessionID: SessionRecord]())
    let revision = Revision.Counter()
    // `nonisolated(unsafe)` is safe here: `open` sets the property before the first job, and only code on
    // `queue` reads or writes it.
    private nonisolated(unsafe) var opened: Opened?

    init(
        slices: SliceSize, limits: AccountLimits, satellite: OwnSatellite?,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.satellite = satellite
        self.slices = slices
        self.limits = limits
        self.clock = clock
    }

    func open(
        _ engine: any Engine, patterns: any PatternMatching, rooms: (any RoomDirectory)?,
        _ listener: @escaping Storage.Listener, skipped: @escaping Storage.SkipListener
    ) throws(JournalError) {
        let result = queue.sync { () -> Result<Bool, JournalError> in
            do throws(JournalError) {
                let transaction = Transaction(
                    try engine.openWriter(), patterns: patterns, slices: slices, limits: limits,
                    satellite: satellite, rooms: rooms, revision: revision
                ) { [unowned self] transaction, batch in
                    committedSessions.withLock { transaction.copySessions(to: &$0) }
                    listener(batch)
                }
                let lane = JobLane(transaction, engine.unsettled, slices, noteSkip: skipped)
                try lane.resume(at: clock)
                opened = Opened(transaction: transaction, listener: listener, lane: lane)
                note(engine.openingFailure)
                return .success(lane.hasWork)
            } catch {
                return .failure(error)
            }
        }
        guard try result.get() else { return }
        inbox.withLock { $0.isRunning = true }
        queue.async { self.runUntilEmpty() }
    }

    /// Queues a job. If the writer is closed, the job fails at once.
    func submit(_ job: any Job) {
        enum Next { case start, wait, refuse }
        let next = inbox.withLock { inbox -> Next in
            if inbox.isClosed { return .refuse }
            inbox.jobs.append(job)
            if inbox.isRunning { return .wait }
            inbox.isRunning = true
            return .start
        }
        switch next {
        case .start: queue.async { self.runUntilEmpty() }
        case .wait: break
        case .refuse:
            job.fail(.failed(StorageFailure(.closed, operation: "submit")))
            job.finish()
        }
    }

    /// Looks for the commits of other nodes soon. Any thread may call it.
    func look() { wake { $0.mustLook = true } }

    /// Looks for the jobs of nodes that have ended soon. Any thread may call it.
    func takeOverJobs() { wake { $0.mustTakeOver = true } }

    private func wake(_ note: (inout Inbox) -> Void) {
        let mustStart = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            note(&inbox)
            defer { inbox.isRunning = true }
            return !inbox.isRunning
        }
        if mustStart { queue.async { self.runUntilEmpty() } }
    }

    /// Refuses later jobs, and returns when the queued jobs are done. Erasures that are not done continue at
    /// the next opening. Releases the listener, because the listener holds objects that in turn hold the
    /// storage.
    func close() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isIdle = inbox.withLock { inbox in
                inbox.isClosed = true
                if inbox.isRunning { inbox.onIdle.append { continuation.resume() } }
                return !inbox.isRunning
            }
            if isIdle { continuation.resume() }
        }
        queue.sync {
            opened?.lane.close()
            opened = nil
        }
    }

    /// Runs batches, and slices of long commands between them, until there is nothing to do. Everything that
    /// is queued runs before the next slice, up to `mostBatchesInARow` full batches.
    private func runUntilEmpty() {
        guard let opened else { preconditionFailure("a job before open") }
        var batches = 0
        while true {
            lookAround(opened)
            let parked = opened.lane.takeParked()
            let jobs = parked + takeJobs()
            if !jobs.isEmpty {
                run(jobs)
                batches += 1
                if jobs.count >= Self.largestBatch, batches < Self.mostBatchesInARow { continue }
            }
            batches = 0
            if opened.lane.hasWork, !(isClosed && !opened.lane.isAwaited) {
                runSlice(opened)
            } else if let onIdle = endRunning() {
                for done in onIdle { done() }
                return
            }
        }
    }

    /// Looks for the commits of other nodes and for jobs to take over, if somebody has asked for it. A batch
    /// looks for the commits itself. After a failure, the next wake-up looks again.
    private func lookAround(_ opened: Opened) {
        let hasLost = opened.lane.dropLostJobs()
        let (mustLook, mustTakeOver) = inbox.withLock { inbox in
            defer { (inbox.mustLook, inbox.mustTakeOver) = (false, false) }
            return (inbox.mustLook && inbox.jobs.isEmpty, inbox.mustTakeOver || hasLost)
        }
        if mustTakeOver { try? opened.lane.takeOver() }
        guard mustLook else { return }
        do throws(JournalError) {
            try opened.transaction.catchUp()
            committedSessions.withLock { opened.transaction.copySessions(to: &$0) }
        } catch {
            committedSessions.withLock { $0 = [:] }
        }
    }

    private var isClosed: Bool { inbox.withLock { $0.isClosed } }

    /// Takes at most one batch from the inbox.
    private func takeJobs() -> [any Job] {
        inbox.withLock { inbox in
            let count = min(inbox.jobs.count, Self.largestBatch)
            if count == inbox.jobs.count {
                defer { inbox.jobs = [] }
                return inbox.jobs
            }
            defer { inbox.jobs.removeFirst(count) }
            return Array(inbox.jobs.prefix(count))
        }
    }

    /// Takes jobs from the beginning of the inbox, up to the first that cannot be part of a batch.
    private func takeShortJobs(atMost limit: Int) -> [any Job] {
        inbox.withLock { inbox in
            let jobs = inbox.jobs.prefix(max(0, limit)).prefix { $0.long == nil && !$0.standsAlone }
            defer { inbox.jobs.removeFirst(jobs.count) }
            return Array(jobs)
        }
    }

    /// Notes that the writer stops running, and returns the callers that wait for this. Returns nil if there
    /// are new jobs.
    private func endRunning() -> [@Sendable () -> Void]? {
        inbox.withLock { inbox in
            guard inbox.jobs.isEmpty, inbox.isClosed || !(inbox.mustLook || inbox.mustTakeOver) else {
                return nil
            }
            inbox.isRunning = false
            defer { inbox.onIdle = [] }
            return inbox.onIdle
        }
    }

    /// Records the reason of the last failure; nil after a success.
    private func note(_ failure: StorageFailure?) {
        statistics.withLock { $0.lastFailure = failure }
        isFull.store(failure?.reason == .full, ordering: .relaxed)
    }

    /// Runs one slice of a long command.
    private func runSlice(_ opened: Opened) {
        let started = ContinuousClock.now
        let failure = opened.lane.runSlice(at: clock()) { batch in
            committedSessions.withLock { opened.transaction.copySessions(to: &$0) }
            opened.listener(batch)
        }
        if failure != nil { committedSessions.withLock { $0 = [:] } }
        let ended = ContinuousClock.now
        statistics.withLock {
            $0.commits += failure == nil ? 1 : 0
            $0.failures += failure == nil ? 0 : 1
            $0.failedCommands = opened.transaction.batch.failedCommands
            $0.conflicts = opened.transaction.batch.conflicts
            $0.busy += ended - started
        }
        note(failure)
    }

    private func run(_ jobs: [any Job]) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let opened else { preconditionFailure("a job before open") }
        var group: [any Job] = []
        for job in jobs {
            if let long = job.long {
                opened.lane.add(long)
            } else if job.standsAlone {
                commit(group, opened)
                group = []
                job.run(in: opened.transaction)
                job.finish()
            } else {
                group.append(job)
            }
        }
        commit(group, opened, isLast: true)
    }

    /// Runs and commits a batch, first without savepoints. Nearly always, a rule refuses a command before the
    /// command writes, so there is nothing to roll back. If a command was refused after it had written, or
    /// the database refused one of its statements, the writer rolls the batch back and runs it again with
    /// savepoints.
    private func run(
        _ jobs: inout [any Job], isLast: Bool, in transaction: Transaction, _ noteCommitting: () -> Void
    ) throws(JournalError) -> CommittedBatch {
        try transaction.begin(at: clock(), guarded: false)
        // On a shared database, `begin` has waited for the batches of other nodes, and commands have arrived.
        if isLast { jobs += takeShortJobs(atMost: Self.largestBatch - jobs.count) }
        try transaction.lookAhead(for: jobs)
        for job in jobs where transaction.batch.goesOn { job.run(in: transaction) }
        noteCommitting()
        let onlyChecksIn = jobs.allSatisfy(\.checksIn)
        if let batch = try transaction.commitUnguarded(onlyChecksIn: onlyChecksIn) { return batch }
        transaction.abandon()
        try transaction.begin(at: clock(), guarded: true)
        for job in jobs where transaction.batch.goesOn { job.run(in: transaction) }
        noteCommitting()
        return try transaction.commit(onlyChecksIn: onlyChecksIn)
    }

    /// - Parameter isLast: whether all jobs before it have run, so that jobs from the inbox may join the
    ///   batch.
    private func commit(_ first: [any Job], _ opened: Opened, isLast: Bool = false) {
        if first.isEmpty { return }
        var jobs = first
        let transaction = opened.transaction
        let started = ContinuousClock.now
        var committing = started
        var failure: StorageFailure?
        do throws(JournalError) {
            let batch = try transaction.repeatingConflicts { () throws(JournalError) in
                try run(&jobs, isLast: isLast, in: transaction) { committing = .now }
            }
            committedSessions.withLock { transaction.copySessions(to: &$0) }
            opened.listener(batch)
            opened.lane.noteCommit(of: transaction)
        } catch {
            transaction.abandon()
            committedSessions.withLock { $0 = [:] }
            for job in jobs { job.fail(error) }
            // The error is always `.failed`, because a refusal concerns a single command and never the batch.
            if case .failed(let reason) = error { failure = reason }
        }
        let ended = ContinuousClock.now
        statistics.withLock {
            if failure == nil {
                $0.commands += jobs.count
                $0.commits += 1
                $0.largestBatch = max($0.largestBatch, jobs.count)
                $0.commitTimes.add(ended - committing)
            } else {
                $0.failures += 1
            }
            $0.failedCommands = transaction.batch.failedCommands
            $0.conflicts = transaction.batch.conflicts
            $0.busy += ended - started
            $0.committing += ended - committing
        }
        note(failure ?? transaction.batch.commandFailure)
        for job in jobs where failure != nil || !job.waitsForMeeting || !opened.lane.park(job) {
            job.finish()
        }
    }
}

/// A command in the writer's queue, with the caller that waits for its answer.
protocol Job: AnyObject, Sendable {
    /// Whether the job runs outside a batch.
    var standsAlone: Bool { get }
    /// This job, if it is a long command.
    var long: (any LongJob)? { get }
    /// Whether the job's command only checks people in (`Command.checksIn`).
    var checksIn: Bool { get }
    /// Whether `run` was refused because a long command changes the meeting. Then the job may run again
    /// later.
    var waitsForMeeting: Bool { get }
    /// Makes the look-ups that `run` will probably make (`WritableRows.lookAhead`). Returns false if it needs
    /// the results of some for the others.
    func lookAhead(in transaction: Transaction) -> Bool
    /// Runs the job and stores its outcome. Does not throw, because a refusal is the outcome of this job
    /// only.
    func run(in transaction: Transaction)
    /// Replaces the outcome of `run` with this error, because the batch failed.
    func fail(_ error: JournalError)
    /// Resumes the caller with the outcome. The writer calls it once per job, after the commit or its
    /// failure.
    func finish()
}

extension Job {
    var long: (any LongJob)? { nil }
    var checksIn: Bool { false }
    var waitsForMeeting: Bool { false }
    func lookAhead(in transaction: Transaction) -> Bool { true }
}

// `@unchecked` is safe here: the submitter creates the job, and then only the writer's queue uses it. The
// inbox's lock orders these two threads.
final class CommandJob: Job, @unchecked Sendable {
    /// Runs the command and stores its answer. Returns the error if there is no answer.
    private let command: (Transaction) -> JournalError?
    /// Makes the look-ups of the command. Returns false if it throws; `run` finds a refusal again.
    private let look: (Transaction) -> Bool
    /// Resumes the caller with the error; nil for the answer.
    private let resume: (JournalError?) -> Void
    private var error: JournalError? = .failed(StorageFailure(.closed, operation: "run"))
    let checksIn: Bool

    /// The closures know the type of the command and this class does not, so that the compiler can specialise
    /// them.
    init<C: Command>(
        _ command: C, _ continuation: UnsafeContinuation<Result<C.Answer, JournalError>, Never>
    ) {
        checksIn = command.checksIn
        var outcome: Result<C.Answer, JournalError>?
        self.command = { transaction in
            do throws(JournalError) {
                outcome = .success(try transaction.run(command))
                return nil
            } catch {
                outcome = nil
                return error
            }
        }
        look = { transaction in (try? command.lookAhead(in: transaction)) != nil }
        resume = { error in
            if let error { return continuation.resume(returning: .failure(error)) }
            guard let outcome else { preconditionFailure("a command without an outcome") }
            continuation.resume(returning: outcome)
        }
    }

    var standsAlone: Bool { false }

    var waitsForMeeting: Bool { if case .refused(.meetingIsBusy) = error { true } else { false } }

    func lookAhead(in transaction: Transaction) -> Bool { look(transaction) }

    func run(in transaction: Transaction) { error = command(transaction) }

    func fail(_ error: JournalError) { self.error = error }

    func finish() { resume(error) }
}

/// Work on the writer's connection outside a batch, such as a step of a rewrite.
// `@unchecked` is safe here for the same reason as at `CommandJob`.
final class StandaloneJob<Value: Sendable>: Job, @unchecked Sendable {
    typealias Outcome = Result<Value, JournalError>

    private let body: (any WritableRows) -> Outcome
    private let continuation: UnsafeContinuation<Outcome, Never>
    private var outcome: Outcome = .failure(.failed(StorageFailure(.closed, operation: "run")))

    init(
        _ continuation: UnsafeContinuation<Outcome, Never>, _ body: @escaping (any WritableRows) -> Outcome
    ) {
        self.body = body
        self.continuation = continuation
    }

    var standsAlone: Bool { true }

    func run(in transaction: Transaction) { outcome = body(transaction.rows) }

    func fail(_ error: JournalError) { outcome = .failure(error) }

    func finish() { continuation.resume(returning: outcome) }
}
