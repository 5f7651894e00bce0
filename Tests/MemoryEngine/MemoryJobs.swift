import Journal
import Meetings

extension MemoryRows {
    func jobs() throws(JournalError) -> [StoredJob] {
        try tables().jobs.values.map(\.job).sorted { $0.id < $1.id }
    }

    func plan(of job: JobID) throws(JournalError) -> [UInt8]? { try tables().jobs[job]?.plan }

    func insert(_ job: StoredJob, plan: [UInt8]) throws(JournalError) {
        try change("insert job") { $0.jobs[job.id] = Tables.JobEntry(job: job, plan: plan) }
    }

    func saveProgress(of job: JobID, done: Int) throws(JournalError) {
        try change("save progress") { $0.jobs[job]?.job.done = done }
    }

    func delete(_ job: JobID) throws(JournalError) { try change("delete job") { $0.jobs[job] = nil } }

    func move(_ session: Session) throws(JournalError) { try update(session) }

    func deleteEmpty(_ meeting: MeetingID) throws(JournalError) {
        try change("delete empty meeting") { $0.meetings[meeting] = nil }
    }

    // Rows in memory need no slices, so hiding them deletes them.

    func hide(_ session: SessionID, under meeting: MeetingID) throws(JournalError) { try delete(session) }

    func hide(_ meeting: MeetingID) throws(JournalError) { try delete(meeting) }

    func eraseSome(of meeting: MeetingID, limit: Int) throws(JournalError) -> Bool {
        try delete(meeting)
        return true
    }
}
