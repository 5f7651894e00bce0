import Journal
import Meetings

extension WatchedRows {
    func sessionsToMail(
        _ kind: Mailing.Kind, in range: Range<Instant>?, after last: SessionToMail?, limit: Int
    ) throws(JournalError) -> [SessionToMail] {
        try inner.sessionsToMail(kind, in: range, after: last, limit: limit)
    }
    func mailing(_ kind: Mailing.Kind, of session: SessionID) throws(JournalError) -> Mailing? {
        try inner.mailing(kind, of: session)
    }
    func cancellations(of meeting: MeetingID?, limit: Int) throws(JournalError) -> [Cancellation] {
        try inner.cancellations(of: meeting, limit: limit)
    }
    func peopleToMail(of meeting: MeetingID, after last: PersonID?, limit: Int) throws(JournalError)
        -> [Person]
    {
        try inner.peopleToMail(of: meeting, after: last, limit: limit)
    }
    func isUnsubscribed(_ recipient: IdentityKey, from meeting: MeetingID) throws(JournalError) -> Bool {
        try inner.isUnsubscribed(recipient, from: meeting)
    }
    func unsubscriptions(of recipient: IdentityKey) throws(JournalError) -> [MeetingID?] {
        try inner.unsubscriptions(of: recipient)
    }
    func save(_ mailing: Mailing) throws(JournalError) { try inner.save(mailing) }
    func save(_ cancellation: Cancellation) throws(JournalError) { try inner.save(cancellation) }
    func deleteCancellation(of session: SessionID) throws(JournalError) {
        try inner.deleteCancellation(of: session)
    }
    func unsubscribe(_ recipient: IdentityKey, from meeting: MeetingID?) throws(JournalError) {
        try inner.unsubscribe(recipient, from: meeting)
    }
    func forgetUnsubscription(_ recipient: IdentityKey, from meeting: MeetingID?) throws(JournalError) {
        try inner.forgetUnsubscription(recipient, from: meeting)
    }
}
