import Meetings

/// The work of a command that moves a session's late limit if many people have checked in. It applies the
/// late rule to all attendees: first in the order of their ids, and then in the order of their arrival to the
/// people who have checked in since the work was planned, because these people got their status by the old
/// rule. The command itself edits the session, in the last transaction (`Command.answer`).
struct LateRuleWork: Work {
    /// The most attendees whose statuses one transaction recomputes.
    static let mostAtOnce = 300

    let meeting: MeetingID
    /// The number of steps depends on the people who check in meanwhile, so the steps end when `apply` finds
    /// no more people.
    var steps: Int { isDone ? 0 : .max }
    var reportedSteps: Int { total }
    /// Whether this work only restores the statuses by the session's own rule.
    private let isRestoring: Bool
    private let total: Int
    private let session: SessionID
    private let lateAfter: Instant
    /// The session's version when the work was planned.
    private let version: Int
    /// The sequence when the work was planned.
    private let plannedAt: Int64
    /// The session's own late limit, which `undone` restores.
    private let oldLateAfter: Instant

    /// The last attendee in the order of ids whom the steps have judged; nil before the first.
    private var last: AttendeeID?
    /// The sequence of the last arrival that the steps have judged; nil before the first.
    private var lastArrival: Int64?
    private var isDone = false
    private(set) var recomputed = Recomputed()

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

    /// - Parameter isRestoring: true if no command edits the session at the end.
    init(of record: SessionRecord, lateAfter: Instant, isRestoring: Bool = false) {
        self.isRestoring = isRestoring
        self.lateAfter = lateAfter
        plannedAt = record.sequence
        meeting = record.meeting.id
        session = record.session.id
        total = record.headCount.known
        version = record.session.version
        oldLateAfter = record.session.lateAfter
    }

    var sessions: [SessionID] { [session] }

    /// Whether the session is still as it was when the work was planned.
    func isPlanned(for session: Session, lateAfter: Instant) -> Bool {
        session.id == self.session && session.version == version && lateAfter == self.lateAfter
    }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        if lastArrival == nil {
            let page = try transaction.rows.attendees(
                of: session, statuses: nil, text: nil, after: last, limit: steps.count)
            for attendee in page { try follow(attendee, in: transaction) }
            last = page.last?.id ?? last
            if page.count < steps.count { lastArrival = plannedAt }
        } else {
            isDone = try followArrivals(limit: steps.count, in: transaction) < steps.count
        }
    }

    /// Judges at most `limit` people who have arrived since the last call. Returns their number.
    private mutating func followArrivals(limit: Int, in transaction: Transaction) throws(JournalError) -> Int
    {
        let page = try transaction.rows.arrivals(
            of: session, after: lastArrival ?? plannedAt, limit: limit)
        for attendee in page { try follow(attendee, in: transaction) }
        lastArrival = page.last?.arrivalSequence ?? lastArrival
        return page.count
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

    /// Judges the few people who have arrived since the last slice.
    mutating func finish(in transaction: Transaction) throws(JournalError) {
        _ = try followArrivals(limit: CheckIn.mostAttendees, in: transaction)
    }

    func undone() -> (any Work)? {
        isRestoring ? nil : LateRuleWork(restoring: self)
    }

    /// Creates the work that restores the statuses after the command of `work` was refused.
    private init(restoring work: LateRuleWork) {
        isRestoring = true
        session = work.session
        meeting = work.meeting
        total = work.total
        version = work.version
        plannedAt = work.plannedAt
        lateAfter = work.oldLateAfter
        oldLateAfter = work.oldLateAfter
    }

    // MARK: The stored form

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .lateRule, meeting: meeting, total: total)
    }

    func plan() -> [UInt8] { session.bytes }

    /// After a crash, the work restores the statuses by the session's own rule, because no caller waits for
    /// the edit any more.
    init?(stored plan: [UInt8], from rows: any ReadableRows) throws(JournalError) {
        guard let id = SessionID(bytes: plan), let record = try rows.session(id) else { return nil }
        self.init(of: record, lateAfter: record.session.lateAfter, isRestoring: true)
    }
}
