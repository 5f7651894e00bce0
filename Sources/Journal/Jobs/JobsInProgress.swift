import Meetings

/// The jobs that have begun and not ended, on this node and on others. The transaction and the lane share it,
/// because it outlives the batches.
final class JobsInProgress {
    private enum Phase {
        case idle
        /// Other commands run between two slices of this job.
        case between(ActiveJob)
        /// The running transaction is a slice of this job.
        case applying(ActiveJob)
    }

    private var phase = Phase.idle
    /// The job, if any, that was active when this node lost its jobs (`OtherCommits.hasLostJobs`). Nil if no
    /// job is lost, and as soon as the lane reads the jobs again.
    var lost: [ActiveJob]?
    /// The meetings of visible jobs that this node does not run at present: jobs of other nodes, and jobs
    /// that wait for their turn here.
    private(set) var busyElsewhere: Set<MeetingID> = []

    /// The job that the writer applies at present; nil if there is none.
    var active: ActiveJob? {
        get {
            switch phase {
            case .idle: nil
            case .between(let job), .applying(let job): job
            }
        }
        set { phase = newValue.map(Phase.between) ?? .idle }
    }
    /// The active job, if the running transaction is one of its slices.
    var applied: ActiveJob? { if case .applying(let job) = phase { job } else { nil } }

    /// Makes a job active that this node has taken over. Its meeting is busy here from now on.
    func activate(_ job: ActiveJob) {
        active = job
        busyElsewhere.remove(job.work.meeting)
    }

    /// Runs `body` as a slice of the job. The counts of work that is not active are not withheld.
    func applying<Result>(
        _ job: ActiveJob, _ body: () throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        guard job === active else { return try body() }
        phase = .applying(job)
        defer { phase = .between(job) }
        return try body()
    }

    /// Takes over what other nodes have done to jobs.
    func take(_ others: OtherCommits) {
        if others.hasLostJobs, lost == nil { (lost, phase) = (active.map { [$0] } ?? [], .idle) }
        if let jobs = others.visibleJobs {
            busyElsewhere = Set(jobs.filter { $0.key != active?.id }.values)
        }
    }

    /// Returns the kind of key that new slots of the session get. While a job changes the kind, this is the
    /// kind that the job sets.
    func identifyBy(of record: SessionRecord) -> IdentifyBy {
        if let work = active?.work as? RekeyWork, work.meeting == record.meeting.id { return work.target }
        return record.meeting.identifyBy
    }

    /// Notes that the running slice has created a slot, which only the withheld counts contain.
    func noteMade(_ slot: AttendeeID, in session: SessionID) {
        if let applied, applied.work.isVisible { applied.made[session, default: []].insert(slot) }
    }
}

extension Transaction {
    /// Checks that no job is in progress in the meeting. Every command of a host does this before it writes;
    /// the writer then parks the command until the job's end. Only the ends of rights do not wait.
    /// - Throws: `meetingIsBusy` if a job is in progress in the meeting.
    func requireSettled(_ meeting: MeetingID) throws(JournalError) {
        guard isSettled(meeting) else { throw .refused(.meetingIsBusy) }
    }

    /// Whether no job is changing the meeting.
    func isSettled(_ meeting: MeetingID) -> Bool {
        jobs.active?.work.meeting != meeting && !jobs.busyElsewhere.contains(meeting)
    }

    /// Checks that no job of another node is changing the session's meeting. Only that node can let check-ins
    /// pass between its slices, because it holds back the counts of its job. Here they wait for the end.
    func requireNotBusyElsewhere(_ id: SessionID) throws(JournalError) {
        guard !jobs.busyElsewhere.isEmpty else { return }
        if jobs.busyElsewhere.contains(try session(id).meeting.id) { throw .refused(.meetingIsBusy) }
    }

    /// Whether the meeting has a roster. While a job changes the roster, whether it had one before.
    func hasRoster(_ meeting: MeetingID) throws(JournalError) -> Bool {
        if jobs.busyElsewhere.contains(meeting) { throw .refused(.meetingIsBusy) }
        if let job = jobs.active, job.work.meeting == meeting, let hadRoster = job.work.hadRoster {
            return hadRoster
        }
        return try find(.roster(meeting)) { () throws(JournalError) in
            try rows.hasRoster(meeting) ? true : nil
        } ?? false
    }

    /// Adds the withheld counts of a session to the session's counts, so that readers see them from the
    /// commit on.
    func addWithheld(to id: SessionID) throws(JournalError) {
        guard let job = jobs.active else { return }
        if job.mustRecount {
            let count = try rows.recount(id)
            try change(id, counting: true) { $0.headCount = count }
        } else if let withheld = job.withheld[id] {
            try change(id, counting: true) { $0.headCount += withheld }
        }
        // If the batch fails, the lane recounts, so these values need no revert.
        (job.withheld[id], job.made[id]) = (nil, nil)
    }

    /// Stores work that nobody can see and for which no caller waits. The lane applies it after the commit.
    func later(_ work: any Work) throws(JournalError) {
        let id = JobID.make(at: now)
        try rows.insert(work.stored(as: id), plan: work.plan())
        noteJobs()
        batch.running.laterWork.append((id, work))
    }

    /// Notes that the batch begins or ends a job.
    func noteJobs() { batch.running.note.hasChangedJobs = true }

    /// Removes a slot from the withheld counts if only they contain it. Returns whether they did.
    func uncountMade(_ slot: Attendee) -> Bool {
        guard let job = jobs.active, job.made[slot.sessionID]?.remove(slot.id) != nil else { return false }
        batch.running.hasUncounted = true
        job.withheld[slot.sessionID, default: HeadCount()].remove(slot)
        return true
    }
}
