import Meetings

/// The work that deletes an account, with the meetings that no other account owns. The first transaction
/// hides the account: its sign-ins end, its links open nothing, and no query finds it. The slices revoke its
/// presenter links, and delete or leave its meetings, each meeting in one transaction.
struct AccountWork: Work {
    let account: AccountID
    private let meetings: OwnMeetings
    /// No meeting: commands of other hosts do not wait.
    let meeting = MeetingID.makeTimeless()
    /// The number of check-ins in the meetings that would be deleted, for a refusal.
    let checkIns: Int
    /// The approximate number of rows to delete; nil if the account has more than one transaction may delete.
    private let fewRows: Int?
    private var isHidden = false
    private var isDone = false

    /// The most memberships that one transaction deletes.
    private static let fewMemberships = 20

    /// Plans the deletion.
    init(
        of account: AccountID, _ meetings: OwnMeetings, countsCheckIns: Bool, from rows: any ReadableRows
    ) throws(JournalError) {
        self.account = account
        self.meetings = meetings
        checkIns = countsCheckIns ? try rows.soleMeetingCheckIns(of: account) : 0
        fewRows = try Self.fewRows(of: account, from: rows)
    }

    private static func fewRows(of account: AccountID, from rows: any ReadableRows) throws(JournalError)
        -> Int?
    {
        let memberships = try rows.memberships(of: account, limit: fewMemberships + 1)
        let links = try rows.presenterLinks(createdBy: account, limit: LinkRevocation.mostAtOnce + 1)
        guard memberships.count <= fewMemberships, links.count <= LinkRevocation.mostAtOnce else {
            return nil
        }
        var count = 1 + links.count
        for meeting in memberships { count += 4 + (try rows.size(of: meeting).rows) }
        return count
    }

    var sessions: [SessionID] { [] }
    var steps: Int { isDone ? 0 : isHidden ? .max : fewRows ?? .max }
    var isVisible: Bool { false }

    mutating func prepare(in transaction: Transaction) throws(JournalError) {
        try eraseAddress(in: transaction)
        try transaction.rows.hide(account)
        transaction.endRights(of: .account(account))
        // Web hooks of this account are not active any more.
        transaction.hooks.forgetAll()
        isHidden = true
    }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        var rest = isHidden ? steps.count : .max
        while rest > 0, !isDone {
            // A screen in another owner's meeting must not wait for the deletion of the account's own
            // meetings.
            let revoked = isHidden ? try revokeLinks(limit: min(rest, 100), in: transaction) : 0
            if revoked > 0 {
                rest -= 4 * revoked
            } else if let cost = try endMembership(in: transaction) {
                rest -= cost
            } else {
                isDone = try revokeLinks(limit: 100, in: transaction) == 0
            }
        }
    }

    /// Deletes the invitations to the account's address, also those from before the account existed, and the
    /// mails to it. If nobody has verified the address, it may be somebody else's. Then its mails stay,
    /// because they count for its limits; mails of deleted invitations are not sent.
    private func eraseAddress(in transaction: Transaction) throws(JournalError) {
        guard let account = try transaction.rows.account(account) else { return }
        let address = IdentityKey(account.email)
        try transaction.rows.deleteInvitations(to: address)
        if account.verified { try transaction.rows.deleteMails(to: address) }
    }

    /// Revokes at most `limit` links of the account. Returns their number.
    private func revokeLinks(limit: Int, in transaction: Transaction) throws(JournalError) -> Int {
        let links = try transaction.rows.presenterLinks(createdBy: account, limit: limit)
        for link in links {
            if try transaction.rows.session(link.sessionID) != nil {
                try transaction.rights.revoke([link], by: account)
            } else {
                // The session is hidden until its rows are erased.
                try transaction.rows.delete(link.id)
            }
        }
        return links.count
    }

    /// Ends one membership. If nobody else owns the meeting, hands the meeting over or deletes it. Returns
    /// the cost, in rows; nil if the account has no memberships any more.
    private func endMembership(in transaction: Transaction) throws(JournalError) -> Int? {
        guard let meeting = try transaction.rows.memberships(of: account, limit: 1).first else { return nil }
        if meetings == .handOver { try handOver(meeting, in: transaction) }
        let isOwner = try transaction.rows.role(of: account, in: meeting) == .owner
        guard isOwner, try !transaction.rights.hasAnotherOwner(than: account, of: meeting) else {
            try transaction.rows.setRole(nil, of: account, in: meeting)
            transaction.hooks.forget(meeting)
            try transaction.rights.endInvitations(by: account, to: meeting)
            return 4
        }
        let size = try transaction.sessions.size(of: meeting)
        return 8 + (try transaction.sessions.deleteMeeting(meeting, size))
    }

    /// Makes a host the owner of the meeting if nobody else owns it. Of several hosts, the host with the
    /// oldest account becomes the owner.
    private func handOver(_ meeting: MeetingID, in transaction: Transaction) throws(JournalError) {
        let rows = transaction.rows
        guard try rows.role(of: account, in: meeting) == .owner,
            try !transaction.rights.hasAnotherOwner(than: account, of: meeting)
        else { return }
        for member in try rows.members(of: meeting) where member.role == .host {
            if let host = try rows.account(member.account), host.suspendedAt == nil {
                return try rows.setRole(.owner, of: host.id, in: meeting)
            }
        }
    }

    func finish(in transaction: Transaction) throws(JournalError) {
        if !isHidden { try eraseAddress(in: transaction) }
        try transaction.rows.delete(account)
        if !isHidden { transaction.endRights(of: .account(account)) }
    }

    // MARK: The stored form

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .account, meeting: meeting, isVisible: false, total: 0)
    }

    /// A plan of an older version has no last byte and means `delete`.
    func plan() -> [UInt8] { account.bytes + (meetings == .handOver ? [1] : []) }

    /// The account is hidden already.
    init?(stored plan: [UInt8]) {
        guard let id = AccountID(bytes: plan.prefix(16)) else { return nil }
        account = id
        meetings = plan.count > 16 ? .handOver : .delete
        checkIns = 0
        fewRows = nil
        isHidden = true
    }
}
