package import Journal
package import Meetings

/// A mail when it is queued, with its content as JSON.
struct MailRow {
    let mail: OutgoingMail
    let content: String
    let queuedAt: Instant
}

enum MailColumn: Int32, Columns {
    case id, kind, recipient, language, fields, notBefore, expiresAt, owner, meeting, session, queuedAt
    case state, attempts, nextAttempt, lease, endedAt, reply
    // Written only.
    case quota, recipientKey

    static let table = "mails"
    /// `saveDelivery` changes a queued mail.
    var writing: ColumnWriting { .once }
    var isRead: Bool { self != .quota && self != .recipientKey }

    func bind(_ row: MailRow, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(row.mail.id)
        case .kind: parameters.bind(row.mail.content.kind.code)
        case .recipient: parameters.bind(row.mail.recipient)
        case .language: parameters.bind(row.mail.language)
        case .fields: parameters.bind(row.content)
        case .notBefore: parameters.bind(row.mail.notBefore)
        case .expiresAt: parameters.bind(row.mail.expiresAt)
        case .owner: parameters.bind(row.mail.owner?.id)
        case .meeting: parameters.bind(row.mail.meeting)
        case .session: parameters.bind(row.mail.session)
        case .queuedAt: parameters.bind(row.queuedAt)
        case .state: parameters.bind(MailDelivery.State.waiting.code)
        case .attempts: parameters.bind(0)
        case .nextAttempt: parameters.bind(row.mail.notBefore)
        case .lease: parameters.bind(nil as ID<MailDelivery>?)
        case .endedAt: parameters.bind(nil as Instant?)
        case .reply: parameters.bind("")
        case .quota: parameters.bind(row.mail.content.kind.quota.code)
        case .recipientKey: parameters.bind(IdentityKey(row.mail.recipient))
        }
    }
}

extension Writing where Column == MailColumn {
    fileprivate static let insertMail = insert("insert mail")
}

