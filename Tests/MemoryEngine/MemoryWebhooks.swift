import Journal
import Meetings

extension MemoryRows {
    func webhook(_ id: WebhookID) throws(JournalError) -> Webhook? { try tables().webhooks[id] }

    func webhooks(of meeting: MeetingID) throws(JournalError) -> [Webhook] {
        try tables().webhooks.values.filter { $0.meeting == meeting }.sorted { $0.id < $1.id }
    }

    func webhooks(createdBy account: AccountID) throws(JournalError) -> [Webhook] {
        try tables().webhooks.values.filter { $0.createdBy == account }.sorted { $0.id < $1.id }
    }

    func webhookCount(createdBy account: AccountID) throws(JournalError) -> Int {
        try tables().webhooks.values.count { $0.createdBy == account }
    }

    func hasWebhook() throws(JournalError) -> Bool { try !tables().webhooks.isEmpty }

    func dueWebhooks(at now: Instant, after last: WebhookID?, limit: Int) throws(JournalError) -> [Webhook] {
        var found: [Webhook] = []
        for hook in try tables().webhooks.values.sorted(by: { $0.id < $1.id })
        where hook.end == nil && hook.id > last ?? WebhookID(high: 0, low: 0) && found.count < limit {
            if hook.pauseEnd(at: now) != nil { continue }
            if try !dueMails(on: .hook(hook.id), at: now, limit: 1).isEmpty { found.append(hook) }
        }
        return found
    }

    func webhooksToErase(limit: Int) throws(JournalError) -> [(id: WebhookID, meeting: MeetingID)] {
        let tables = try tables()
        let found = tables.webhooks.values.filter { hook in
            let role = tables.members[Tables.Membership(account: hook.createdBy, meeting: hook.meeting)]
            return hook.end == .deleted || role?.isHost != true
        }
        return found.prefix(limit).map { (id: $0.id, meeting: $0.meeting) }
    }

    func waitingDeliveries(of hook: WebhookID, limit: Int) throws(JournalError) -> Int {
        min(try entries(of: hook).count { $0.delivery.state == .waiting }, limit)
    }

    func waitingDeliveries(limit: Int) throws(JournalError) -> Int { min(try waitingOnActive().count, limit) }

    func oldestWaitingDelivery() throws(JournalError) -> Instant? {
        try waitingOnActive().map(\.record.queuedAt).min()
    }

    private func waitingOnActive() throws(JournalError) -> [Tables.MailEntry] {
        let tables = try tables()
        return try waiting().filter { entry in
            entry.mail.hook.flatMap { tables.webhooks[$0]?.end } == nil
        }
    }

    private func waiting() throws(JournalError) -> [Tables.MailEntry] {
        try tables().mails.values.filter { $0.isOfHook && $0.delivery.state == .waiting }
    }

    func deliveries(of hook: WebhookID, before cursor: MailID?, limit: Int) throws(JournalError)
        -> [LoggedDelivery]
    {
        let found = try entries(of: hook).filter { entry in cursor.map { entry.mail.id < $0 } ?? true }
        return found.sorted { $0.mail.id > $1.mail.id }.prefix(limit).compactMap { entry in
            guard case .hook(let message) = entry.mail.content else { return nil }
            return LoggedDelivery(
                record: entry.record, message: message, session: entry.mail.session ?? message.deleted)
        }
    }

    func hasDelivery(endedBefore moment: Instant) throws(JournalError) -> Bool {
        try tables().mails.values.contains { entry in
            entry.isOfHook && Self.isLongOver(entry, before: moment)
        }
    }

    func insert(_ hook: Webhook) throws(JournalError) {
        try change("insert web hook") { $0.webhooks[hook.id] = hook }
    }

    func update(_ hook: Webhook) throws(JournalError) {
        try change("update web hook") { $0.webhooks[hook.id] = hook }
    }

    func delete(_ hook: WebhookID) throws(JournalError) {
        try change("delete web hook") { $0.webhooks[hook] = nil }
    }

    func setHooked(_ events: WebhookEvents, of meeting: MeetingID) throws(JournalError) {
        try change("set hooked events") { tables -> Void in tables.meetings[meeting]?.hooked = events }
    }

    func makeDeliveriesDue(of hook: WebhookID, at now: Instant) throws(JournalError) {
        let idle = try entries(of: hook).filter { $0.delivery.state == .waiting && $0.delivery.lease == nil }
        try change("make deliveries due") { tables in
            for entry in idle { tables.mails[entry.mail.id]?.delivery.nextAttempt = now }
        }
    }

    func deleteDeliveries(of hook: WebhookID, limit: Int) throws(JournalError) -> Int {
        let found = try entries(of: hook).prefix(limit).map(\.mail.id)
        try change("delete deliveries") { tables in for mail in found { tables.mails[mail] = nil } }
        return found.count
    }

    func deleteDeliveries(endedBefore moment: Instant, limit: Int) throws(JournalError) -> Int {
        let found = try tables().mails.values.filter { entry in
            entry.isOfHook && Self.isLongOver(entry, before: moment)
        }.prefix(limit).map(\.mail.id)
        try change("delete ended deliveries") { tables in for mail in found { tables.mails[mail] = nil } }
        return found.count
    }

    private static func isLongOver(_ entry: Tables.MailEntry, before moment: Instant) -> Bool {
        if let end = entry.delivery.endedAt { return end < moment }
        return entry.delivery.state == .waiting && entry.delivery.lease == nil
            && entry.mail.expiresAt < moment
    }

    private func entries(of hook: WebhookID) throws(JournalError) -> [Tables.MailEntry] {
        try tables().mails.values.filter { $0.isOfHook && $0.mail.owner == OutgoingMail.Owner(hook) }
    }
}
