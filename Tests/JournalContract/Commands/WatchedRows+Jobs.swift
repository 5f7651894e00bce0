import Journal
import Meetings

extension WatchedRows {
    func jobs() throws(JournalError) -> [StoredJob] { try inner.jobs() }
    func plan(of job: JobID) throws(JournalError) -> [UInt8]? { try inner.plan(of: job) }
    func insert(_ job: StoredJob, plan: [UInt8]) throws(JournalError) { try inner.insert(job, plan: plan) }
    func saveProgress(of job: JobID, done: Int) throws(JournalError) {
        try inner.saveProgress(of: job, done: done)
    }
    func delete(_ job: JobID) throws(JournalError) { try inner.delete(job) }
    func recount(_ session: SessionID) throws(JournalError) -> HeadCount { try inner.recount(session) }
    func move(_ session: Session) throws(JournalError) { try inner.move(session) }
    func deleteEmpty(_ meeting: MeetingID) throws(JournalError) { try inner.deleteEmpty(meeting) }
    func hide(_ session: SessionID, under meeting: MeetingID) throws(JournalError) {
        try inner.hide(session, under: meeting)
    }
    func hide(_ meeting: MeetingID) throws(JournalError) { try inner.hide(meeting) }
    func eraseSome(of meeting: MeetingID, limit: Int) throws(JournalError) -> Bool {
        try inner.eraseSome(of: meeting, limit: limit)
    }
}

extension WatchedRows {
    func jobReport(_ id: JobID) throws(JournalError) -> JobReport? { try inner.jobReport(id) }
    func jobInProgress(startedWith key: [UInt8]) throws(JournalError) -> JobReport? {
        try inner.jobInProgress(startedWith: key)
    }
    func hasJobReport(endedBy moment: Instant) throws(JournalError) -> Bool {
        try inner.hasJobReport(endedBy: moment)
    }
    func insert(_ report: JobReport) throws(JournalError) { try inner.insert(report) }
    func report(_ outcome: JobReport.Outcome, of job: JobID, endedAt: Instant?) throws(JournalError) {
        try inner.report(outcome, of: job, endedAt: endedAt)
    }
    func deleteJobReports(endedBy moment: Instant, limit: Int) throws(JournalError) {
        try inner.deleteJobReports(endedBy: moment, limit: limit)
    }
}
