import Meetings

/// How many steps one slice of a long command has. The rows that the command writes do not depend on the
/// number of steps in a slice.
package enum SliceSize: Sendable {
    /// A slice applies `stepsInRow` steps at a time, until `targetTime` has passed. So the costs of earlier
    /// steps, which may belong to another command, do not decide how long a slice takes.
    case adaptive
    /// Slices of this many steps, for tests.
    case fixed(Int)

    /// The time after which an adaptive slice ends. The commit comes on top.
    static let targetTime = Duration.milliseconds(8)
    /// The number of steps between two looks at the clock.
    static let stepsInRow = 32
    /// A command with at most this many steps is one transaction.
    var mostAtOnce: Int { if case .fixed(let steps) = self { steps } else { 128 } }
    /// The most rows that one command deletes at once. More rows are erased in slices.
    var mostRowsAtOnce: Int { if case .fixed(let steps) = self { steps } else { 500 } }
}

/// A long command in the writer's queue, with the caller that waits for its answer.
protocol LongJob: Job {
    var work: any Work { get }
    /// The stored description of the work, made before the job entered the writer's queue.
    var plan: [UInt8] { get }
    /// Judges the command in its first transaction. Returns false if there is nothing to do; the job has
    /// then stored its outcome.
    func begin(in transaction: Transaction) throws(JournalError) -> Bool
    /// Stores the command's answer as the outcome, in the last transaction.
    func complete(_ work: any Work, in transaction: Transaction) throws(JournalError)
    /// The caller's request for a report; nil if the caller only waits for the end.
    var request: JobReport.Request? { get }
    /// Gives the caller the report of the job that has begun. The lane calls it at most once, after the first
    /// transaction, and only if the work needs more than one slice and the caller requested a report.
    func start(_ report: JobReport)
}

/// The state of the job that the writer is running. Use it on the writer's queue only.
final class ActiveJob {
    let id: JobID
    fileprivate(set) var work: any Work
    fileprivate(set) var done: Int
    /// The caller; nil after a crash, and if no caller waits for the work.
    fileprivate var caller: (any LongJob)?
    /// The outcome for the report, if the command's answer decides it and not the work.
    var outcome: JobReport.Outcome?
    /// Whether the caller already got an answer, because a slice could not be written. The caller still
    /// completes the command, so that a retry with the same key gets the stored answer.
    fileprivate var isAnswered = false
    /// The caller that still waits for its answer; nil if there is none.
    fileprivate var waitingCaller: (any LongJob)? { isAnswered ? nil : caller }
    /// The refusal that the caller gets when this work has ended. Nil unless this work reverts refused work.
    fileprivate var refusal: JournalError?
    /// The first failure of a step that was left out, because the database cannot store its values.
    fileprivate var skipped: StorageFailure?
    /// The report as of the beginning; nil if the caller requested none, and after a crash.
    fileprivate var report: JobReport?

    /// The changes that the steps have made to the counts of sessions. The last transaction adds them to the
    /// counts, so that no reader sees a part of them.
    var withheld: [SessionID: HeadCount] = [:]
    /// The slots that the steps have created in each session, without those of people who have checked in
    /// since. Only `withheld` counts these slots.
    var made: [SessionID: Set<AttendeeID>] = [:]
    /// Whether `withheld` may be wrong, because a transaction was rolled back or the server restarted.
    var mustRecount = false

    fileprivate init(_ id: JobID, _ work: any Work, done: Int = 0, caller: (any LongJob)?) {
        self.id = id
        self.work = work
        self.done = done
        self.caller = caller
    }
}

/// Runs long commands in slices, one after the other. Between two slices, the writer runs its batches. The
/// lane belongs to the writer's queue.
final class JobLane {
    private enum Step {
        case begin(any LongJob)
        case slice(ActiveJob)
    }

    private static let mostParked = 4096
    private static let mostFromParked = 256
    private static let mostWaiting = 256

