package import Journal
package import Meetings

extension Query {
    private static let columns = """
        SELECT r.job, r.account, r.kind, r.meeting, r.key_id, r.key_fingerprint, r.note, r.outcome,
            r.ended_at, coalesce(j.done, 0), r.total
        FROM job_reports r LEFT JOIN jobs j ON j.id = r.job
        """
    fileprivate static let jobReport = Query("find job report", "\(columns) WHERE r.job = ?")
    fileprivate static let jobOfKey = Query(
        "find job by key", "\(columns) WHERE r.key_id = ? AND r.ended_at IS NULL")
    fileprivate static let anyEnded = Query(
        "find ended job report", "SELECT 1 FROM job_reports WHERE ended_at <= ? LIMIT 1")
    fileprivate static let insertReport = Query(
        "insert job report", "INSERT INTO job_reports VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)")
    fileprivate static let trimReports = Query(
        "delete an account's oldest job reports",
        """
        DELETE FROM job_reports WHERE job IN (SELECT job FROM job_reports
            WHERE account = ? AND ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT -1 OFFSET ?)
        """)
    fileprivate static let report = Query(
        "report job",
        """
        UPDATE job_reports SET outcome = coalesce(outcome, ?2), ended_at = ?3
        WHERE job = ?1 AND ended_at IS NULL
        """)
    fileprivate static let deleteReports = Query(
        "delete job reports",
        """
        DELETE FROM job_reports
        WHERE job IN (SELECT job FROM job_reports WHERE ended_at <= ? ORDER BY ended_at LIMIT ?)
        """)
}

extension SQLRows {
    package func jobReport(_ id: JobID) throws(JournalError) -> JobReport? {
        try connection.first(.jobReport, id) { row throws(JournalError) in try row.jobReport() }
    }

    package func jobInProgress(startedWith key: [UInt8]) throws(JournalError) -> JobReport? {
        try connection.first(.jobOfKey, key) { row throws(JournalError) in try row.jobReport() }
    }

    package func hasJobReport(endedBy moment: Instant) throws(JournalError) -> Bool {
        try connection.first(.anyEnded, moment) { _ in true } ?? false
    }

    package func insert(_ report: JobReport) throws(JournalError) {
        let request = report.request
        try connection.run(.trimReports, request.account, JobReport.mostEnded)
        try connection.run(
            .insertReport, report.id, request.account, request.kind.code, request.meeting, report.total,
            request.key?.id, request.key?.fingerprint, request.note)
    }

    package func report(_ outcome: JobReport.Outcome, of job: JobID, endedAt: Instant?) throws(JournalError) {
        try connection.run(.report, job, try JSONText.of(outcome), endedAt)
    }

    package func deleteJobReports(endedBy moment: Instant, limit: Int) throws(JournalError) {
        try connection.run(.deleteReports, moment, limit)
    }
}

extension Row {
    fileprivate func jobReport() throws(JournalError) -> JobReport {
        let key = isNull(4) ? nil : RetryKey(id: bytes(4), fingerprint: bytes(5))
        return JobReport(
            id: try id(0),
            request: JobReport.Request(
                account: try id(1), kind: try code(2), meeting: try id(3), key: key, note: textIfAny(6)),
            done: int(9), total: int(10), outcome: isNull(7) ? nil : try json(7),
            endedAt: instantIfAny(8))
    }
}

extension JobReport.Kind: Coded {
    package static let cases: [JobReport.Kind] = [
        .roster, .identifyBy, .lateLimit, .session, .series, .codes,
    ]
    package var code: Int { rawValue }
}
