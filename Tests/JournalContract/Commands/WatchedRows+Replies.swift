import Journal
import Meetings

extension WatchedRows {
    func replySettings(of session: SessionID) throws(JournalError) -> ReplySettings? {
        try inner.replySettings(of: session)
    }
    func replySettings(code: String) throws(JournalError) -> ReplySettings? {
        try inner.replySettings(code: code)
    }
    func sessionsWithWaiting(at now: Instant, after session: SessionID?, limit: Int) throws(JournalError)
        -> [SessionID]
    {
        try inner.sessionsWithWaiting(at: now, after: session, limit: limit)
    }
    func reply(_ id: ReplyID) throws(JournalError) -> Reply? { try inner.reply(id) }
    func reply(in session: SessionID, key: IdentityKey) throws(JournalError) -> Reply? {
        try inner.reply(in: session, key: key)
    }
    func replies(of attendee: AttendeeID) throws(JournalError) -> [Reply] { try inner.replies(of: attendee) }
    func replies(by key: IdentityKey, limit: Int) throws(JournalError) -> [Reply] {
        try inner.replies(by: key, limit: limit)
    }
    func firstWaiting(in session: SessionID) throws(JournalError) -> Reply? {
        try inner.firstWaiting(in: session)
    }
    func replies(
        of session: SessionID, status: Reply.Status?, after cursor: ReplyCursor?, limit: Int
    ) throws(JournalError) -> [Reply] {
        try inner.replies(of: session, status: status, after: cursor, limit: limit)
    }
    func repliesWithNews(at now: Instant, limit: Int) throws(JournalError) -> [Reply] {
        try inner.repliesWithNews(at: now, limit: limit)
    }
    func guestsInside(of session: SessionID) throws(JournalError) -> Int {
        try inner.guestsInside(of: session)
    }
    func save(_ settings: ReplySettings) throws(JournalError) { try inner.save(settings) }
    func insert(_ reply: Reply) throws(JournalError) { try inner.insert(reply) }
    func update(_ reply: Reply) throws(JournalError) { try inner.update(reply) }
    func delete(_ reply: ReplyID) throws(JournalError) { try inner.delete(reply) }
}
