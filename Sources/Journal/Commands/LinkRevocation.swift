import Meetings

/// The work that revokes the presenter links which an account made in a meeting, after the account has lost
/// the right to give links. From then on, the links open nothing (`ReadableRows.session(shownBy:)`). The
/// slices delete them and record an event for each.
struct LinkRevocation: Work {
    /// The most links that one transaction revokes.
    static let mostAtOnce = 50

    let meeting: MeetingID
    private let account: AccountID
    private let actor: AccountID
    /// The round of the last session whose links the steps have revoked.
    private var round = 0
    private var isDone = false

    init(of account: AccountID, in meeting: MeetingID, by actor: AccountID) {
        self.meeting = meeting
        self.account = account
        self.actor = actor
    }

    var sessions: [SessionID] { [] }
    /// The steps end when `apply` finds no more links.
    var steps: Int { isDone ? 0 : .max }
    var isVisible: Bool { false }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        // A link costs as much as a few steps of other works.
        let limit = max(1, steps.count / 4)
        let links = try transaction.rows.presenterLinks(
            createdBy: account, in: meeting, fromRound: round, limit: limit)
        try transaction.rights.revoke(links, by: actor)
        if let last = links.last { round = try transaction.session(last.sessionID).session.round }
        isDone = links.count < limit
    }

    func finish(in transaction: Transaction) {}

    // MARK: The stored form

    private struct Plan: Codable {
        let account, actor: AccountID
    }

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .links, meeting: meeting, isVisible: false, total: 0)
    }

    func plan() -> [UInt8] { StoredPlan.encode(Plan(account: account, actor: actor)) }

    init?(stored bytes: [UInt8], of meeting: MeetingID) {
        guard let plan = StoredPlan.decode(Plan.self, from: bytes) else { return nil }
        self.init(of: plan.account, in: meeting, by: plan.actor)
    }
}