    private let transaction: Transaction
    private let jobs: JobsInProgress
    private let unsettled: UnsettledMeetings
    private let sliceSize: SliceSize
    private let noteSkip: Storage.SkipListener
    private var waiting: [any LongJob] = []
    private var parked: [any Job] = []
    /// The busy meetings of other nodes when a command was last parked; nil if it waits for a job of this
    /// node.
    private var busyWhenParked: Set<MeetingID>?
    /// The work that nobody can see: erasures, and other work that commands leave for later.
    private var later: [ActiveJob] = []
    /// The visible jobs that this node has taken over from others. They run one after the other.
    private var takenOver: [ActiveJob] = []
    /// Whether the next slice is one of `later`, so that neither long commands nor that work wait for ever.
    private var laterIsNext = false
    /// Whether the last slice could not be written. The lane pauses until another batch is
    /// committed.
    private(set) var isStalled = false

    init(
        _ transaction: Transaction, _ unsettled: UnsettledMeetings, _ sliceSize: SliceSize,
        noteSkip: @escaping Storage.SkipListener
    ) {
        self.noteSkip = noteSkip
        self.transaction = transaction
        jobs = transaction.jobs
        self.unsettled = unsettled
        self.sliceSize = sliceSize
    }

    /// Whether the lane has something to run now.
    var hasWork: Bool {
        !isStalled
            && (jobs.active != nil || nextWaiting != nil || !takenOver.isEmpty || nextLater != nil)
    }
    /// Whether a caller waits for the lane.
    var isAwaited: Bool { jobs.active != nil || nextWaiting != nil }

    // MARK: Queues

    func add(_ job: any LongJob) {
        guard waiting.count < Self.mostWaiting else {
            job.fail(.refused(.meetingIsBusy))
            return job.finish()
        }
        waiting.append(job)
    }

    /// Parks a command until the active job has ended. Returns false if there is no room.
    func park(_ job: any Job) -> Bool {
        guard jobs.active != nil || !jobs.busyElsewhere.isEmpty, parked.count < Self.mostParked
        else { return false }
        busyWhenParked = jobs.active == nil ? jobs.busyElsewhere : nil
        parked.append(job)
        return true
    }

    /// Returns the parked commands that may run now.
    func takeParked() -> [any Job] {
        // A command whose meeting is still busy on another node is parked again.
        let busy = jobs.busyElsewhere
        guard jobs.active == nil, !parked.isEmpty, busy.isEmpty || busy != busyWhenParked else {
            return []
        }
        // The rest runs after these, so that a batch stays short.
        defer { parked.removeFirst(min(parked.count, Self.mostFromParked)) }
        return Array(parked.prefix(Self.mostFromParked))
    }

    /// Queues the work that the committed batch has left for later, and resumes the lane if it had stopped.
    func noteCommit(of transaction: Transaction) {
        queueLaterWork()
        guard isStalled else { return }
        isStalled = false
        unsettled.stall(false)
    }

    private func queueLaterWork() {
        for (id, work) in transaction.batch.notes.laterWork { later.append(ActiveJob(id, work, caller: nil)) }
    }

    /// Fails all waiting commands and the caller of the active job. The storage calls this if it closes
    /// while it cannot write.
    func close() {
        let failure = StorageFailure(.closed, operation: "close")
        let error = JournalError.failed(failure)
        if let active = jobs.active {
            unsettled.stall(true)
            answer(active, failure)
        }
        for job in waiting + parked {
            job.fail(error)
            job.finish()
        }
        (waiting, parked) = ([], [])
    }

    // MARK: Jobs of several nodes

    /// Drops all jobs, if another node may have taken them over, or if it is unknown how many of their steps
    /// are done. `takeOver` then reads the jobs that still belong to this node.
    /// - Returns: whether there were lost jobs.
    func dropLostJobs() -> Bool {
        guard let lost = jobs.lost else { return false }
        jobs.lost = nil
        for active in lost {
            answer(active, StorageFailure(.unreachable, operation: "continue a job"))
            if active.work.isVisible { unsettled.end() }
        }
        (later, takenOver) = ([], [])
        isStalled = false
        unsettled.stall(false)
        return true
    }

