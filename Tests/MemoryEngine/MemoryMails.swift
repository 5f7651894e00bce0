import Journal
import Meetings

extension MemoryRows {
    func mail(_ id: MailID) throws(JournalError) -> MailRecord? { try tables().mails[id]?.record }

    func dueMails(on lane: OutgoingMail.Lane, at now: Instant, limit: Int)
        throws(JournalError) -> [OutgoingMail]
    {
        let due = try waiting().filter {
            $0.delivery.nextAttempt <= now && lane.carries($0.mail)
        }
        return due.prefix(limit).map(\.mail)
    }

    func nextMailMoment(on lane: OutgoingMail.Lane) throws(JournalError) -> Instant? {
        try waiting().first { lane.carries($0.mail) }?.delivery.nextAttempt
    }

    func leasedMails() throws(JournalError) -> [MailRecord] {
        try tables().mails.values.map(\.record).filter { $0.delivery.lease != nil }.sorted { $0.id < $1.id }
    }

    func mails(in states: Set<MailDelivery.State>, after cursor: MailID?, limit: Int)
        throws(JournalError) -> [MailRecord]
    {
        let found = try tables().mails.values.map(\.record).filter { $0.kind != .hook }.filter {
            states.contains($0.delivery.state) && $0.id > cursor ?? ID(high: 0, low: 0)
        }
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    func mails(of owner: OutgoingMail.Owner, limit: Int) throws(JournalError) -> [MailRecord] {
        let found = try tables().mails.values.filter { $0.mail.owner == owner }.map(\.record)
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    func mailCounts() throws(JournalError) -> [MailDelivery.State: Int] {
        try Dictionary(grouping: tables().mails.values.filter { !$0.isOfHook }, by: \.delivery.state)
            .mapValues(\.count)
    }

    func mailCount(to recipient: IdentityKey, of quota: OutgoingMail.Quota, since moment: Instant, limit: Int)
        throws(JournalError) -> Int
    {
        let found = try tables().mails.values.filter {
            IdentityKey($0.mail.recipient) == recipient && $0.mail.content.kind.quota == quota
                && $0.queuedAt >= moment
        }
        return min(found.count, limit)
    }

    func mailCount(causedBy account: AccountID, after moment: Instant) throws(JournalError) -> Int {
        try (tables().mailCounts[account] ?? [:]).filter { $0.key > moment }.values.reduce(0, +)
    }

    func countMails(_ count: Int, causedBy account: AccountID, in hour: Instant, forgetting old: Instant)
        throws(JournalError)
    {
        try change("add to an account's mails") { tables throws(JournalError) in
            guard tables.accounts[account] != nil else {
                throw conflict("add to an account's mails", "of no account")
            }
            tables.mailCounts[account] = tables.mailCounts[account]?.filter { $0.key > old }
            tables.mailCounts[account, default: [:]][hour, default: 0] += count
        }
    }

    func hasMail(endedBefore moment: Instant) throws(JournalError) -> Bool {
        try tables().mails.values.contains { $0.delivery.endedAt.map { $0 < moment } ?? false }
    }

    func insert(_ mail: OutgoingMail, at now: Instant) throws(JournalError) {
        try change("insert mail") { tables throws(JournalError) in
            guard tables.mails[mail.id] == nil else { throw conflict("insert mail", "not unique") }
            tables.mails[mail.id] = Tables.MailEntry(
                mail: mail, queuedAt: now, delivery: MailDelivery(from: mail.notBefore))
        }
    }

    func save(_ delivery: MailDelivery, of mail: MailID) throws(JournalError) {
        try change("save a mail's delivery") { tables -> Void in tables.mails[mail]?.delivery = delivery }
    }

    func deleteMails(of owner: OutgoingMail.Owner) throws(JournalError) {
        try change("delete an owner's mails") { $0.removeMails(of: owner) }
    }

    func deleteMails(to recipient: IdentityKey) throws(JournalError) {
        try change("delete a recipient's mails") { tables in
            tables.mails = tables.mails.filter {
                $0.value.isOfHook || IdentityKey($0.value.mail.recipient) != recipient
            }
        }
    }

    func deleteMails(endedBefore moment: Instant, limit: Int) throws(JournalError) -> Int {
        try change("delete ended mails") { tables in
            let ended = tables.mails.values.compactMap { entry in
                entry.delivery.endedAt.map { (at: $0, id: entry.mail.id) }
            }
            let old = ended.filter { $0.at < moment }.sorted { ($0.at, $0.id) < ($1.at, $1.id) }.prefix(limit)
            for mail in old { tables.mails[mail.id] = nil }
            return old.count
        }
    }

    /// Returns the waiting mails, the earliest next attempt first.
    private func waiting() throws(JournalError) -> [Tables.MailEntry] {
        try tables().mails.values.filter { $0.delivery.state == .waiting }.sorted {
            ($0.delivery.nextAttempt, $0.mail.id) < ($1.delivery.nextAttempt, $1.mail.id)
        }
    }
}

extension Tables {
    mutating func removeMails(of owner: OutgoingMail.Owner) {
        mails = mails.filter { $0.value.mail.owner != owner }
    }
}

extension Tables.MailEntry {
    var isOfHook: Bool { mail.content.kind == .hook }
    var record: MailRecord {
        MailRecord(
            id: mail.id, kind: mail.content.kind, recipient: mail.recipient, queuedAt: queuedAt,
            expiresAt: mail.expiresAt, delivery: delivery)
    }
}

extension OutgoingMail.Lane {
    fileprivate func carries(_ mail: OutgoingMail) -> Bool {
        mail.content.kind.channel == channel && (owner == nil || mail.owner == owner)
    }
}