extension Query {
    private static let recordColumns = MailColumn.selected()
    fileprivate static let mail = Query("find mail", "SELECT \(recordColumns) FROM mails WHERE id = ?")
    private static let ofPhones = "mails INDEXED BY mails_due_on_phones WHERE kind = 2 AND"
    private static let ofDevices = "mails INDEXED BY mails_due_on_devices WHERE kind = 9 AND"
    private static let ofMails = "mails INDEXED BY mails_due WHERE kind <> 2 AND kind <> 9 AND kind <> 10 AND"
    private static let ofHooks = "mails INDEXED BY mails_due_on_hooks WHERE kind = 10 AND"
    private static let dueMails = due("find due mails", ofMails)
    private static let dueDeliveries = due("find due deliveries", ofHooks)
    private static let duePhoneCodes = due("find due phone codes", ofPhones)
    private static let duePushMessages = due("find due push messages", ofDevices)
    fileprivate static func due(on lane: OutgoingMail.Lane) -> Query {
        switch lane.channel {
        case .mail: dueMails
        case .phone: duePhoneCodes
        case .device: duePushMessages
        case .hook: dueDeliveries
        }
    }
    private static func due(_ operation: String, _ rows: String) -> Query {
        Query(
            operation,
            """
            SELECT \(recordColumns)
            FROM \(rows) state = 0 AND next_attempt <= ?
                AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = session OR e.id = meeting)
            ORDER BY next_attempt, id LIMIT ?
            """)
    }
    // The lower bound lets SQLite search in the index. No mail is older than 1970.
    private static let nextMail = next("find the next mail's moment", ofMails)
    private static let nextPhoneCode = next("find the next phone code's moment", ofPhones)
    private static let nextPushMessage = next("find the next push message's moment", ofDevices)
    private static let nextDelivery = next("find the next delivery's moment", ofHooks)
    fileprivate static func next(on lane: OutgoingMail.Lane) -> Query {
        switch lane.channel {
        case .mail: nextMail
        case .phone: nextPhoneCode
        case .device: nextPushMessage
        case .hook: nextDelivery
        }
    }
    private static func next(_ operation: String, _ rows: String) -> Query {
        Query(
            operation,
            """
            SELECT next_attempt FROM \(rows) state = 0 AND next_attempt >= 0
                AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = session OR e.id = meeting)
            ORDER BY next_attempt LIMIT 1
            """)
    }
    fileprivate static let leasedMails = Query(
        "find leased mails",
        """
        SELECT \(recordColumns) FROM mails INDEXED BY mails_leased
        WHERE lease IS NOT NULL AND id > ? ORDER BY id
        """)
    fileprivate static let mails = Query(
        "list mails",
        """
        SELECT \(recordColumns) FROM mails WHERE state = ? AND kind <> 10 AND id > ? ORDER BY id LIMIT ?
        """)
    fileprivate static let countMails = Query(
        "count mails", "SELECT count(*) FROM mails WHERE state = ? AND kind <> 10")
    // The deliveries of one web hook.
    private static let ofHook = "mails INDEXED BY mails_due_on_hook WHERE kind = 10 AND owner = ?1 AND"
    fileprivate static let dueOnHook = Query(
        "find due deliveries of a web hook",
        """
        SELECT \(recordColumns) FROM \(ofHook) state = 0 AND next_attempt <= ?2
            AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = session OR e.id = meeting)
        ORDER BY next_attempt, id LIMIT ?3
        """)
    fileprivate static let nextOnHook = Query(
        "find the next delivery's moment of a web hook",
        """
        SELECT next_attempt FROM \(ofHook) state = 0 AND next_attempt >= 0
            AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = session OR e.id = meeting)
        ORDER BY next_attempt LIMIT 1
        """)
    fileprivate static let waitingOnHook = Query(
        "count waiting deliveries",
        "SELECT count(*) FROM (SELECT 1 FROM \(ofHook) state = 0 LIMIT ?2) AS waiting")
    private static let waitingOnHooks =
        "mails INDEXED BY mails_waiting_on_hooks WHERE kind = 10 AND state = 0"
    fileprivate static let allWaiting = Query(
        "count all waiting deliveries",
        "SELECT count(*) FROM (SELECT owner FROM \(waitingOnHooks) LIMIT ?) AS d WHERE \(isActive)")
    // Nobody sends the deliveries of a web hook that was disabled.
    private static let isActive =
        "NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = d.owner AND w.ended IS NOT NULL)"
    // All deliveries have the same time to live, so the oldest one expires first. Ten thousand are enough for
    // an alert.
    fileprivate static let oldestWaiting = Query(
        "find the oldest waiting delivery",
        """
        SELECT d.queued_at FROM (SELECT owner, queued_at, expires_at FROM \(waitingOnHooks)
            ORDER BY expires_at LIMIT 10000) AS d
        WHERE \(isActive) ORDER BY d.expires_at LIMIT 1
        """)
    fileprivate static let makeDue = Query(
        "make deliveries due",
        """
        UPDATE mails SET next_attempt = ?2, attempts = 0
        WHERE kind = 10 AND owner = ?1 AND state = 0 AND lease IS NULL
        """)
    fileprivate static let deliveries = Query(
        "list deliveries of a web hook",
        """
        SELECT \(recordColumns) FROM mails INDEXED BY mails_of_hook
        WHERE kind = 10 AND owner = ? AND id < ? ORDER BY id DESC LIMIT ?
        """)
    fileprivate static let deleteDeliveries = Query(
        "delete deliveries of a web hook",
        """
        DELETE FROM mails WHERE id IN
            (SELECT id FROM mails WHERE kind = 10 AND owner = ? LIMIT ?)
        """)
    fileprivate static let deleteEndedDeliveries = Query(
        "delete ended deliveries",
        """
        DELETE FROM mails WHERE id IN
            (SELECT id FROM mails WHERE kind = 10 AND ended_at IS NOT NULL AND ended_at < ?
            ORDER BY ended_at LIMIT ?)
        """)
    // Nobody leases the deliveries of a web hook that was disabled.
    fileprivate static let deleteLeftDeliveries = Query(
        "delete deliveries that nobody leases",
        """
        DELETE FROM mails WHERE id IN
            (SELECT id FROM mails INDEXED BY mails_waiting_on_hooks
            WHERE kind = 10 AND state = 0 AND expires_at < ? AND lease IS NULL ORDER BY expires_at LIMIT ?)
        """)
    fileprivate static let anyLeftDelivery = Query(
        "find a delivery that nobody leases",
        """
        SELECT 1 FROM mails INDEXED BY mails_waiting_on_hooks
        WHERE kind = 10 AND state = 0 AND expires_at < ? AND lease IS NULL LIMIT 1
        """)
    fileprivate static let anyEndedDelivery = Query(
        "find an ended delivery",
        "SELECT 1 FROM mails WHERE kind = 10 AND ended_at IS NOT NULL AND ended_at < ? LIMIT 1")
    fileprivate static let mailsToRecipient = Query(
        "find a recipient's mails",
        """
        SELECT 1 FROM mails INDEXED BY mails_by_recipient
        WHERE recipient_key = ? AND quota = ? AND queued_at >= ? AND kind <> 10 LIMIT ?
        """)
    fileprivate static let mailsOfAccount = Query(
        "count an account's mails",
        "SELECT CAST(coalesce(sum(count), 0) AS bigint) FROM mail_counts WHERE account = ? AND hour > ?")
    fileprivate static let countMailsOfAccount = Query(
        "add to an account's mails",
        """
        INSERT INTO mail_counts (account, hour, count) VALUES (?, ?, ?)
        ON CONFLICT (account, hour) DO UPDATE SET count = mail_counts.count + excluded.count
        """)
    fileprivate static let forgetMailsOfAccount = Query(
        "delete an account's old counts of mails", "DELETE FROM mail_counts WHERE account = ? AND hour <= ?")
    fileprivate static let saveDelivery = Query(
        "save a mail's delivery",
        """
        UPDATE mails SET state = ?2, attempts = ?3, next_attempt = ?4, lease = ?5, ended_at = ?6, reply = ?7,
            fields = CASE WHEN ?8 = 1 OR kind = 10 THEN fields END
        WHERE id = ?1
        """)
    fileprivate static let deleteOfOwner = Query(
        "delete an owner's mails", "DELETE FROM mails WHERE owner = ?")
    fileprivate static let deleteToRecipient = Query(
        "delete a recipient's mails", "DELETE FROM mails WHERE recipient_key = ? AND kind <> 10")
    fileprivate static let mailsOfOwner = Query(
        "list an owner's mails", "SELECT \(recordColumns) FROM mails WHERE owner = ? LIMIT ?")
    fileprivate static let anyEnded = Query(
        "find an ended mail", "SELECT 1 FROM mails WHERE ended_at < ? LIMIT 1")
    fileprivate static let deleteEnded = Query(
        "delete ended mails",
        """
        DELETE FROM mails WHERE id IN
            (SELECT id FROM mails WHERE ended_at < ? ORDER BY ended_at LIMIT ?)
        """)
}

