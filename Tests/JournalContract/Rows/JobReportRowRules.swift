import Journal
import Meetings
import Testing

private func aReport(_ number: Int, of account: Int = 1, key: RetryKey? = nil, note: String? = nil)
    -> JobReport
{
    JobReport(
        id: id(number),
        request: .init(account: id(account), kind: .series, meeting: id(1), key: key, note: note), total: 9)
}

extension RowsRule {
    static let jobReports: [RowsRule] = [
        RowsRule("a job's report takes its finished steps from the job, and keeps its first outcome") {
            rows in
            let key = RetryKey(id: hash(1), fingerprint: hash(2))
            let job = StoredJob(id: id(1), kind: .roster, meeting: id(1), done: 4, total: 0)
            try rows.batch {
                try rows.insert(anAccount(1))
                try rows.insert(job, plan: [])
                try rows.insert(aReport(1, key: key, note: "cp949"))
            }
            let report = try #require(try rows.jobReport(id(1)))
            #expect(report.done == 4 && report.total == 9 && report.outcome == nil && report.endedAt == nil)
            #expect(report.request.key == key && report.request.note == "cp949")
            #expect(report.request.kind == .series)
            #expect(try rows.jobInProgress(startedWith: hash(1)) == report)
            #expect(try rows.jobInProgress(startedWith: hash(2)) == nil)
            #expect(try rows.jobReport(id(2)) == nil)
            try rows.batch { try rows.report(.failed(.sessionOverlap([id(8)])), of: id(1), endedAt: nil) }
            #expect(
                try rows.jobInProgress(startedWith: hash(1))?.outcome == .failed(.sessionOverlap([id(8)])))
            try rows.batch {
                try rows.delete(id(1) as JobID)
                try rows.report(.meeting, of: id(1), endedAt: at(5))
                try rows.report(.meeting, of: id(1), endedAt: at(6))
                try rows.report(.meeting, of: id(2), endedAt: at(6))
            }
            let ended = try #require(try rows.jobReport(id(1)))
            #expect(ended.outcome == .failed(.sessionOverlap([id(8)])) && ended.endedAt == at(5))
            #expect(try rows.jobInProgress(startedWith: hash(1)) == nil)
        },
        RowsRule("an account keeps its latest ended jobs, up to a limit, and all running ones") { rows in
            let most = JobReport.mostEnded
            try rows.batch {
                try rows.insert(anAccount(1))
                try rows.insert(anAccount(2))
                try rows.insert(aReport(500))
                try rows.insert(aReport(600, of: 2))
                try rows.report(.meeting, of: id(600), endedAt: at(0))
                for number in 1...most + 3 {
                    try rows.insert(aReport(number))
                    try rows.report(.added([id(number)]), of: id(number), endedAt: at(number))
                }
                try rows.insert(aReport(700))
            }
            let kept = try (1...most + 3).filter { try rows.jobReport(id($0)) != nil }
            #expect(kept == Array(4...most + 3))
            for number in [500, 600, 700] { #expect(try rows.jobReport(id(number)) != nil) }
        },
        RowsRule("reports of jobs that ended long ago are deleted oldest first, at most as many as asked") {
            rows in
            try rows.batch {
                try rows.insert(anAccount(1))
                for number in 1...5 {
                    try rows.insert(aReport(number))
                    try rows.report(.meeting, of: id(number), endedAt: at(number))
                }
                try rows.insert(aReport(6))
            }
            #expect(try !rows.hasJobReport(endedBy: at(1) - .milliseconds(1)))
            #expect(try rows.hasJobReport(endedBy: at(1)))
            try rows.batch { try rows.deleteJobReports(endedBy: at(4), limit: 3) }
            #expect(try (1...6).filter { try rows.jobReport(id($0)) != nil } == [4, 5, 6])
            try rows.batch { try rows.deleteJobReports(endedBy: at(4), limit: 3) }
            #expect(try (1...6).filter { try rows.jobReport(id($0)) != nil } == [5, 6])
        },
    ]
}
