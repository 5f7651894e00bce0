import Journal
import Meetings
import Synchronization
import Testing

private func entries(_ numbers: Range<Int>) -> [ImportRoster.Entry] {
    numbers.map {
        ImportRoster.Entry(
            pointer: "/people/\($0)",
            draft: PersonDraft(name: "P\($0)", email: "p\($0)@example.org", number: "\($0)"))
    }
}

extension Stage {
    /// Performs a command that a client starts without waiting. Returns the answer, and the report that the
    /// client got at the beginning.
    fileprivate func start<C: Command>(
        _ command: C, _ kind: JobReport.Kind, in meeting: MeetingID, by host: AccountID,
        key: RetryKey? = nil
    ) async throws -> (answer: C.Answer, report: JobReport?) {
        let started = Mutex<JobReport?>(nil)
        let answer = try await storage.perform(
            command, reporting: .init(account: host, kind: kind, meeting: meeting, key: key)
        ) { report in
            started.withLock { first in
                #expect(first == nil, "a job begins once")
                first = report
            }
        }
        return (answer, started.withLock { $0 })
    }

    fileprivate func report(_ id: JobID) async throws -> JobReport? {
        try await storage.read { rows throws(JournalError) in try rows.jobReport(id) }
    }

    /// Returns the job in progress with this key. On the writer's queue, so that a test can ask between two
    /// slices.
    fileprivate func running(_ key: RetryKey) async throws -> JobID? {
        try await perform(
            Act { transaction throws(JournalError) in
                try transaction.rows.jobInProgress(startedWith: key)?.id
            })
    }
}

