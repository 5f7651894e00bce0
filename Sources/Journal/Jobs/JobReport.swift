package import Meetings

/// The state of a long command for the client that started it and did not wait for its end. The report is
/// written in the transactions that begin and end the work. Between them, the row of the job (`StoredJob`)
/// has the number of finished steps, so progress costs no write of its own.
package struct JobReport: Hashable, Sendable {
    /// The commands that clients may start without waiting. The order of the cases is part of the file
    /// format.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// `ImportRoster`.
        case roster
        /// `EditMeeting` with a new kind of key.
        case identifyBy
        /// `EditSession` with a new late limit.
        case lateLimit
        /// `ContinueMeeting`.
        case session
        /// `RepeatMeeting`.
        case series
        /// `EditMeeting` with new codes or without presenter links.
        case codes
    }

    /// A client's request to get the report instead of waiting.
    package struct Request: Hashable, Sendable {
        package let account: AccountID
        package let kind: Kind
        package let meeting: MeetingID
        /// The key under which the client may send the same command again; nil without a key.
        package let key: RetryKey?
        /// A word about the request that its answer repeats, such as the encoding of an uploaded file.
        package let note: String?

        package init(
            account: AccountID, kind: Kind, meeting: MeetingID, key: RetryKey? = nil, note: String? = nil
        ) {
            self.account = account
            self.kind = kind
            self.meeting = meeting
            self.key = key
            self.note = note
        }
    }

    /// The outcome of the work, without names. The encoded form is part of the file format.
    package enum Outcome: Hashable, Sendable, Codable {
        case roster(ImportRoster.Outcome)
        case meeting
        case session(SessionID, overlaps: [SessionID])
        case added([SessionID])
        case failed(Failure)
    }

    /// The reason why the work changed nothing. Other refusals are found before the work begins.
    package enum Failure: Hashable, Sendable, Codable {
        case sessionHasAttendees
        case sessionOver
        case sessionOverlap([SessionID])
        case notFound
        case notAllowed
        /// The server stopped before the end and reverted the change, or reverted it for a reason that no
        /// other case names.
        case reverted
        /// The database refused at least one step, for example one person of a list, which was left out.
        case incomplete

        init(_ refusal: Refusal) {
            self =
                switch refusal {
                case .sessionHasAttendees: .sessionHasAttendees
                case .sessionOver: .sessionOver
                case .sessionOverlap(let overlaps): .sessionOverlap(overlaps.map(\.session.id))
                case .notFound: .notFound
                case .notAllowed: .notAllowed
                default: .reverted
                }
        }
    }

    package let id: JobID
    package let request: Request
    /// The number of finished steps, and the number of all steps. If the work is refused, the steps that
    /// revert it count from 0 again.
    package let done: Int
    package let total: Int
    /// The outcome; nil until the last transaction. A refused work has its outcome before `endedAt`.
    package let outcome: Outcome?
    /// The time of the last transaction; nil while the job is in progress.
    package let endedAt: Instant?

    /// The time for which the report of an ended job is stored.
    package static let lifetime = Duration.hours(1)
    /// The most reports of ended jobs of one account. A new job deletes the oldest ones above this number.
    package static let mostEnded = 20

    package init(
        id: JobID, request: Request, done: Int = 0, total: Int, outcome: Outcome? = nil,
        endedAt: Instant? = nil
    ) {
        self.id = id
        self.request = request
        self.done = done
        self.total = total
        self.outcome = outcome
        self.endedAt = endedAt
    }

    /// Whether the report has outlived its time, although the server may not have deleted it yet.
    package func isExpired(at now: Instant) -> Bool { endedAt.map { $0 + Self.lifetime <= now } ?? false }
}

/// The queries for reports of jobs.
package protocol JobReportReading {
    func jobReport(_ id: JobID) throws(JournalError) -> JobReport?
    /// Returns the job in progress that a client started with this key.
    func jobInProgress(startedWith key: [UInt8]) throws(JournalError) -> JobReport?
    /// Whether a job ended at `moment` or before.
    func hasJobReport(endedBy moment: Instant) throws(JournalError) -> Bool
}

/// The writes of reports of jobs.
package protocol JobReportWriting {
    /// Inserts the report of a job that begins. Deletes the account's oldest reports of ended jobs, so that
    /// at most `JobReport.mostEnded` remain.
    func insert(_ report: JobReport) throws(JournalError)
    /// Stores the outcome, unless the report has one, and the end, unless it is nil. Does nothing if the job
    /// has no report, or has ended already.
    func report(_ outcome: JobReport.Outcome, of job: JobID, endedAt: Instant?) throws(JournalError)
    /// Deletes at most `limit` reports of jobs that ended at `moment` or before, the oldest first.
    func deleteJobReports(endedBy moment: Instant, limit: Int) throws(JournalError)
}

extension ReadableRows {
    /// Returns the job in progress that a client started with the same request under the same key.
    /// - Throws: `keyUsedForAnotherRequest` if the client sent another request with this key.
    package func jobInProgress(startedWith key: RetryKey) throws(JournalError) -> JobReport? {
        guard let report = try jobInProgress(startedWith: key.id) else { return nil }
        guard report.request.key == key else { throw .refused(.keyUsedForAnotherRequest) }
        return report
    }
}

/// Deletes at most `limit` reports of jobs that ended an hour ago or earlier.
package struct ForgetJobReports: Command {
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.deleteJobReports(endedBy: transaction.now - JobReport.lifetime, limit: limit)
    }
}

extension Storage {
    /// Deletes the reports of jobs that ended an hour ago or earlier, if there are any.
    package func forgetJobReports(at now: Instant, limit: Int = 1000) async throws(JournalError) {
        let moment = now - JobReport.lifetime
        // The query comes first, so that an idle server does not commit.
        guard try await read({ rows throws(JournalError) in try rows.hasJobReport(endedBy: moment) })
        else { return }
        try await perform(ForgetJobReports(limit: limit))
    }
}
