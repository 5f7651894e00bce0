package import Meetings

/// Invitations, pictures and evidence.
package protocol MemberReading: AnyObject {
    func invitation(_ id: MeetingInvitationID) throws(JournalError) -> MeetingInvitation?
    /// Oldest first, the expired ones included.
    func invitations(to meeting: MeetingID) throws(JournalError) -> [MeetingInvitation]
    /// Those that the account need not prove, oldest first.
    func invitations(of account: AccountID) throws(JournalError) -> [MeetingInvitation]
    func image(of meeting: MeetingID) throws(JournalError) -> MeetingImage?
    /// Without reading it.
    func hasImage(_ meeting: MeetingID) throws(JournalError) -> Bool
    /// Everybody of a session with how they came in, by id.
    func checkInFacts(of session: SessionID) throws(JournalError) -> [CheckInFact]
    /// Those that ended before `moment` and still hold evidence, the oldest first.
    func sessionsHoldingEvidence(endedBefore moment: Instant, limit: Int) throws(JournalError) -> [SessionID]
}

package protocol MemberWriting: AnyObject {
    /// Replaces what the address has been sent before.
    func insert(_ invitation: MeetingInvitation) throws(JournalError)
    func delete(_ invitation: MeetingInvitationID) throws(JournalError)
    /// Nil takes it away.
    func setImage(_ image: MeetingImage?, of meeting: MeetingID) throws(JournalError)
    /// Device marks and networks go; the rest stays.
    func forgetEvidence(of session: SessionID) throws(JournalError)
}
