package import Meetings

/// A delivery in the log of a web hook.
package struct LoggedDelivery: Hashable, Sendable {
    package let record: MailRecord
    package let message: WebhookMessage
    package let session: SessionID?

    package init(record: MailRecord, message: WebhookMessage, session: SessionID?) {
        self.record = record
        self.message = message
        self.session = session
    }
}

/// The queries for web hooks and their deliveries, which are rows of the queue of mails. Web hooks of hidden
/// meetings are not found.
package protocol WebhookReading: AnyObject {
    func webhook(_ id: WebhookID) throws(JournalError) -> Webhook?
    /// Returns the meeting's web hooks, also those that have ended, ordered by id.
    func webhooks(of meeting: MeetingID) throws(JournalError) -> [Webhook]
    /// Returns the web hooks that the account has created, ordered by id.
    func webhooks(createdBy account: AccountID) throws(JournalError) -> [Webhook]
    func webhookCount(createdBy account: AccountID) throws(JournalError) -> Int
    /// Whether any meeting has a web hook.
    func hasWebhook() throws(JournalError) -> Bool
    /// Returns the web hooks after `last` that have not ended, are not paused and have a due delivery,
    /// ordered by id. Reads an index entry for each web hook.
    func dueWebhooks(at now: Instant, after last: WebhookID?, limit: Int) throws(JournalError) -> [Webhook]
    /// Returns the web hooks that were deleted, or whose creator is no host of the meeting any more.
    func webhooksToErase(limit: Int) throws(JournalError) -> [(id: WebhookID, meeting: MeetingID)]
    /// Returns the number of waiting deliveries. Counts at most `limit`.
    func waitingDeliveries(of hook: WebhookID, limit: Int) throws(JournalError) -> Int
    /// Returns the number of waiting deliveries of all web hooks. Counts at most `limit`.
    func waitingDeliveries(limit: Int) throws(JournalError) -> Int
    /// Returns the moment at which the oldest waiting delivery was queued; nil if none waits. Reads one row.
    func oldestWaitingDelivery() throws(JournalError) -> Instant?
    /// Returns the deliveries before `cursor`, newest first.
    func deliveries(of hook: WebhookID, before cursor: MailID?, limit: Int) throws(JournalError)
        -> [LoggedDelivery]
    /// Whether a delivery ended before `moment`.
    func hasDelivery(endedBefore moment: Instant) throws(JournalError) -> Bool
}

/// The writes of web hooks. The deletion of a meeting deletes its web hooks and their deliveries.
package protocol WebhookWriting: AnyObject {
    func insert(_ hook: Webhook) throws(JournalError)
    /// Writes the secrets, the end and the pause of the web hook.
    func update(_ hook: Webhook) throws(JournalError)
    /// Deletes the web hook, but not its deliveries.
    func delete(_ hook: WebhookID) throws(JournalError)
    /// Stores which events web hooks of the meeting want. `update(_: Meeting)` leaves it as it is.
    func setHooked(_ events: WebhookEvents, of meeting: MeetingID) throws(JournalError)
    /// Makes the waiting deliveries that nobody is sending due at `now`.
    func makeDeliveriesDue(of hook: WebhookID, at now: Instant) throws(JournalError)
    /// Deletes at most `limit` deliveries of the web hook. Returns their number.
    func deleteDeliveries(of hook: WebhookID, limit: Int) throws(JournalError) -> Int
    /// Deletes at most `limit` deliveries that ended before `moment`. Returns their number.
    func deleteDeliveries(endedBefore moment: Instant, limit: Int) throws(JournalError) -> Int
}
