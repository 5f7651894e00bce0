import Journal
import Meetings

extension WatchedRows {
    func mail(_ id: MailID) throws(JournalError) -> MailRecord? { try inner.mail(id) }
    func dueMails(on lane: OutgoingMail.Lane, at now: Instant, limit: Int)
        throws(JournalError) -> [OutgoingMail]
    {
        try inner.dueMails(on: lane, at: now, limit: limit)
    }
    func nextMailMoment(on lane: OutgoingMail.Lane) throws(JournalError) -> Instant? {
        try inner.nextMailMoment(on: lane)
    }
    func leasedMails() throws(JournalError) -> [MailRecord] { try inner.leasedMails() }
    func mails(in states: Set<MailDelivery.State>, after cursor: MailID?, limit: Int)
        throws(JournalError) -> [MailRecord]
    {
        try inner.mails(in: states, after: cursor, limit: limit)
    }
    func mails(of owner: OutgoingMail.Owner, limit: Int) throws(JournalError) -> [MailRecord] {
        try inner.mails(of: owner, limit: limit)
    }
    func mailCounts() throws(JournalError) -> [MailDelivery.State: Int] { try inner.mailCounts() }
    func mailCount(to recipient: IdentityKey, of quota: OutgoingMail.Quota, since moment: Instant, limit: Int)
        throws(JournalError) -> Int
    {
        try inner.mailCount(to: recipient, of: quota, since: moment, limit: limit)
    }
    func mailCount(causedBy account: AccountID, after moment: Instant) throws(JournalError) -> Int {
        try inner.mailCount(causedBy: account, after: moment)
    }
    func countMails(_ count: Int, causedBy account: AccountID, in hour: Instant, forgetting old: Instant)
        throws(JournalError)
    {
        try inner.countMails(count, causedBy: account, in: hour, forgetting: old)
    }
    func hasMail(endedBefore moment: Instant) throws(JournalError) -> Bool {
        try inner.hasMail(endedBefore: moment)
    }
    func insert(_ mail: OutgoingMail, at now: Instant) throws(JournalError) {
        try inner.insert(mail, at: now)
    }
    func save(_ delivery: MailDelivery, of mail: MailID) throws(JournalError) {
        try inner.save(delivery, of: mail)
    }
    func deleteMails(of owner: OutgoingMail.Owner) throws(JournalError) {
        try inner.deleteMails(of: owner)
    }
    func deleteMails(to recipient: IdentityKey) throws(JournalError) {
        try inner.deleteMails(to: recipient)
    }
    func deleteMails(endedBefore moment: Instant, limit: Int) throws(JournalError) -> Int {
        try inner.deleteMails(endedBefore: moment, limit: limit)
    }
}
