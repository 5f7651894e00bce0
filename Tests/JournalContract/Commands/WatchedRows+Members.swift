import Journal
import Meetings

extension WatchedRows {
    func invitation(_ id: MeetingInvitationID) throws(JournalError) -> MeetingInvitation? {
        try inner.invitation(id)
    }
    func invitations(to meeting: MeetingID) throws(JournalError) -> [MeetingInvitation] {
        try inner.invitations(to: meeting)
    }
    func invitations(of account: AccountID) throws(JournalError) -> [MeetingInvitation] {
        try inner.invitations(of: account)
    }
    func image(of meeting: MeetingID) throws(JournalError) -> MeetingImage? { try inner.image(of: meeting) }
    func hasImage(_ meeting: MeetingID) throws(JournalError) -> Bool { try inner.hasImage(meeting) }
    func checkInFacts(of session: SessionID) throws(JournalError) -> [CheckInFact] {
        try inner.checkInFacts(of: session)
    }
    func sessionsHoldingEvidence(endedBefore moment: Instant, limit: Int) throws(JournalError) -> [SessionID]
    {
        try inner.sessionsHoldingEvidence(endedBefore: moment, limit: limit)
    }
    func sessionsWithNames(endedBefore moment: Instant?, closedBefore now: Instant, limit: Int)
        throws(JournalError) -> [SessionID]
    {
        try inner.sessionsWithNames(endedBefore: moment, closedBefore: now, limit: limit)
    }
    func consents(of meeting: MeetingID) throws(JournalError) -> [DatedConsent] {
        try inner.consents(of: meeting)
    }
    func setNames(_ names: StoredNames, of session: SessionID) throws(JournalError) {
        try inner.setNames(names, of: session)
    }
    func forgetCorrections(of session: SessionID, limit: Int) throws(JournalError) -> Bool {
        try inner.forgetCorrections(of: session, limit: limit)
    }
    func insert(_ consent: DatedConsent, of meeting: MeetingID) throws(JournalError) {
        try inner.insert(consent, of: meeting)
    }
    func insert(_ invitation: MeetingInvitation) throws(JournalError) { try inner.insert(invitation) }
    func delete(_ invitation: MeetingInvitationID) throws(JournalError) { try inner.delete(invitation) }
    func deleteInvitations(to email: IdentityKey) throws(JournalError) {
        try inner.deleteInvitations(to: email)
    }
    func sessions(endedBefore moment: Instant, limit: Int) throws(JournalError) -> [SessionID] {
        try inner.sessions(endedBefore: moment, limit: limit)
    }
    func setImage(_ image: MeetingImage?, of meeting: MeetingID) throws(JournalError) {
        try inner.setImage(image, of: meeting)
    }
    func forgetEvidence(
        of session: SessionID, after last: AttendeeID?, limit: Int
    ) throws(JournalError) -> AttendeeID? {
        try inner.forgetEvidence(of: session, after: last, limit: limit)
    }
}