    /// Continues the jobs of nodes that have ended, and those of this node that it has dropped. Call it
    /// outside a batch.
    func takeOver() throws(JournalError) {
        var known = Set((later + takenOver).map(\.id))
        if let active = jobs.active { known.insert(active.id) }
        for job in try transaction.rows.takeOverJobs() where !known.contains(job.id) {
            // A job that cannot be read must not hold up the others. Its meeting stays busy.
            guard let work = try? StoredWork.work(of: job, from: transaction.rows) else { continue }
            let active = ActiveJob(job.id, work, done: job.done, caller: nil)
            guard work.isVisible else {
                later.append(active)
                continue
            }
            active.mustRecount = true
            takenOver.append(active)
        }
    }

    // MARK: Slices

    /// Finishes the jobs that a crash has interrupted. Work that nobody can see continues later, between the
    /// batches.
    func resume(at clock: () -> Instant) throws(JournalError) {
        let stored = try transaction.rows.takeOverJobs()
        try reportReverted(stored.filter { !$0.isVisible }, at: clock())
        for job in stored {
            let work = try StoredWork.work(of: job, from: transaction.rows)
            let active = ActiveJob(job.id, work, done: job.done, caller: nil)
            guard work.isVisible else {
                later.append(active)
                continue
            }
            active.mustRecount = true
            unsettled.begin()
            jobs.active = active
            while let job = jobs.active {
                _ = try transaction.repeatingConflicts { () throws(JournalError) in
                    try run(.slice(job), at: clock())
                }
                queueLaterWork()
            }
        }
    }

    /// Ends the reports of work on hidden rows. A crash ends such work, and the erasure of its rows follows.
    private func reportReverted(_ jobs: [StoredJob], at now: Instant) throws(JournalError) {
        var unreported: [JobID] = []
        for job in jobs {
            if let report = try transaction.rows.jobReport(job.id), report.endedAt == nil {
                unreported.append(job.id)
            }
        }
        guard !unreported.isEmpty else { return }
        try transaction.begin(at: now, guarded: false)
        for id in unreported {
            try transaction.rows.report(.failed(.reverted), of: id, endedAt: transaction.now)
        }
        _ = try transaction.commit()
    }

    /// Runs one slice as a transaction of its own. The caller of a job that has ended gets its answer after
    /// `publish`.
    /// - Returns: the reason if the slice could not be written; nil otherwise.
    func runSlice(at now: Instant, publish: (CommittedBatch) -> Void) -> StorageFailure? {
        let step: Step
        if let next = nextLater, laterIsNext || !(isAwaited || !takenOver.isEmpty) {
            step = .slice(next)
            laterIsNext = false
        } else if let active = jobs.active {
            step = .slice(active)
            laterIsNext = true
        } else if !takenOver.isEmpty {
            let active = takenOver.removeFirst()
            unsettled.begin()
            jobs.activate(active)
            step = .slice(active)
            laterIsNext = true
        } else if let next = nextWaiting {
            step = .begin(waiting.remove(at: next))
            laterIsNext = true
        } else {
            return nil
        }
        do throws(JournalError) {
            let (batch, finished) = try transaction.repeatingConflicts { () throws(JournalError) in
                try run(step, at: now)
            }
            queueLaterWork()
            publish(batch)
            finished?.finish()
            if case .begin(let job) = step, let report = jobs.active?.report { job.start(report) }
            return nil
        } catch {
            transaction.abandon()
            guard case .failed(let failure) = error else {
                preconditionFailure("a slice of a job was refused: \(error)")
            }
            switch step {
            case .begin(let job):
                job.fail(error)
                job.finish()
            case .slice(let active):
                isStalled = true
                unsettled.stall(true)
                answer(active, failure)
            }
            return failure
        }
    }

