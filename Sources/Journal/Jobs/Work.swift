package import Meetings

/// The work of a long command: a sequence of steps that the writer applies in slices, each in a transaction
/// of its own, with the batches of other commands between them. Each step must be correct even if
/// check-ins, withdrawals and responses have happened since the work began. The writer holds back all other
/// commands of the meeting until the end.
package protocol Work: Sendable {
    /// Returns the row of the job, with no step done.
    func stored(as id: JobID) -> StoredJob
    /// Returns the description from which `StoredWork` makes the work again. This may take long, so the
    /// writer calls the function only for work that the writer itself has made.
    func plan() -> [UInt8]
    /// The meeting whose rows the steps change.
    var meeting: MeetingID { get }
    /// The sessions whose attendees the steps change.
    var sessions: [SessionID] { get }
    /// The number of steps. One step writes a few rows at most.
    var steps: Int { get }
    /// The number of steps in the report of a job: `steps` before the first step, or an estimate if the steps
    /// end only when no row is left.
    var reportedSteps: Int { get }
    /// Whether readers and other commands of the meeting wait for the end. False if the steps change rows
    /// that no query finds.
    var isVisible: Bool { get }
    /// Whether the last steps add the withheld counts of each session (`Transaction.addWithheld`). If not,
    /// the writer adds them before `finish`.
    var settlesCounts: Bool { get }
    /// Whether the meeting had a roster when the work began; check-ins use it until the end. Nil if the work
    /// does not change the roster.
    var hadRoster: Bool? { get }

    /// Prepares the slices, in the first transaction. Not called if all steps fit in one slice. The number of
    /// steps may change here.
    mutating func prepare(in transaction: Transaction) throws(JournalError)
    /// Performs the steps of this range.
    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError)
    /// Ends the work in a short transaction: records the events, and publishes the changes. The counts of the
    /// sessions already include the work.
    /// - Throws: `.refused` if a rule refuses the result; then the work cannot end, and `undo` reverts it.
    mutating func finish(in transaction: Transaction) throws(JournalError)
    /// Returns the work that reverts this work, if `finish` was refused.
    func undone() -> (any Work)?
    /// The outcome after `finish`, for the report of the job. Nil if this work only reverts changes.
    var reported: JobReport.Outcome? { get }
}

extension Work {
    package var reportedSteps: Int { steps }
    package var isVisible: Bool { true }
    package var settlesCounts: Bool { false }
    package var hadRoster: Bool? { nil }
    package mutating func prepare(in transaction: Transaction) throws(JournalError) {}
    package func undone() -> (any Work)? { nil }
    package var reported: JobReport.Outcome? { nil }
}

/// How a command that may be long plans its work.
package enum Planning: Sendable {
    /// The command is always short, and plans nothing.
    case none
    /// The plan needs a few rows.
    case reading
    /// The plan needs all people of a roster, so it runs on the threads for scans.
    case scanning
}

/// The result of the first judgement of a long command, in its first transaction.
package enum Beginning<Answer: Sendable>: Sendable {
    /// The command may begin its work.
    case begun
    /// The rows have changed since the work was planned, so the command must plan again.
    case outdated
    /// There is nothing to do, and this is the answer.
    case answered(Answer)
}

extension Command {
    /// Plans the work and does all of it in this transaction.
    func runAtOnce(in transaction: Transaction) throws(JournalError) -> Answer {
        guard var work = try work(in: transaction.rows, at: transaction.now) else {
            preconditionFailure("\(Self.self) planned no work")
        }
        switch try begin(work, in: transaction) {
        case .answered(let answer): return answer
        case .outdated: preconditionFailure("\(Self.self) changed between two statements of a transaction")
        case .begun: break
        }
        try work.apply(0..<work.steps, in: transaction)
        try work.finish(in: transaction)
        return try answer(to: work, in: transaction)
    }
}

/// Makes the work of a stored job again, after a crash.
enum StoredWork {
    static func work(of job: StoredJob, from rows: any ReadableRows) throws(JournalError) -> any Work {
        let plan = try rows.plan(of: job.id) ?? []
        let work: (any Work)? =
            switch job.kind {
            case .roster: RosterWork(stored: plan, of: job.meeting)
            case .rekey: try RekeyWork(stored: plan, of: job.meeting, from: rows)
            case .erasure: ErasureWork(meeting: job.meeting)
            case .lateRule: try LateRuleWork(stored: plan, from: rows)
            case .account: AccountWork(stored: plan)
            case .links: LinkRevocation(stored: plan, of: job.meeting)
            case .setDeletion: try SetDeletionWork(stored: plan, from: rows)
            case .leaving: LeavingWork(stored: plan, of: job.meeting)
            case .codes: CodeRevocation(stored: plan, of: job.meeting)
            }
        guard let work else {
            throw .failed(StorageFailure(.damaged, operation: "resume a job", detail: "\(job.kind)"))
        }
        return work
    }
}
