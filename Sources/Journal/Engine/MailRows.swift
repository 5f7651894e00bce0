package import Meetings

/// The queries for the queue of mails.
package protocol MailReading: AnyObject {
    func mail(_ id: MailID) throws(JournalError) -> MailRecord?
    /// Returns the lane's waiting mails whose next attempt is due at `now`, the earliest first. Mails about
    /// hidden meetings and sessions are left out.
    func dueMails(on lane: OutgoingMail.Lane, at now: Instant, limit: Int)
        throws(JournalError) -> [OutgoingMail]
    /// Returns the earliest next attempt of the lane's waiting mails.
    func nextMailMoment(on lane: OutgoingMail.Lane) throws(JournalError) -> Instant?
    /// Returns the waiting mails that processes hold leases of.
    func leasedMails() throws(JournalError) -> [MailRecord]
    /// Returns the mails in one of these states after `cursor`, ordered by id.
    func mails(in states: Set<MailDelivery.State>, after cursor: MailID?, limit: Int)
        throws(JournalError) -> [MailRecord]
    /// Returns at most `limit` mails to the address of this owner, in any state, ordered by id.
    func mails(of owner: OutgoingMail.Owner, limit: Int) throws(JournalError) -> [MailRecord]
    /// Returns the number of mails in each state; states without mails are left out. Reads an index entry for
    /// each mail.
    func mailCounts() throws(JournalError) -> [MailDelivery.State: Int]
    /// Whether a mail ended before `moment`.
    func hasMail(endedBefore moment: Instant) throws(JournalError) -> Bool
    /// Returns how many mails of this quota were queued for the address since `moment`. Counts at most
    /// `limit`.
    func mailCount(to recipient: IdentityKey, of quota: OutgoingMail.Quota, since moment: Instant, limit: Int)
        throws(JournalError) -> Int
    /// Returns how many mails the account has caused in the hours that begin after `moment`.
    func mailCount(causedBy account: AccountID, after moment: Instant) throws(JournalError) -> Int
}

/// The writes of the queue of mails.
package protocol MailWriting: AnyObject {
    func insert(_ mail: OutgoingMail, at now: Instant) throws(JournalError)
    /// Adds `count` to the mails that the account has caused in the hour that begins at `hour`. Deletes the
    /// account's counts of hours that begin at `old` or before.
    func countMails(_ count: Int, causedBy account: AccountID, in hour: Instant, forgetting old: Instant)
        throws(JournalError)
    /// Writes the state of the delivery. Deletes the content unless `delivery.state.keepsContent`.
    func save(_ delivery: MailDelivery, of mail: MailID) throws(JournalError)
    /// Deletes the mails to the address of this owner, in any state.
    func deleteMails(of owner: OutgoingMail.Owner) throws(JournalError)
    /// Deletes the mails to this address, in any state.
    func deleteMails(to recipient: IdentityKey) throws(JournalError)
    /// Deletes at most `limit` mails that ended before `moment`. Returns their number.
    func deleteMails(endedBefore moment: Instant, limit: Int) throws(JournalError) -> Int
}