extension SQLRows {
    package func mail(_ id: MailID) throws(JournalError) -> MailRecord? {
        try connection.first(.mail, id) { row throws(JournalError) in try row.mailRecord() }
    }

    package func dueMails(on lane: OutgoingMail.Lane, at now: Instant, limit: Int)
        throws(JournalError) -> [OutgoingMail]
    {
        if let owner = lane.owner {
            return try connection.all(.dueOnHook, owner.id, now, limit) { row throws(JournalError) in
                try row.mail()
            }
        }
        return try connection.all(.due(on: lane), now, limit) { row throws(JournalError) in try row.mail() }
    }

    package func nextMailMoment(on lane: OutgoingMail.Lane) throws(JournalError) -> Instant? {
        if let owner = lane.owner { return try connection.first(.nextOnHook, owner.id) { $0.instant(0) } }
        return try connection.first(.next(on: lane)) { $0.instant(0) }
    }

    package func leasedMails() throws(JournalError) -> [MailRecord] {
        try connection.all(.leasedMails, ID<OutgoingMail>(high: 0, low: 0)) { row throws(JournalError) in
            try row.mailRecord()
        }
    }

    package func mails(in states: Set<MailDelivery.State>, after cursor: MailID?, limit: Int)
        throws(JournalError) -> [MailRecord]
    {
        try connection.mails(in: states, after: cursor, limit: limit)
    }