    /// The work of `later` that may run now. While another job is active, only erasures may, because the
    /// others change meetings that are not hidden.
    private var nextLater: ActiveJob? {
        later.first {
            $0.work is ErasureWork
                || jobs.active == nil && !jobs.busyElsewhere.contains($0.work.meeting)
        }
    }

    /// The index of the command that may begin next: the first one whose meeting is not busy on another node.
    private var nextWaiting: Int? {
        waiting.firstIndex { !jobs.busyElsewhere.contains($0.work.meeting) }
    }

    /// Tells the caller that the storage failed and that the command will be completed later.
    private func answer(_ active: ActiveJob, _ failure: StorageFailure) {
        guard let caller = active.waitingCaller else { return }
        active.isAnswered = true
        caller.fail(
            .failed(
                StorageFailure(
                    .unfinished, operation: failure.operation, code: failure.code, detail: failure.detail)))
        caller.finish()
    }

    private func run(_ step: Step, at now: Instant) throws(JournalError) -> (CommittedBatch, (any LongJob)?) {
        switch step {
        case .begin(let job): try begin(job, at: now)
        case .slice(let active): try slice(active, at: now)
        }
    }

    /// Judges a command. Then does all of its work if the work fits in one slice; otherwise stores the job.
    private func begin(_ job: any LongJob, at now: Instant) throws(JournalError) -> (
        CommittedBatch, (any LongJob)?
    ) {
        var hasBegun = false
        do throws(JournalError) {
            try transaction.begin(at: now, guarded: true)
            var active: ActiveJob?
            let isRefused = try transaction.runGuarded { () throws(JournalError) in
                guard try job.begin(in: transaction) else { return }
                var work = job.work
                if work.steps <= sliceSize.mostAtOnce {
                    try work.apply(0..<work.steps, in: transaction)
                    try work.finish(in: transaction)
                    try job.complete(work, in: transaction)
                } else {
                    try work.prepare(in: transaction)
                    let begun = ActiveJob(.make(at: transaction.now), work, caller: job)
                    try transaction.rows.insert(work.stored(as: begun.id), plan: job.plan)
                    transaction.noteJobs()
                    begun.report = job.request.map {
                        JobReport(id: begun.id, request: $0, total: work.reportedSteps)
                    }
                    if let report = begun.report { try transaction.rows.insert(report) }
                    active = begun
                }
            }
            if case .refused(.meetingIsBusy) = isRefused,
                jobs.busyElsewhere.contains(job.work.meeting)
            {
                // Another node has begun a job meanwhile.
                let batch = try transaction.commit()
                waiting.insert(job, at: 0)
                return (batch, nil)
            }
            if let isRefused {
                job.fail(isRefused)
                active = nil
            }
            hasBegun = active?.work.isVisible ?? false
            if hasBegun { unsettled.begin() }
            let batch = try transaction.commit()
            jobs.active = active
            return (batch, active == nil ? job : nil)
        } catch {
            if hasBegun { unsettled.end() }
            throw error
        }
    }

    private func beginSlice(at now: Instant, guarded: Bool) throws(JournalError) {
        try transaction.begin(at: now, guarded: guarded)
        guard jobs.lost == nil else {
            throw .failed(StorageFailure(.unreachable, operation: "continue a job"))
        }
    }

    private func slice(_ active: ActiveJob, at now: Instant) throws(JournalError) -> (
        CommittedBatch, (any LongJob)?
    ) {
        try beginSlice(at: now, guarded: false)
        var work = active.work
        if active.done < work.steps {
            let done: Int
            do throws(JournalError) {
                done = try jobs.applying(active) { () throws(JournalError) in
                    try apply(&work, from: active.done)
                }
            } catch {
                guard case .failed(let failure) = error, failure.reason == .unstorable else { throw error }
                transaction.abandon()
                return try sliceStepByStep(active, at: now)
            }
            try transaction.rows.saveProgress(of: active.id, done: done)
            let batch = try transaction.commit()
            (active.work, active.done) = (work, done)
            return (batch, nil)
        }
        return try end(active, work)
    }

