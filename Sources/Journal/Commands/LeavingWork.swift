import Meetings

/// The work that deletes a person from the roster, because the last check-in or the last name is gone. The
/// person is archived since then, so that no list shows the person and no later round expects them. The
/// slices delete the slots in which the person has never checked in, also those of sessions that are over.
struct LeavingWork: Work {
    /// The most sessions of a meeting whose slots one transaction deletes.
    static let fewSessions = RosterWork.fewSessions

    let meeting: MeetingID
    private let person: PersonID
    private let cause: Roster.LeavingCause
    /// The sessions that the steps have not looked at yet; nil before the first step.
    private var rest: [SessionID]?

    init(of person: PersonID, in meeting: MeetingID, because cause: Roster.LeavingCause) {
        self.person = person
        self.cause = cause
        self.meeting = meeting
    }

    var sessions: [SessionID] { [] }
    /// The steps end when no session is left.
    var steps: Int { rest?.isEmpty == true ? 0 : .max }
    var isVisible: Bool { false }

    /// Returns the sessions whose unused slots of the person are deleted.
    func affected(in transaction: Transaction) throws(JournalError) -> [SessionID] {
        switch cause {
        case .withdrawal: try transaction.rows.sessionIDs(of: meeting)
        case .retention: try transaction.rows.idsOfSessionsNotOver(of: meeting, at: transaction.now)
        }
    }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        // A person who is no longer archived was restored, or has checked in again, and stays.
        guard let person = try transaction.rows.person(person), person.isArchived else {
            rest = []
            return
        }
        var sessions = if let rest { rest } else { try affected(in: transaction) }
        // A slot costs as much as a few steps of other works.
        for _ in 0..<max(1, steps.count / 4) {
            guard let session = sessions.popLast() else { break }
            try transaction.roster.removeUnusedSlot(of: person, in: session, because: cause)
        }
        rest = sessions
    }

    func finish(in transaction: Transaction) throws(JournalError) {
        let rows = transaction.rows
        guard let leaving = try rows.person(person), leaving.isArchived else { return }
        var wish: IdentityKey?
        if cause == .retention, let key = leaving.draft.emailKey,
            try rows.unsubscriptions(of: key).contains(meeting)
        {
            wish = key
        }
        try rows.delete(person)
        if let wish { try rows.unsubscribe(wish, from: meeting) }
    }

    // MARK: The stored form

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .leaving, meeting: meeting, isVisible: false, total: 0)
    }

    func plan() -> [UInt8] { person.bytes + [cause.rawValue] }

    init?(stored plan: [UInt8], of meeting: MeetingID) {
        // The plans of older servers end with the person.
        guard let person = PersonID(bytes: Array(plan.prefix(16))), plan.count <= 17 else { return nil }
        let cause = plan.count == 17 ? Roster.LeavingCause(rawValue: plan[16]) : .withdrawal
        guard let cause else { return nil }
        self.init(of: person, in: meeting, because: cause)
    }
}
