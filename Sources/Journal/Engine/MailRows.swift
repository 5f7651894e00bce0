package import Meetings

/// The queries for the queue of mails.
package protocol MailReading: AnyObject {
    func mail(_ id: MailID) throws(JournalError) -> MailRecord?
    /// Returns the waiting mails whose next attempt is due at `now`, the earliest first. Mails about hidden
    /// meetings and sessions are left out.
    func dueMails(at now: Instant, limit: Int) throws(JournalError) -> [OutgoingMail]
    /// Returns the earliest next attempt of all waiting mails.
    func nextMailMoment() throws(JournalError) -> Instant?
    /// Returns the waiting mails that processes hold leases of.
    func leasedMails() throws(JournalError) -> [MailRecord]
    /// Returns the mails in one of these states after `cursor`, ordered by id.
    func mails(in states: Set<MailDelivery.State>, after cursor: MailID?, limit: Int)
        throws(JournalError) -> [MailRecord]
    /// Returns the number of mails in each state; states without mails are left out. Reads an index entry for
    /// each mail.
    func mailCounts() throws(JournalError) -> [MailDelivery.State: Int]
    /// Whether a mail ended before `moment`.
    func hasMail(endedBefore moment: Instant) throws(JournalError) -> Bool
    /// Returns how many mails with codes, or without codes, were queued for the address since `moment`.
    /// Counts at most `limit`.
    func mailCount(to recipient: IdentityKey, codes: Bool, since moment: Instant, limit: Int)
        throws(JournalError) -> Int
}

/// The writes of the queue of mails.
package protocol MailWriting: AnyObject {
    func insert(_ mail: OutgoingMail, at now: Instant) throws(JournalError)
    /// Writes the state of the delivery. Deletes the content unless `delivery.state.keepsContent`.
    func save(_ delivery: MailDelivery, of mail: MailID) throws(JournalError)
    /// Deletes the mails to the address of this owner, in any state.
    func deleteMails(of owner: OutgoingMail.Owner) throws(JournalError)
    /// Deletes at most `limit` mails that ended before `moment`. Returns their number.
    func deleteMails(endedBefore moment: Instant, limit: Int) throws(JournalError) -> Int
}