    /// Applies the steps of one slice. Returns the number of steps that are done then.
    private func apply(_ work: inout any Work, from first: Int) throws(JournalError) -> Int {
        let started = ContinuousClock.now
        var done = first
        let count = if case .fixed(let steps) = sliceSize { steps } else { SliceSize.stepsInRow }
        repeat {
            let next = done + min(count, work.steps - done)
            try work.apply(done..<next, in: transaction)
            done = next
            if case .fixed = sliceSize { break }
        } while done < work.steps && ContinuousClock.now - started < SliceSize.targetTime
        return done
    }

    /// Applies the steps of one slice again, each in a savepoint of its own. A step whose values the database
    /// cannot store is left out, so that the job reaches its end.
    private func sliceStepByStep(_ active: ActiveJob, at now: Instant) throws(JournalError) -> (
        CommittedBatch, (any LongJob)?
    ) {
        try beginSlice(at: now, guarded: true)
        var (work, done) = (active.work, active.done)
        // A work without a number of steps would repeat the same step for ever.
        let isEndless = work.steps == .max
        let last = done + min(SliceSize.stepsInRow, work.steps - done)
        var skipped: [StorageFailure] = []
        while done < min(last, work.steps), !isEndless || skipped.isEmpty {
            var next = work
            let error = try jobs.applying(active) { () throws(JournalError) in
                try transaction.runGuarded { () throws(JournalError) in
                    try next.apply(done..<done + 1, in: transaction)
                }
            }
            switch error {
            case nil: work = next
            case .failed(let failure)?:
                skipped.append(failure)
                active.mustRecount = true
            case .refused(let refusal)?: throw .refused(refusal)
            }
            done += 1
        }
        if isEndless, let failure = skipped.first {
            noteSkip(failure)
            return try giveUp(active, .failed(failure.asIncomplete))
        }
        try transaction.rows.saveProgress(of: active.id, done: done)
        let batch = try transaction.commit()
        skipped.forEach(noteSkip)
        (active.work, active.done, active.skipped) = (work, done, active.skipped ?? skipped.first)
        return (batch, nil)
    }

    /// Ends work that cannot go on, and reverts it if possible. The next start tries invisible work again.
    private func giveUp(_ active: ActiveJob, _ error: JournalError) throws(JournalError) -> (
        CommittedBatch, (any LongJob)?
    ) {
        if let undoing = active.work.undone() { return try replace(active, with: undoing, error) }
        guard active.work.isVisible else {
            let batch = try transaction.commit()
            later.removeAll { $0 === active }
            return (batch, nil)
        }
        for session in active.work.sessions { try transaction.addWithheld(to: session) }
        return try settle(active, active.work, error)
    }

    private func end(_ active: ActiveJob, _ work: any Work) throws(JournalError) -> (
        CommittedBatch, (any LongJob)?
    ) {
        var work = work
        if !work.settlesCounts { for session in work.sessions { try transaction.addWithheld(to: session) } }
        let refusal = try transaction.runGuarded { () throws(JournalError) in
            try work.finish(in: transaction)
            if active.skipped == nil { try active.caller?.complete(work, in: transaction) }
        }
        if case .failed(let failure)? = refusal { noteSkip(failure) }
        let error = refusal ?? active.skipped.map { JournalError.failed($0.asIncomplete) }
        if refusal != nil, let error, let undoing = work.undone() {
            return try replace(active, with: undoing, error)
        }
        return try settle(active, work, error)
    }

