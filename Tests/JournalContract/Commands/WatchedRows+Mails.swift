import Journal
import Meetings

extension WatchedRows {
    func mail(_ id: MailID) throws(JournalError) -> MailRecord? { try inner.mail(id) }
    func dueMails(at now: Instant, limit: Int) throws(JournalError) -> [OutgoingMail] {
        try inner.dueMails(at: now, limit: limit)
    }
    func nextMailMoment() throws(JournalError) -> Instant? { try inner.nextMailMoment() }
    func leasedMails() throws(JournalError) -> [MailRecord] { try inner.leasedMails() }
    func mails(in states: Set<MailDelivery.State>, after cursor: MailID?, limit: Int)
        throws(JournalError) -> [MailRecord]
    {
        try inner.mails(in: states, after: cursor, limit: limit)
    }
    func mailCounts() throws(JournalError) -> [MailDelivery.State: Int] { try inner.mailCounts() }
    func mailCount(to recipient: IdentityKey, codes: Bool, since moment: Instant, limit: Int)
        throws(JournalError) -> Int
    {
        try inner.mailCount(to: recipient, codes: codes, since: moment, limit: limit)
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
    func deleteMails(endedBefore moment: Instant, limit: Int) throws(JournalError) -> Int {
        try inner.deleteMails(endedBefore: moment, limit: limit)
    }
}
