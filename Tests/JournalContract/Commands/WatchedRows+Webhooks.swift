import Journal
import Meetings

extension WatchedRows {
    func webhook(_ id: WebhookID) throws(JournalError) -> Webhook? { try inner.webhook(id) }
    func webhooks(of meeting: MeetingID) throws(JournalError) -> [Webhook] {
        try inner.webhooks(of: meeting)
    }
    func webhooks(createdBy account: AccountID) throws(JournalError) -> [Webhook] {
        try inner.webhooks(createdBy: account)
    }
    func webhookCount(createdBy account: AccountID) throws(JournalError) -> Int {
        try inner.webhookCount(createdBy: account)
    }
    func hasWebhook() throws(JournalError) -> Bool { try inner.hasWebhook() }
    func dueWebhooks(at now: Instant, after last: WebhookID?, limit: Int) throws(JournalError) -> [Webhook] {
        try inner.dueWebhooks(at: now, after: last, limit: limit)
    }
    func webhooksToErase(limit: Int) throws(JournalError) -> [(id: WebhookID, meeting: MeetingID)] {
        try inner.webhooksToErase(limit: limit)
    }
    func waitingDeliveries(of hook: WebhookID, limit: Int) throws(JournalError) -> Int {
        try inner.waitingDeliveries(of: hook, limit: limit)
    }
    func waitingDeliveries(limit: Int) throws(JournalError) -> Int {
        try inner.waitingDeliveries(limit: limit)
    }
    func oldestWaitingDelivery() throws(JournalError) -> Instant? { try inner.oldestWaitingDelivery() }
    func deliveries(of hook: WebhookID, before cursor: MailID?, limit: Int) throws(JournalError)
        -> [LoggedDelivery]
    {
        try inner.deliveries(of: hook, before: cursor, limit: limit)
    }
    func hasDelivery(endedBefore moment: Instant) throws(JournalError) -> Bool {
        try inner.hasDelivery(endedBefore: moment)
    }
    func insert(_ hook: Webhook) throws(JournalError) { try inner.insert(hook) }
    func update(_ hook: Webhook) throws(JournalError) { try inner.update(hook) }
    func delete(_ hook: WebhookID) throws(JournalError) { try inner.delete(hook) }
    func setHooked(_ events: WebhookEvents, of meeting: MeetingID) throws(JournalError) {
        try inner.setHooked(events, of: meeting)
    }
    func makeDeliveriesDue(of hook: WebhookID, at now: Instant) throws(JournalError) {
        try inner.makeDeliveriesDue(of: hook, at: now)
    }
    func deleteDeliveries(of hook: WebhookID, limit: Int) throws(JournalError) -> Int {
        try inner.deleteDeliveries(of: hook, limit: limit)
    }
    func deleteDeliveries(endedBefore moment: Instant, limit: Int) throws(JournalError) -> Int {
        try inner.deleteDeliveries(endedBefore: moment, limit: limit)
    }
}
