package import Journal
package import Meetings

enum WebhookColumn: Int32, Columns {
    case id, meeting, createdBy, url, events, secret, previousSecret, previousUntil, createdAt, ended,
        pausedUntil

    static let table = "webhooks"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        case .meeting, .createdBy, .url, .events, .createdAt: .once
        case .secret, .previousSecret, .previousUntil, .ended, .pausedUntil: .always
        }
    }

    func bind(_ hook: Webhook, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(hook.id)
        case .meeting: parameters.bind(hook.meeting)
        case .createdBy: parameters.bind(hook.createdBy)
        case .url: parameters.bind(hook.url)
        case .events: parameters.bind(hook.events.rawValue)
        case .secret: parameters.bind(hook.secret)
        case .previousSecret: parameters.bind(hook.previousSecret)
        case .previousUntil: parameters.bind(hook.previousUntil)
        case .createdAt: parameters.bind(hook.createdAt)
        case .ended: parameters.bind(hook.end?.code)
        case .pausedUntil: parameters.bind(hook.pausedUntil)
        }
    }
}

extension Writing where Column == WebhookColumn {
    fileprivate static let insertWebhook = insert("insert web hook")
    fileprivate static let updateWebhook = update("update web hook")
}

extension Query {
    private static let columns = WebhookColumn.selected(of: "w")
    /// Hidden meetings have no web hooks.
    private static let isVisible = "NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = w.meeting)"
    fileprivate static let webhook = Query(
        "find web hook", "SELECT \(columns) FROM webhooks w WHERE w.id = ? AND \(isVisible)")
    fileprivate static let webhooksOfMeeting = Query(
        "list a meeting's web hooks",
        """
        SELECT \(columns) FROM webhooks w INDEXED BY webhooks_by_meeting
        WHERE w.meeting = ? AND \(isVisible) ORDER BY w.id
        """)
    fileprivate static let webhooksByAccount = Query(
        "list an account's web hooks",
        "SELECT \(columns) FROM webhooks w WHERE w.created_by = ? AND \(isVisible) ORDER BY w.id")
    fileprivate static let webhooksOfAccount = Query(
        "count an account's web hooks", "SELECT count(*) FROM webhooks WHERE created_by = ?")
    fileprivate static let anyWebhook = Query("find any web hook", "SELECT 1 FROM webhooks LIMIT 1")
    fileprivate static let dueWebhooks = Query(
        "find web hooks with due deliveries",
        """
        SELECT \(columns) FROM webhooks w
        WHERE w.id > ?2 AND w.ended IS NULL AND coalesce(w.paused_until, 0) <= ?1 AND \(isVisible)
            AND EXISTS (SELECT 1 FROM mails d INDEXED BY mails_due_on_hook
                WHERE d.kind = 10 AND d.owner = w.id AND d.state = 0 AND d.next_attempt <= ?1)
        ORDER BY w.id LIMIT ?3
        """)
    fileprivate static let webhooksToErase = Query(
        "find web hooks to erase",
        """
        SELECT w.id, w.meeting FROM webhooks w
        WHERE w.ended = \(Webhook.End.deleted.code) OR NOT EXISTS (SELECT 1 FROM members b
            WHERE b.account = w.created_by AND b.meeting = w.meeting
                AND b.role IN (\(Role.owner.code), \(Role.host.code)))
        LIMIT ?
        """)
    fileprivate static let deleteWebhook = Query("delete web hook", "DELETE FROM webhooks WHERE id = ?")
    fileprivate static let setHooked = Query(
        "set hooked events", "UPDATE meetings SET hooked = ?2 WHERE id = ?1")
}

extension SQLRows {
    package func webhook(_ id: WebhookID) throws(JournalError) -> Webhook? {
        try connection.first(.webhook, id) { row throws(JournalError) in try row.webhook() }
    }

    package func webhooks(of meeting: MeetingID) throws(JournalError) -> [Webhook] {
        try connection.all(.webhooksOfMeeting, meeting) { row throws(JournalError) in try row.webhook() }
    }

    package func webhooks(createdBy account: AccountID) throws(JournalError) -> [Webhook] {
        try connection.all(.webhooksByAccount, account) { row throws(JournalError) in try row.webhook() }
    }

    package func webhookCount(createdBy account: AccountID) throws(JournalError) -> Int {
        try connection.first(.webhooksOfAccount, account) { $0.int(0) } ?? 0
    }

    package func hasWebhook() throws(JournalError) -> Bool {
        try connection.first(.anyWebhook) { _ in true } ?? false
    }

    package func dueWebhooks(at now: Instant, after last: WebhookID?, limit: Int) throws(JournalError)
        -> [Webhook]
    {
        try connection.all(.dueWebhooks, now, last ?? WebhookID(high: 0, low: 0), limit) {
            row throws(JournalError) in try row.webhook()
        }
    }

    package func webhooksToErase(limit: Int) throws(JournalError) -> [(id: WebhookID, meeting: MeetingID)] {
        try connection.all(.webhooksToErase, limit) { row throws(JournalError) in
            (id: try row.id(0), meeting: try row.id(1))
        }
    }

    package func insert(_ hook: Webhook) throws(JournalError) { try connection.run(.insertWebhook, hook) }

    package func update(_ hook: Webhook) throws(JournalError) { try connection.run(.updateWebhook, hook) }

    package func delete(_ hook: WebhookID) throws(JournalError) {
        if try connection.run(.deleteWebhook, hook) > 0 { try noteErasure() }
    }

    package func setHooked(_ events: WebhookEvents, of meeting: MeetingID) throws(JournalError) {
        try connection.run(.setHooked, meeting, events.rawValue)
    }
}

extension Row {
    fileprivate func webhook() throws(JournalError) -> Webhook {
        let cells = Cells<WebhookColumn>(self)
        return Webhook(
            id: try cells.id(.id), meeting: try cells.id(.meeting), createdBy: try cells.id(.createdBy),
            url: cells.text(.url), events: WebhookEvents(rawValue: cells.int(.events)),
            secret: cells.bytes(.secret), previousSecret: cells.bytesIfAny(.previousSecret),
            previousUntil: cells.instantIfAny(.previousUntil), createdAt: cells.instant(.createdAt),
            end: try cells.codeIfAny(.ended), pausedUntil: cells.instantIfAny(.pausedUntil))
    }
}

extension Webhook.End: Coded {
    package static let cases = allCases
    package var code: Int { rawValue }
}
