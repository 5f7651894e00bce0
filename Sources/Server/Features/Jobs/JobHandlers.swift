import HTTPServer
import Journal
import Meetings
import Synchronization
import Wire

/// The handler for a job, which shows the progress and the outcome of a long command.
enum JobHandlers {
    /// The seconds after which a client should ask again. The shortest time that `Retry-After` can express is
    /// short enough for a progress line, and one look-up a second costs the server nothing noticeable.
    static let pollingPause = ("Retry-After", "1")

    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let (id, account, now) = (try context.id(StoredJob.self, .job), context.accountID, context.now)
        let only = context.onlyMeeting
        let found = try await context.storage.read { rows throws(JournalError) -> (JobReport, Ending?)? in
            guard let report = try rows.jobReport(id), report.request.account == account,
                only == nil || report.request.meeting == only, !report.isExpired(at: now)
            else { return nil }
            return (report, try Ending(of: report, in: rows))
        }
        guard let (report, ending) = found else { throw Refusal.notFound(.job) }
        let body = context.jobBody(report, ending)
        return .json(body, headers: body.state == .running ? [pollingPause] : [])
    }

    /// The rows from which the outcome of an ended job is answered. They are read when the client asks, so
    /// that a job stores no names, and shows nothing to a caller who is no longer a host of the meeting.
    struct Ending: Sendable {
        let outcome: JobReport.Outcome
        /// The caller's role in the meeting; nil if the caller is no longer a member.
        let role: Role?
        /// The changed or added sessions; for a changed meeting, its latest session.
        let records: [SessionRecord]
        /// The sessions that the edited session overlaps, or that stopped the change.
        let overlaps: [SessionRecord]

        /// Reads the outcome. Returns nil if the job has not ended.
        init?(of report: JobReport, in rows: any ReadableRows) throws(JournalError) {
            guard report.endedAt != nil, let outcome = report.outcome else { return nil }
            let request = report.request
            self.outcome = outcome
            role = try rows.role(of: request.account, in: request.meeting)
            guard role?.isHost == true else {
                (records, overlaps) = ([], [])
                return
            }
            switch outcome {
            case .roster: (records, overlaps) = ([], [])
            case .failed(.sessionOverlap(let others)):
                (records, overlaps) = ([], try Self.records(of: others, in: rows))
            case .failed: (records, overlaps) = ([], [])
            case .meeting:
                (records, overlaps) = (try rows.latestSession(of: request.meeting).map { [$0] } ?? [], [])
            case .session(let id, let others):
                records = try Self.records(of: [id], in: rows)
                overlaps = try Self.records(of: others, in: rows)
            case .added(let ids): (records, overlaps) = (try Self.records(of: ids, in: rows), [])
            }
        }

        private static func records(
            of ids: [SessionID], in rows: any ReadableRows
        ) throws(JournalError) -> [SessionRecord] {
            var found: [SessionRecord] = []
            for id in ids {
                if let record = try rows.session(id) { found.append(record) }
            }
            return found
        }
    }
}

extension RequestContext {
    /// Performs a command that may become a job. If the client prefers an early answer
    /// (`Prefer: respond-async`) and the command becomes a job, answers 202 with the job when the job has
    /// begun. Otherwise waits for the end, as `perform` does.
    /// - Parameter note: a word that the answer repeats (`JobReport.Request.note`).
    func performLong<C: Command>(
        _ command: C, _ kind: JobReport.Kind, note: String? = nil,
        answer: @escaping @Sendable (C.Answer) -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard Preferences.wantsEarlyAnswer(request.headers.all(Preferences.header)) else {
            return try await perform(command, answer: answer)
        }
        let key = idempotencyKey?.retryKey
        if let key {
            let running = try await storage.read { rows throws(JournalError) in
                try rows.jobInProgress(startedWith: key)
            }
            if let running { return started(running).replayed }
        }
        let request = JobReport.Request(
            account: accountID, kind: kind, meeting: meeting.id, key: key, note: note)
        return try await withCheckedThrowingContinuation { continuation in
            let first = FirstAnswer(continuation)
            // The task holds the account's turn until the job's end, so that an early answer lets no account
            // run two heavy commands at a time.
            Task {
                do {
                    let response = try await perform(
                        command, reporting: request, started: { first.give(.success(started($0))) },
                        answer: answer)
                    first.give(.success(response))
                } catch {
                    first.give(.failure(error))
                }
            }
        }
    }