    package func mails(of owner: OutgoingMail.Owner, limit: Int) throws(JournalError) -> [MailRecord] {
        try connection.all(.mailsOfOwner, owner.id, limit) { row throws(JournalError) in
            try row.mailRecord()
        }.sorted { $0.id < $1.id }
    }

    package func mailCounts() throws(JournalError) -> [MailDelivery.State: Int] {
        try connection.mailCounts()
    }

    package func mailCount(
        to recipient: IdentityKey, of quota: OutgoingMail.Quota, since moment: Instant, limit: Int
    )
        throws(JournalError) -> Int
    {
        try connection.all(.mailsToRecipient, recipient, quota.code, moment, limit) { _ in true }.count
    }

    package func mailCount(causedBy account: AccountID, after moment: Instant) throws(JournalError) -> Int {
        try connection.first(.mailsOfAccount, account, moment) { $0.int(0) } ?? 0
    }

    package func countMails(
        _ count: Int, causedBy account: AccountID, in hour: Instant, forgetting old: Instant
    )
        throws(JournalError)
    {
        try connection.run(.forgetMailsOfAccount, account, old)
        try connection.run(.countMailsOfAccount, account, hour, count)
    }

    package func hasMail(endedBefore moment: Instant) throws(JournalError) -> Bool {
        try connection.first(.anyEnded, moment) { _ in true } ?? false
    }

    package func insert(_ mail: OutgoingMail, at now: Instant) throws(JournalError) {
        try connection.run(
            .insertMail, MailRow(mail: mail, content: try JSONText.of(mail.content), queuedAt: now))
    }

    package func save(_ delivery: MailDelivery, of mail: MailID) throws(JournalError) {
        try connection.run(
            .saveDelivery, mail, delivery.state.code, delivery.attempts, delivery.nextAttempt, delivery.lease,
            delivery.endedAt, delivery.reply, delivery.state.keepsContent)
    }

    package func deleteMails(of owner: OutgoingMail.Owner) throws(JournalError) {
        guard try connection.run(.deleteOfOwner, owner.id) > 0 else { return }
        try noteErasure()
    }

    package func deleteMails(to recipient: IdentityKey) throws(JournalError) {
        if try connection.run(.deleteToRecipient, recipient) > 0 { try noteErasure() }
    }

    package func deleteMails(endedBefore moment: Instant, limit: Int) throws(JournalError) -> Int {
        // No rewrite of the file follows, because this happens every day. `secure_delete` overwrites the
        // rows, and the rewrite after an erasure removes the copies that page splits leave.
        try connection.run(.deleteEnded, moment, limit)
    }
}

/// The deliveries of web hooks.
extension SQLRows {
    package func waitingDeliveries(of hook: WebhookID, limit: Int) throws(JournalError) -> Int {
        try connection.first(.waitingOnHook, hook, limit) { $0.int(0) } ?? 0
    }

    package func waitingDeliveries(limit: Int) throws(JournalError) -> Int {
        try connection.first(.allWaiting, limit) { $0.int(0) } ?? 0
    }

    package func oldestWaitingDelivery() throws(JournalError) -> Instant? {
        try connection.first(.oldestWaiting) { $0.instant(0) }
    }