extension CommandRule {
    static let jobReports: [CommandRule] = [
        CommandRule("an import leaves out a person whom the database refuses, and says so") { engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(7))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            watched.refusePerson(named: "P9")
            let started = Mutex<JobReport?>(nil)
            let error = await #expect(throws: JournalError.self) {
                try await stage.storage.perform(
                    ImportRoster(meeting: meeting, entries: entries(0..<20), actor: host),
                    reporting: .init(account: host, kind: .roster, meeting: meeting)
                ) { report in started.withLock { $0 = report } }
            }
            #expect(error?.failure?.reason == .incomplete)
            let id = try #require(started.withLock { $0 }?.id)
            let report = try #require(try await stage.report(id))
            #expect(report.outcome == .failed(.incomplete) && report.endedAt != nil)
            #expect(try await stage.roster(of: meeting).count == 19)
            #expect(try await !stage.roster(of: meeting).contains("P9"))
            #expect(try await stage.record(record.session.id)?.headCount.pending == 19)
            try await stage.expectWhole(record.session.id)
            #expect(stage.storage.statistics.failures == 0)
            #expect(stage.skipped.count >= 1)
            // The next list works.
            watched.refusePerson(named: "")
            _ = try await stage.perform(
                ImportRoster(meeting: meeting, entries: entries(0..<20), actor: host))
            #expect(try await stage.record(record.session.id)?.headCount.pending == 20)
            await stage.storage.close()
        },
        CommandRule("a job is reported from its beginning until an hour after its end, without more commits")
        { engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(7))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let commits = watched.happened.count
            let readings = Mutex<[Task<JobReport?, any Error>]>([])
            let began = Mutex<JobID?>(nil)
            watched.afterCommit { [stage] _ in
                guard let id = began.withLock({ $0 }) else { return }
                let reading = Task.immediate { try await stage.report(id) }
                readings.withLock { $0.append(reading) }
            }
            let outcome = try await stage.storage.perform(
                ImportRoster(meeting: meeting, entries: entries(0..<20), actor: host),
                reporting: .init(account: host, kind: .roster, meeting: meeting, note: "utf-8")
            ) { report in
                #expect(report.done == 0 && report.total == 41 && report.endedAt == nil)
                began.withLock { $0 = report.id }
            }
            watched.afterCommit(nil)
            #expect(watched.happened.count - commits == 1 + (41 + 6) / 7 + 1)
            let id = try #require(began.withLock { $0 })
            var seen: [JobReport] = []
            for reading in readings.withLock({ $0 }) { seen.append(try #require(try await reading.value)) }
            #expect(seen.allSatisfy { $0.total == 41 && (0...41).contains($0.done) })
            let ended = try #require(try await stage.report(id))
            #expect(ended.outcome == .roster(outcome) && ended.endedAt == stage.now)
            #expect(ended.request.note == "utf-8" && ended.request.account == host)

            let end = stage.now
            stage.now = end + .minutes(60) - .milliseconds(1)
            #expect(!ended.isExpired(at: stage.now))
            let before = watched.happened.count
            try await stage.storage.forgetJobReports(at: stage.now)
            #expect(watched.happened.count == before, "nothing has expired, so there is nothing to commit")
            #expect(try await stage.report(id) != nil)
            stage.now = end + .minutes(60)
            #expect(ended.isExpired(at: stage.now))
            try await stage.storage.forgetJobReports(at: stage.now)
            #expect(try await stage.report(id) == nil)
            await stage.storage.close()
        },
        CommandRule("a command that fits in one slice, or changes nothing, has no report") { stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let list = ImportRoster(meeting: meeting, entries: entries(0..<5), actor: host)
            for _ in 0..<2 {
                #expect(try await stage.start(list, .roster, in: meeting, by: host).report == nil)
            }
            let short = EditMeeting(id: meeting, name: "Other", actor: host)
            #expect(try await stage.start(short, .identifyBy, in: meeting, by: host).report == nil)
        },
        CommandRule("a refused job is running until everything is restored, and then reports the refusal") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(6))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            _ = try await stage.storage.perform(
                ImportRoster(meeting: meeting, entries: entries(0..<20), actor: host))
            stage.now = at(0)
            let began = Mutex<JobID?>(nil)
            let arrival = Mutex<Task<CheckIn.Outcome, any Error>?>(nil)
            let readings = Mutex<[Task<JobReport?, any Error>]>([])
            watched.afterCommit { [stage] number in
                if number == 2 {
                    let task = Task.immediate { try await stage.checkIn(7, in: record.session.id) }
                    arrival.withLock { $0 = task }
                }
                guard let id = began.withLock({ $0 }) else { return }
                let reading = Task.immediate { try await stage.report(id) }
                readings.withLock { $0.append(reading) }
            }
            await expectRefused(.sessionHasAttendees) {
                try await stage.storage.perform(
                    EditMeeting(id: meeting, identifyBy: .number, actor: host),
                    reporting: .init(account: host, kind: .identifyBy, meeting: meeting)
                ) { report in began.withLock { $0 = report.id } }
            }
            watched.afterCommit(nil)
            _ = try await arrival.withLock { $0 }?.value
            for reading in readings.withLock({ $0 }) {
                let report = try #require(try await reading.value)
                #expect(report.endedAt == nil || report.outcome == .failed(.sessionHasAttendees))
            }
            let id = try #require(began.withLock { $0 })
            let report = try #require(try await stage.report(id))
            #expect(report.outcome == .failed(.sessionHasAttendees) && report.endedAt == stage.now)
            await stage.storage.close()
        },
        CommandRule("a key finds its job while the job is running, and the stored answer afterwards") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(5))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            _ = try await stage.storage.perform(
                ImportRoster(meeting: meeting, entries: entries(0..<10), actor: host))
            let key = RetryKey(id: hash(1), fingerprint: hash(2))
            let other = RetryKey(id: hash(1), fingerprint: hash(3))
            let found = Mutex<[Task<JobID?, any Error>]>([])
            let refused = Mutex<[Task<JobID?, any Error>]>([])
            watched.afterCommit { [stage] number in
                guard number == 3 else { return }
                let right = Task.immediate { try await stage.running(key) }
                found.withLock { $0.append(right) }
                let wrong = Task.immediate { try await stage.running(other) }
                refused.withLock { $0.append(wrong) }
            }
            let series = Keyed(
                RepeatMeeting(meeting: meeting, rule: .weekly, count: 2, actor: host), key: key
            ) { (shown: $0.map(\.session.id), content: [UInt8(1)]) }
            let (answer, report) = try await stage.start(series, .series, in: meeting, by: host, key: key)
            watched.afterCommit(nil)
            let started = try #require(report)
            for task in found.withLock({ $0 }) { #expect(try await task.value == started.id) }
            for task in refused.withLock({ $0 }) {
                await expectRefused(.keyUsedForAnotherRequest) { try await task.value }
            }
            #expect(try await stage.running(key) == nil)
            guard case .new(let ids) = answer else {
                Issue.record("the first request runs the command")
                return
            }
            #expect(try await stage.report(started.id)?.outcome == .added(ids))
            guard case .repeated(let content) = try await stage.perform(series) else {
                Issue.record("a repeated request gets the stored answer")
                return
            }
            #expect(content == [1])
            await stage.storage.close()
        },
        CommandRule("a job continues after a slice could not be written, and keeps its report") { engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(7))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let began = Mutex<JobID?>(nil)
            watched.afterCommit { number in if number == 3 { watched.failNextCommit() } }
            await #expect(throws: JournalError.self) {
                try await stage.storage.perform(
                    ImportRoster(meeting: meeting, entries: entries(0..<20), actor: host),
                    reporting: .init(account: host, kind: .roster, meeting: meeting)
                ) { report in began.withLock { $0 = report.id } }
            }
            watched.afterCommit(nil)
            let id = try #require(began.withLock { $0 })
            let stalled = try #require(try await stage.report(id))
            #expect(stalled.endedAt == nil && (1..<40).contains(stalled.done))
            // Each commit of another command makes the job go on.
            for _ in 0..<10 { try await stage.perform(Act { _ in }) }
            let ended = try #require(try await stage.report(id))
            guard case .roster(let outcome) = ended.outcome else {
                Issue.record("\(ended)")
                return
            }
            #expect(outcome.added == 20 && ended.endedAt != nil)
            await stage.storage.close()
        },
        CommandRule("the deletion of an account deletes the reports of its jobs") { engine in
            let stage = try Stage(engine, slices: .fixed(7))
            let (_, record) = try await stage.planned()
            let second = try await stage.account(2).id
            try await stage.makeHost(second, of: record.meeting.id)
            let list = ImportRoster(meeting: record.meeting.id, entries: entries(0..<20), actor: second)
            let (_, report) = try await stage.start(list, .roster, in: record.meeting.id, by: second)
            let id = try #require(report?.id)
            #expect(try await stage.report(id) != nil)
            try await stage.perform(
                Act { transaction throws(JournalError) in try transaction.rows.delete(second) })
            #expect(try await stage.report(id) == nil)
            await stage.storage.close()
        },
    ]
}
