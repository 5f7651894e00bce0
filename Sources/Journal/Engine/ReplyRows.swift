package import Meetings

/// The queries for replies to the question who comes to a session.
package protocol ReplyReading: AnyObject {
    /// Returns the seats and counts of a session; nil if no host has set them.
    func replySettings(of session: SessionID) throws(JournalError) -> ReplySettings?
    func replySettings(code: String) throws(JournalError) -> ReplySettings?
    /// Returns the sessions after `session` that are not over, and in which the person who waits longest
    /// could get a seat, in any fixed order.
    func sessionsWithWaiting(at now: Instant, after session: SessionID?, limit: Int) throws(JournalError)
        -> [SessionID]
    func reply(_ id: ReplyID) throws(JournalError) -> Reply?
    func reply(in session: SessionID, key: IdentityKey) throws(JournalError) -> Reply?
    /// Returns the replies of an attendee, in any order; several only after a merge of records.
    func replies(of attendee: AttendeeID) throws(JournalError) -> [Reply]
    /// Returns replies with this address or number, in any session of the server.
    func replies(by key: IdentityKey, limit: Int) throws(JournalError) -> [Reply]
    /// Returns the person who waits longest; nil if nobody waits.
    func firstWaiting(in session: SessionID) throws(JournalError) -> Reply?
    /// Returns the replies after `cursor`, ordered by status, place and id: the waiting list is in its order.
    func replies(
        of session: SessionID, status: Reply.Status?, after cursor: ReplyCursor?, limit: Int
    ) throws(JournalError) -> [Reply]
    /// Returns replies whose news may be mailed now: those that have waited longest first.
    func repliesWithNews(at now: Instant, limit: Int) throws(JournalError) -> [Reply]
    /// Returns the number of guests of the accepted people who are checked in, and not outside. Reads each
    /// accepted reply with guests.
    func guestsInside(of session: SessionID) throws(JournalError) -> Int
}

/// The position after which a list of replies continues.
package struct ReplyCursor: Hashable, Sendable {
    package let status: Reply.Status
    package let place: Int64
    package let id: ReplyID

    package init(status: Reply.Status, place: Int64, id: ReplyID) {
        (self.status, self.place, self.id) = (status, place, id)
    }

    package init(_ reply: Reply) { self.init(status: reply.status, place: reply.place, id: reply.id) }
}

/// The writes of replies. They are deleted with their session. If an attendee's record is deleted, the link
/// to it ends; the command deletes the reply before.
package protocol ReplyWriting: AnyObject {
    func save(_ settings: ReplySettings) throws(JournalError)
    func insert(_ reply: Reply) throws(JournalError)
    func update(_ reply: Reply) throws(JournalError)
    func delete(_ reply: ReplyID) throws(JournalError)
}