    package func deliveries(of hook: WebhookID, before cursor: MailID?, limit: Int)
        throws(JournalError) -> [LoggedDelivery]
    {
        try connection.all(.deliveries, hook, cursor ?? MailID(high: .max, low: .max), limit) {
            row throws(JournalError) in
            let mail = try row.mail()
            guard case .hook(let message) = mail.content else {
                throw row.damaged("content", MailColumn.fields.rawValue)
            }
            return LoggedDelivery(
                record: try row.mailRecord(), message: message, session: mail.session ?? message.deleted)
        }
    }

    package func makeDeliveriesDue(of hook: WebhookID, at now: Instant) throws(JournalError) {
        try connection.run(.makeDue, hook, now)
    }

    package func deleteDeliveries(of hook: WebhookID, limit: Int) throws(JournalError) -> Int {
        try connection.run(.deleteDeliveries, hook, limit)
    }

    package func hasDelivery(endedBefore moment: Instant) throws(JournalError) -> Bool {
        if try connection.first(.anyEndedDelivery, moment, read: { _ in true }) != nil { return true }
        return try connection.first(.anyLeftDelivery, moment) { _ in true } ?? false
    }

    package func deleteDeliveries(endedBefore moment: Instant, limit: Int) throws(JournalError) -> Int {
        let ended = try connection.run(.deleteEndedDeliveries, moment, limit)
        return try ended + connection.run(.deleteLeftDeliveries, moment, limit - ended)
    }
}

/// The queries that `mailQueue` makes too.
extension SQLConnection {
    package func mails(in states: Set<MailDelivery.State>, after cursor: MailID?, limit: Int)
        throws(JournalError) -> [MailRecord]
    {
        var found: [MailRecord] = []
        for state in states {
            found += try all(.mails, state.code, cursor ?? ID(high: 0, low: 0), limit) {
                row throws(JournalError) in try row.mailRecord()
            }
        }
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    package func mailCounts() throws(JournalError) -> [MailDelivery.State: Int] {
        var counts: [MailDelivery.State: Int] = [:]
        for state in MailDelivery.State.allCases {
            let count = try first(.countMails, state.code) { $0.int(0) } ?? 0
            if count > 0 { counts[state] = count }
        }
        return counts
    }
}

extension Row {
    fileprivate func mail() throws(JournalError) -> OutgoingMail {
        let cells = Cells<MailColumn>(self)
        let owner: ID<OutgoingMail.Owner>? = cells.idIfAny(.owner)
        return OutgoingMail(
            id: try cells.id(.id), to: cells.text(.recipient), language: cells.text(.language),
            try cells.json(.fields), notBefore: cells.instant(.notBefore),
            expiresAt: cells.instant(.expiresAt), owner: owner.map(OutgoingMail.Owner.init(id:)),
            meeting: cells.idIfAny(.meeting), session: cells.idIfAny(.session))
    }

    fileprivate func mailRecord() throws(JournalError) -> MailRecord {
        let cells = Cells<MailColumn>(self)
        return MailRecord(
            id: try cells.id(.id), kind: try cells.code(.kind), recipient: cells.text(.recipient),
            queuedAt: cells.instant(.queuedAt), expiresAt: cells.instant(.expiresAt),
            delivery: MailDelivery(
                state: try cells.code(.state), attempts: cells.int(.attempts),
                nextAttempt: cells.instant(.nextAttempt), lease: cells.idIfAny(.lease),
                endedAt: cells.instantIfAny(.endedAt), reply: cells.text(.reply)))
    }
}

extension OutgoingMail.Kind: Coded {
    package static let cases = allCases
    package var code: Int { rawValue }
}

extension OutgoingMail.Quota: Coded {
    package static let cases = allCases
    package var code: Int { rawValue }
}

extension MailDelivery.State: Coded {
    package static let cases = allCases
    package var code: Int { rawValue }
}
