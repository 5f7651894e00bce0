import Meetings

/// The work that revokes the presenter links which an account made in a meeting, after the account has lost
/// the right to give links. The first transaction sets the account's role, and from then on no link opens
/// anything (`ReadableRows.session(shownBy:)`). The slices delete the links and record an event for each.
struct LinkRevocation: Work {
    /// The most links that one transaction revokes.
    static let mostAtOnce = 50

    let meeting: MeetingID
    private let account: AccountID
    /// The new role; nil if the account is no longer a member.
    private let role: Role?
    private let actor: AccountID
    /// The round of the last session whose links the steps have revoked.
    private var round = 0
    private var isDone = false

    /// Returns nil if the account has few links in the meeting.
    init?(
        of account: AccountID, in meeting: MeetingID, leaving role: Role?, by actor: AccountID,
        from rows: any ReadableRows
    ) throws(JournalError) {
        let links = try rows.presenterLinks(
            createdBy: account, in: meeting, fromRound: 0, limit: Self.mostAtOnce + 1)
        guard links.count > Self.mostAtOnce else { return nil }
        self.init(of: account, in: meeting, leaving: role, by: actor)
    }

    private init(of account: AccountID, in meeting: MeetingID, leaving role: Role?, by actor: AccountID) {
        self.meeting = meeting
        self.account = account
        self.role = role
        self.actor = actor
    }

    var sessions: [SessionID] { [] }
    /// The steps end when `apply` finds no more links.
    var steps: Int { isDone ? 0 : .max }

    /// Sets the role, and ends the rights that the account loses with it.
    func prepare(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.setRole(role, of: account, in: meeting)
        try transaction.rights.revokeInvitations(givenBy: account, in: meeting, leaving: role)
        if role == nil { transaction.endRights(of: .member(account, of: meeting)) }
        transaction.endRights(of: .presenters(of: meeting))
    }

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
        StoredJob(id: id, kind: .links, meeting: meeting, total: 0)
    }

    func plan() -> [UInt8] { StoredPlan.encode(Plan(account: account, actor: actor)) }

    /// The role is set already, so the resumed work needs no role.
    init?(stored bytes: [UInt8], of meeting: MeetingID) {
        guard let plan = StoredPlan.decode(Plan.self, from: bytes) else { return nil }
        self.init(of: plan.account, in: meeting, leaving: nil, by: plan.actor)
    }
}
