package import Meetings

/// A session whose mailing is due.
package struct SessionToMail: Hashable, Sendable {
    package let id: SessionID
    package let meeting: MeetingID

    package init(_ id: SessionID, of meeting: MeetingID) {
        self.id = id
        self.meeting = meeting
    }
}

/// The queries for mails to the people of a roster.
package protocol MailingReading: AnyObject {
    /// Returns sessions whose mailing of this kind is not done, of meetings with reminders, or for `absences`
    /// with mails about absences. Only sessions that start in `range`, or end in it if the kind follows the
    /// end. A nil range returns the sessions whose mailing a change has begun. Reads an index entry for each
    /// such meeting after `last`. The sessions are ordered by meeting and id, or by id alone if `range` is
    /// nil.
    func sessionsToMail(
        _ kind: Mailing.Kind, in range: Range<Instant>?, after last: SessionToMail?, limit: Int
    ) throws(JournalError) -> [SessionToMail]
    func mailing(_ kind: Mailing.Kind, of session: SessionID) throws(JournalError) -> Mailing?
    /// Returns the cancellations whose mails are not all queued: those of this meeting, or of any meeting.
    func cancellations(of meeting: MeetingID?, limit: Int) throws(JournalError) -> [Cancellation]
    /// Returns the people with an e-mail address after `last`, ordered by id. Archived people are left out.
    func peopleToMail(of meeting: MeetingID, after last: PersonID?, limit: Int) throws(JournalError)
        -> [Person]
    /// Whether the owner of this address wants no mails about the meeting, or none of this server.
    func isUnsubscribed(_ recipient: IdentityKey, from meeting: MeetingID) throws(JournalError) -> Bool
    /// Returns the meetings about which the owner of this address wants no mails. Nil means all meetings.
    func unsubscriptions(of recipient: IdentityKey) throws(JournalError) -> [MeetingID?]
}

/// The writes of mails to the people of a roster. The deletion of a session deletes its mailings; a
/// cancellation outlives its session and its meeting.
package protocol MailingWriting: AnyObject {
    /// Stores the mailing, and replaces an older one of its session and kind.
    func save(_ mailing: Mailing) throws(JournalError)
    /// Stores the cancellation, and replaces an older one of its session.
    func save(_ cancellation: Cancellation) throws(JournalError)
    func deleteCancellation(of session: SessionID) throws(JournalError)
    /// Notes that the owner of this address wants no mails about the meeting; nil means any meeting.
    func unsubscribe(_ recipient: IdentityKey, from meeting: MeetingID?) throws(JournalError)
    /// Forgets what the owner of this address wants: for the meeting, or for everything if it is nil.
    func forgetUnsubscription(_ recipient: IdentityKey, from meeting: MeetingID?) throws(JournalError)
}