    /// Commits the last transaction of a job. The caller gets `error`; if it is nil, the answer.
    private func settle(
        _ active: ActiveJob, _ work: any Work, _ error: JournalError?
    ) throws(JournalError) -> (CommittedBatch, (any LongJob)?) {
        try transaction.rows.delete(active.id)
        transaction.noteJobs()
        let failed: JobReport.Outcome? =
            if case .failed? = error { .failed(.incomplete) } else { error.map(Self.failed) }
        try transaction.rows.report(
            failed ?? active.outcome ?? work.reported ?? .failed(.reverted), of: active.id,
            endedAt: transaction.now)
        let batch = try transaction.commit()
        if let error = error ?? active.refusal { active.caller?.fail(error) }
        if work.isVisible {
            jobs.active = nil
            unsettled.end()
        } else if jobs.active === active {
            jobs.active = nil
        } else {
            later.removeAll { $0 === active }
        }
        return (batch, active.waitingCaller)
    }

    private static func failed(_ error: JournalError) -> JobReport.Outcome {
        if case .refused(let refusal) = error { .failed(.init(refusal)) } else { .failed(.reverted) }
    }

    /// Replaces refused work by the work that reverts it. The job keeps its id, so that its report remains.
    private func replace(
        _ active: ActiveJob, with undoing: any Work, _ refusal: JournalError
    ) throws(JournalError) -> (CommittedBatch, (any LongJob)?) {
        let next = ActiveJob(active.id, undoing, caller: active.caller)
        try transaction.rows.delete(active.id)
        transaction.noteJobs()
        try transaction.rows.insert(undoing.stored(as: next.id), plan: undoing.plan())
        // No caller waits for the erasure of hidden rows.
        try transaction.rows.report(
            Self.failed(refusal), of: next.id, endedAt: undoing.isVisible ? nil : transaction.now)
        (next.refusal, next.isAnswered) = (refusal, active.isAnswered)
        let batch = try transaction.commit()
        guard undoing.isVisible else {
            jobs.active = nil
            later.append(ActiveJob(next.id, undoing, caller: nil))
            active.caller?.fail(refusal)
            return (batch, active.waitingCaller)
        }
        jobs.active = next
        return (batch, nil)
    }
}

extension StorageFailure {
    /// This failure of a step, as the failure of its long command.
    fileprivate var asIncomplete: StorageFailure {
        StorageFailure(.incomplete, operation: operation, code: code, detail: detail)
    }
}

// `@unchecked` is safe here for the same reason as at `CommandJob`.
final class LongCommandJob<C: Command>: LongJob, @unchecked Sendable {
    /// The answer, or nil if the command must plan again.
    typealias Outcome = Result<C.Answer?, JournalError>

    let work: any Work
    let plan: [UInt8]
    let request: JobReport.Request?
    private let command: C
    private let started: Storage.JobListener
    private let continuation: UnsafeContinuation<Outcome, Never>
    private var outcome: Outcome = .failure(.failed(StorageFailure(.closed, operation: "run")))

    init(
        _ command: C, _ work: any Work, plan: [UInt8], reporting request: JobReport.Request?,
        _ started: @escaping Storage.JobListener, _ continuation: UnsafeContinuation<Outcome, Never>
    ) {
        self.command = command
        self.work = work
        self.plan = plan
        self.request = request
        self.started = started
        self.continuation = continuation
    }

    var standsAlone: Bool { true }
    var long: (any LongJob)? { self }

    /// Does nothing, because the lane runs the job in slices.
    func run(in transaction: Transaction) {}

    func begin(in transaction: Transaction) throws(JournalError) -> Bool {
        switch try command.begin(work, in: transaction) {
        case .begun: return true
        case .outdated: outcome = .success(nil)
        case .answered(let answer): outcome = .success(answer)
        }
        return false
    }

    func complete(_ work: any Work, in transaction: Transaction) throws(JournalError) {
        outcome = .success(try command.answer(to: work, in: transaction))
    }

    func start(_ report: JobReport) { started(report) }

    func fail(_ error: JournalError) { outcome = .failure(error) }

    func finish() { continuation.resume(returning: outcome) }
}
