import Journal
import Meetings

extension MemoryRows {
    func jobReport(_ id: JobID) throws(JournalError) -> JobReport? {
        let tables = try tables()
        guard let report = tables.jobReports[id] else { return nil }
        return JobReport(
            id: id, request: report.request, done: tables.jobs[id]?.job.done ?? 0, total: report.total,
            outcome: report.outcome, endedAt: report.endedAt)
    }

    func jobInProgress(startedWith key: [UInt8]) throws(JournalError) -> JobReport? {
        let found = try tables().jobReports.values.first {
            $0.request.key?.id == key && $0.endedAt == nil
        }
        return try found.flatMap { report throws(JournalError) in try jobReport(report.id) }
    }

    func hasJobReport(endedBy moment: Instant) throws(JournalError) -> Bool {
        try tables().jobReports.values.contains { $0.endedAt.map { $0 <= moment } ?? false }
    }

    func insert(_ report: JobReport) throws(JournalError) {
        try change("insert job report") { tables in
            let ended = Self.ended(tables.jobReports.values) { $0.request.account == report.request.account }
            for old in ended.dropLast(JobReport.mostEnded) { tables.jobReports[old.id] = nil }
            tables.jobReports[report.id] = report
        }
    }

    func report(_ outcome: JobReport.Outcome, of job: JobID, endedAt: Instant?) throws(JournalError) {
        try change("report job") { tables in
            guard let before = tables.jobReports[job], before.endedAt == nil else { return }
            tables.jobReports[job] = JobReport(
                id: job, request: before.request, total: before.total, outcome: before.outcome ?? outcome,
                endedAt: endedAt)
        }
    }

    func deleteJobReports(endedBy moment: Instant, limit: Int) throws(JournalError) {
        try change("delete job reports") { tables in
            let ended = Self.ended(tables.jobReports.values) { $0.endedAt.map { $0 <= moment } ?? false }
            for old in ended.prefix(limit) { tables.jobReports[old.id] = nil }
        }
    }

    /// Returns the reports of ended jobs that fulfil the condition, the oldest first.
    private static func ended(
        _ reports: some Sequence<JobReport>, where isMeant: (JobReport) -> Bool
    ) -> [JobReport] {
        reports.filter { $0.endedAt != nil && isMeant($0) }
            .sorted { ($0.endedAt?.milliseconds ?? 0, $0.id) < ($1.endedAt?.milliseconds ?? 0, $1.id) }
    }
}
