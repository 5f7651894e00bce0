import Meetings

/// The work that renews the codes of a meeting's sessions, revokes their presenter links, or both. The
/// command has edited the meeting in the first transaction. After a crash, the server completes the steps
/// before it accepts commands.
struct CodeRevocation: Work {
    let meeting: MeetingID
    /// The sessions of the meeting when the work was planned.
    let revoked: [SessionID]
    private let renewsCodes: Bool
    private let revokesLinks: Bool
    private let actor: AccountID

    /// The number of steps for one session. A session may have 20 links, and each link costs as much as a
    /// step of other work, so a slice has fewer sessions if the work revokes links.
    private var stepsOfSession: Int { revokesLinks ? 8 : 1 }

    init(
        of sessions: [SessionID], in meeting: MeetingID, renewsCodes: Bool, revokesLinks: Bool,
        by actor: AccountID
    ) {
        self.meeting = meeting
        revoked = sessions
        self.renewsCodes = renewsCodes
        self.revokesLinks = revokesLinks
        self.actor = actor
    }

    /// Empty, because the steps change no attendees.
    var sessions: [SessionID] { [] }
    var steps: Int { revoked.count * stepsOfSession }

    func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        for step in steps where step.isMultiple(of: stepsOfSession) {
            let id = revoked[step / stepsOfSession]
            guard try transaction.rows.headCount(of: id) != nil else { continue }
            let session = try transaction.session(id).session
            // Until feedback closes, a host can extend the session, which would make its codes valid again.
            if renewsCodes, transaction.now <= session.feedbackClosesAt {
                try transaction.sessions.renewCode(of: session, by: actor)
            }
            if revokesLinks {
                try transaction.rights.revoke(try transaction.rows.presenterLinks(of: id), by: actor)
            }
        }
    }

    /// Revokes the codes once more, because the old codes still gave grants until their slice. Ends the rooms
    /// of all earlier grants.
    func finish(in transaction: Transaction) throws(JournalError) {
        guard renewsCodes, var edited = try transaction.rows.meeting(meeting) else { return }
        edited.revokeCodes(at: transaction.now)
        try transaction.update(edited)
        guard let end = edited.codesRevokedAt else { return }
        transaction.endRights(of: .grants(of: meeting, before: end))
    }

    var reported: JobReport.Outcome? { .meeting }

    // MARK: The stored form

    private struct Plan: Codable {
        let sessions: [SessionID]
        let renewsCodes, revokesLinks: Bool
        let actor: AccountID
    }

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .codes, meeting: meeting, total: steps)
    }

    func plan() -> [UInt8] {
        StoredPlan.encode(
            Plan(sessions: revoked, renewsCodes: renewsCodes, revokesLinks: revokesLinks, actor: actor))
    }

    init?(stored bytes: [UInt8], of meeting: MeetingID) {
        guard let plan = StoredPlan.decode(Plan.self, from: bytes) else { return nil }
        self.init(
            of: plan.sessions, in: meeting, renewsCodes: plan.renewsCodes, revokesLinks: plan.revokesLinks,
            by: plan.actor)
    }
}
