import Meetings

/// The work that edits a session's late limit if many people have checked in. It applies the late rule to all
/// attendees in the order of their ids, and edits the session at the end. People who check in
/// meanwhile get their status by the old rule; `finish` corrects it.
struct LateRuleWork: Work {
    let meeting: MeetingID
    let steps: Int
    /// The edit of the session; nil if this work only restores the statuses by the session's own rule.
    private let command: EditSession?
    private let session: SessionID
    private let lateAfter: Instant
    /// The session's version and sequence when the work was planned.
    private let version: Int
    private let sequence: Int64
    /// The session's own late limit, which `undone` restores.
    private let oldLateAfter: Instant

    private var last: AttendeeID?
    private var recomputed = Recomputed()
    private(set) var outcome: EditSession.Outcome?

    /// The attendees whose status changed.
    struct Recomputed {
        var count = 0
        /// Some of the attendees, one more than rooms can list at most.
        var shown: [Attendee] = []

        mutating func add(_ attendee: Attendee) {
            count += 1
            if shown.count <= Transaction.mostChangedAtOnce { shown.append(attendee) }
        }
    }

    init(_ command: EditSession, of record: SessionRecord, lateAfter: Instant) {
        self.init(command, of: record, lateAfter: lateAfter, since: record.sequence)
    }

    private init(
        _ command: EditSession?, of record: SessionRecord, lateAfter: Instant, since sequence: Int64
    ) {
        self.command = command
        self.lateAfter = lateAfter
        self.sequence = sequence
        meeting = record.meeting.id
        session = record.session.id
        steps = record.headCount.known
        version = record.session.version
        oldLateAfter = record.session.lateAfter
    }

    var sessions: [SessionID] { [session] }

    /// Whether the session is still as it was when the work was planned.
    func isPlanned(for session: Session, lateAfter: Instant) -> Bool {
        session.id == self.session && session.version == version && lateAfter == self.lateAfter
    }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        let page = try transaction.rows.attendees(
            of: session, statuses: nil, text: nil, after: last, limit: steps.count)
        for attendee in page { try follow(attendee, in: transaction) }
        last = page.last?.id ?? last
    }

    private mutating func follow(_ before: Attendee, in transaction: Transaction) throws(JournalError) {
        guard !before.statusIsByHost, before.status.countsAsCheckedIn, let arrival = before.checkedInAt else {
            return
        }
        var attendee = before
        attendee.status = arrival <= lateAfter ? .present : .late
        guard attendee.status != before.status else { return }
        attendee.version += 1
        try transaction.rows.update(attendee)
        try transaction.attendees.count(before, as: attendee)
        recomputed.add(attendee)
    }

    mutating func finish(in transaction: Transaction) throws(JournalError) {
        // People who came since the beginning may have ids before `last`, because they had slots.
        for attendee in try transaction.rows.arrivals(
            of: session, after: sequence, limit: CheckIn.mostAttendees)
        {
            try follow(attendee, in: transaction)
        }
        var page: [Attendee]
        repeat {
            page = try transaction.rows.attendees(
                of: session, statuses: nil, text: nil, after: last, limit: 1000)
            for attendee in page { try follow(attendee, in: transaction) }
            last = page.last?.id ?? last
        } while !page.isEmpty
        if let command { outcome = try command.edit(in: transaction, recomputed: recomputed) }
    }

    var reported: JobReport.Outcome? {
        outcome.map { .session(session, overlaps: $0.overlaps.map(\.session.id)) }
    }

    func undone() -> (any Work)? {
        command == nil ? nil : LateRuleWork(restoring: self)
    }

    /// Creates the work that restores the statuses after `work` was refused.
    private init(restoring work: LateRuleWork) {
        command = nil
        session = work.session
        meeting = work.meeting
        steps = work.steps
        version = work.version
        sequence = work.sequence
        lateAfter = work.oldLateAfter
        oldLateAfter = work.oldLateAfter
    }

    // MARK: The stored form

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .lateRule, meeting: meeting, total: steps)
    }

    func plan() -> [UInt8] { session.bytes }

    /// After a crash, the work restores the statuses by the session's own rule, because no caller waits for
    /// the edit any more.
    init?(stored plan: [UInt8], from rows: any ReadableRows) throws(JournalError) {
        guard let id = SessionID(bytes: plan), let record = try rows.session(id) else { return nil }
        self.init(nil, of: record, lateAfter: record.session.lateAfter, since: 0)
    }
}
