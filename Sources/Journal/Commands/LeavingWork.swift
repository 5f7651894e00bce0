import Meetings

/// The work that deletes a person from the roster, after the person has withdrawn the last check-in. The
/// person is archived since then, so that no list shows the person and no later round expects them. The
/// slices delete the slots in which the person has never checked in, also those of sessions that are over.
struct LeavingWork: Work {
    /// The most sessions of a meeting whose slots one transaction deletes.
    static let fewSessions = RosterWork.fewSessions

    let meeting: MeetingID
    private let person: PersonID
    /// The sessions that the steps have not looked at yet; nil before the first step.
    private var rest: [SessionID]?

    init(of person: PersonID, in meeting: MeetingID) {
        self.person = person
        self.meeting = meeting
    }

    var sessions: [SessionID] { [] }
    /// The steps end when no session is left.
    var steps: Int { rest?.isEmpty == true ? 0 : .max }
    var isVisible: Bool { false }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        // A person who is no longer archived was restored, or has checked in again, and stays.
        guard let person = try transaction.rows.person(person), person.isArchived else {
            rest = []
            return
        }
        var sessions = if let rest { rest } else { try transaction.rows.sessionIDs(of: meeting) }
        // A slot costs as much as a few steps of other works.
        for _ in 0..<max(1, steps.count / 4) {
            guard let session = sessions.popLast() else { break }
            try transaction.roster.removeUnusedSlot(of: person, in: session)
        }
        rest = sessions
    }

    func finish(in transaction: Transaction) throws(JournalError) {
        guard try transaction.rows.person(person)?.isArchived == true else { return }
        try transaction.rows.delete(person)
    }

    // MARK: The stored form

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .leaving, meeting: meeting, isVisible: false, total: 0)
    }

    func plan() -> [UInt8] { person.bytes }

    init?(stored plan: [UInt8], of meeting: MeetingID) {
        guard let person = PersonID(bytes: plan) else { return nil }
        self.init(of: person, in: meeting)
    }
}