    /// Returns the answer to a request that started this job.
    private func started(_ report: JobReport) -> HTTPResponse {
        let body = jobBody(report, nil)
        return .json(
            StartedJobBody(body), status: 202,
            headers: [
                ("Location", "/api/v1/jobs/\(body.id)"), ("Preference-Applied", Preferences.respondAsync),
                JobHandlers.pollingPause,
            ])
    }

    fileprivate func jobBody(_ report: JobReport, _ ending: JobHandlers.Ending?) -> JobBody {
        let id = ID<JobBody>(high: report.id.high, low: report.id.low)
        let kind: JobBody.Kind =
            switch report.request.kind {
            case .roster: .roster
            case .identifyBy: .identifyBy
            case .lateLimit: .lateLimit
            case .session: .session
            case .series: .series
            case .codes: .codes
            }
        guard let ending else {
            return JobBody(id: id, kind: kind, state: .running, done: report.done, total: report.total)
        }
        if case .failed(let failure) = ending.outcome {
            var body = JobBody(id: id, kind: kind, state: .failed, done: 0, total: report.total)
            let problem = problem(of: failure, ending)
            (body.problem, body.status) = (problem, problem.status)
            return body
        }
        var body = JobBody(id: id, kind: kind, state: .done, done: report.total, total: report.total)
        body.status = kind == .session || kind == .series ? 201 : 200
        body.location = location(of: report, ending)
        body.result = result(of: report, ending)
        return body
    }

    private func location(of report: JobReport, _ ending: JobHandlers.Ending) -> String {
        let meeting = "/api/v1/meetings/\(report.request.meeting)"
        switch ending.outcome {
        case .roster: return "\(meeting)/roster"
        case .session(let id, _): return "/api/v1/sessions/\(id)"
        case .added(let ids):
            return ids.count == 1 ? "/api/v1/sessions/\(ids[0])" : "\(meeting)/sessions"
        case .meeting, .failed: return meeting
        }
    }

    private func result(of report: JobReport, _ ending: JobHandlers.Ending) -> JobBody.Result? {
        guard let role = ending.role, role.isHost else { return nil }
        let sessions = ending.records.map { sessionBody($0, for: .member) }
        switch ending.outcome {
        case .roster(let outcome):
            let encoding = report.request.note.flatMap { SpreadsheetText.Encoding(rawValue: $0) }
            return JobBody.Result(roster: RosterImportBody(outcome, encoding: encoding))
        case .meeting: return ending.records.first.map { .init(meeting: meetingBody($0, role: role)) }
        case .session:
            guard var body = sessions.first else { return nil }
            let overlaps = visible(ending.overlaps.map(Overlap.init))
            if !overlaps.isEmpty { body.overlaps = overlaps.map(OverlapBody.init) }
            return .init(session: body)
        case .added where report.request.kind == .series: return .init(sessions: sessions)
        case .added: return sessions.first.map { .init(session: $0) }
        case .failed: return nil
        }
    }

    private func problem(of failure: JobReport.Failure, _ ending: JobHandlers.Ending) -> Problem {
        switch failure {
        case .sessionHasAttendees: Problem(.sessionHasAttendees, in: language)
        case .sessionOver: Problem(.sessionOver, in: language)
        case .sessionOverlap:
            Problem(.sessionOverlap(visible(ending.overlaps.map(Overlap.init))), in: language)
        case .notFound: Problem(.notFound(.meeting), in: language)
        case .notAllowed: Problem(.notAllowed, in: language)
        case .reverted:
            Problem(code: .storageUnavailable, in: language, saying: ProblemCode.storageReverted)
        case .incomplete: Problem(code: .internalError, in: language, saying: ProblemCode.storageIncomplete)
        }
    }
}

extension Overlap {
    fileprivate init(_ record: SessionRecord) {
        self.init(record.session, meetingName: record.meeting.name)
    }
}

/// Resumes a request with the first of several answers. Any thread may use it.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<HTTPResponse, any Error>?>

    init(_ continuation: CheckedContinuation<HTTPResponse, any Error>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ answer: Result<HTTPResponse, any Error>) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(with: answer)
    }
}
