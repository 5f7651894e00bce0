package import Meetings

/// Puts mails into the queue, in the transaction of the change that causes them.
package struct Mails {
    let transaction: Transaction

    /// Puts the mail into the queue, unless its address has reached the limit of 24 hours
    /// (`Quota.mostPerDay`). Returns whether the mail is in the queue. A command must not report that to its
    /// caller, because the caller may not own the address.
    @discardableResult
    package func queue(_ mail: OutgoingMail) throws(JournalError) -> Bool {
        let (rows, now, quota) = (transaction.rows, transaction.now, mail.content.kind.quota)
        let sent = try rows.mailCount(
            to: IdentityKey(mail.recipient), of: quota, since: now - .hours(24), limit: quota.mostPerDay)
        guard sent < quota.mostPerDay else { return false }
        try rows.insert(mail, at: now)
        transaction.noteQueuedMail()
        return true
    }
}

/// Takes the lane's mails that are due, so that this process sends them. Mails that have expired, or that
/// nobody wants any more, end here.
package struct LeaseMails: Command {
    package let lane: OutgoingMail.Lane
    package let process: ID<MailDelivery>
    package let limit: Int
    /// Whether the server can open the secret of a certificate key.
    package let canSign: @Sendable (CertificateKey) -> Bool

    package init(
        on lane: OutgoingMail.Lane = .mail, process: ID<MailDelivery>, limit: Int,
        canSign: @escaping @Sendable (CertificateKey) -> Bool = { _ in true }
    ) {
        self.lane = lane
        self.process = process
        self.limit = limit
        self.canSign = canSign
    }

    /// The mails to send now, and the mails that have expired, each at most `limit`.
    package struct Outcome: Hashable, Sendable {
        package var leased: [OutgoingMail] = []
        /// The sessions that leased mails are about.
        package var sessions: [SessionID: AnnouncedSession] = [:]
        /// The devices that leased push messages go to.
        package var devices: [MailID: Device] = [:]
        /// The names of the people whom leased mails about absences name.
        package var names: [PersonID: String] = [:]
        /// What the certificates of leased mails say, and the key that signs them.
        package var certificates: [MailID: CertificateStatement] = [:]
        package var certificateKey: CertificateKey?
        /// The number of mails that ended because nobody wants them any more.
        package var unwanted = 0
        package var expired: [MailRecord] = []
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let (rows, now) = (transaction.rows, transaction.now)
        var outcome = Outcome()
        var hooks: [WebhookID: Bool] = [:]
        if let id = lane.hook, let hook = try rows.webhook(id) {
            // Another server or another request may have stored the receiver's pause meanwhile.
            if hook.pauseEnd(at: now) != nil { return outcome }
            hooks[id] = try rows.isActive(hook)
        }
        for mail in try rows.dueMails(on: lane, at: now, limit: limit) {
            guard let record = try rows.mail(mail.id) else { continue }
            var delivery = record.delivery
            if mail.expiresAt <= now {
                delivery.end(.expired, at: now)
                outcome.expired.append(record.with(delivery))
            } else if try !isWanted(mail, &outcome, &hooks, transaction) {
                delivery.end(.dropped, at: now)
                outcome.unwanted += 1
                try unmarkCertificate(of: mail, queuedAt: record.queuedAt, rows)
            } else {
                // The carrier of web hooks reads the records itself, before each request.
                if lane.channel != .hook, let id = mail.session, outcome.sessions[id] == nil,
                    let found = try rows.session(id)
                {
                    outcome.sessions[id] = AnnouncedSession(found.session, of: found.meeting)
                }
                delivery.lease(by: process, at: now)
                outcome.leased.append(mail)
            }
            try rows.save(delivery, of: mail.id)
        }
        return outcome
    }

    /// Removes the mark that the certificate of a dropped mail was mailed, so that a later request sends it.
    private func unmarkCertificate(of mail: OutgoingMail, queuedAt: Instant, _ rows: any WritableRows)
        throws(JournalError)
    {
        guard case .certificate(let id) = mail.content, var certificate = try rows.certificate(id),
            certificate.mailedAt == queuedAt
        else { return }
        certificate.mailedAt = nil
        try rows.update(certificate)
    }

    /// Whether somebody still wants the mail. Adds the device of a push message, or the names in a mail about
    /// absences, to the outcome.
    /// - Parameter hooks: whether web hooks of earlier mails are active.
    private func isWanted(
        _ mail: OutgoingMail, _ outcome: inout Outcome, _ hooks: inout [WebhookID: Bool],
        _ transaction: Transaction
    ) throws(JournalError) -> Bool {
        switch mail.content {
        case .push(let message):
            outcome.devices[mail.id] = try transaction.devices.receiver(of: mail, message)
            return outcome.devices[mail.id] != nil
        case .hook:
            guard let id = mail.hook else { return false }
            if let known = hooks[id] { return known }
            var isActive = false
            if let hook = try transaction.rows.webhook(id) { isActive = try transaction.rows.isActive(hook) }
            hooks[id] = isActive
            return isActive
        case .absences(let found, _):
            guard let meeting = mail.meeting, try transaction.mailings.isWanted(mail) else { return false }
            let names = try transaction.mailings.names(of: found, on: meeting)
            outcome.names.merge(names) { $1 }
            return !names.isEmpty
        case .certificate(let id):
            let rows = transaction.rows
            // The roster may have another address meanwhile, and an archived person gets no mails.
            guard try transaction.mailings.isWanted(mail), let certificate = try rows.certificate(id),
                certificate.isValid, let statement = try rows.statement(of: certificate),
                try rows.recipient(of: certificate)?.address == mail.recipient
            else { return false }
            if outcome.certificateKey == nil {
                // After a replacement of all secrets, nobody can sign before the next key.
                guard let key = try rows.newestCertificateKey(), canSign(key) else { return false }
                outcome.certificateKey = key
            }
            outcome.certificates[mail.id] = statement
            return true
        default: return try transaction.mailings.isWanted(mail)
        }
    }
}

/// Stores the result of an attempt. Returns the mail after it; nil if this process no longer holds the lease,
/// or if the mail was deleted meanwhile.
package struct FinishMail: Command {
    package let id: MailID
    package let process: ID<MailDelivery>
    package let outcome: MailDelivery.Outcome
    /// A random number from 0 to 1 (`MailDelivery.finish`).
    package let chance: Double
    /// The least pause before the next attempt, which the receiver wants.
    package let retryAfter: Duration?
    /// Whether this pause holds for all deliveries of the web hook.
    package let pausesHook: Bool

    package init(
        id: MailID, process: ID<MailDelivery>, outcome: MailDelivery.Outcome, retryAfter: Duration? = nil,
        pausesHook: Bool = false, chance: Double = .random(in: 0...1)
    ) {
        self.id = id
        self.process = process
        self.outcome = outcome
        self.chance = chance
        self.retryAfter = retryAfter
        self.pausesHook = pausesHook
    }

    package func run(in transaction: Transaction) throws(JournalError) -> MailRecord? {
        guard let record = try transaction.rows.mail(id), record.delivery.lease == process else { return nil }
        var delivery = record.delivery
        delivery.finish(
            outcome, expiresAt: record.expiresAt, at: transaction.now,
            schedule: record.kind == .hook ? WebhookMessage.pauses : nil, retryAfter: retryAfter,
            chance: chance)
        try transaction.rows.save(delivery, of: id)
        if pausesHook, let retryAfter, record.kind == .hook {
            try transaction.webhooks.pause(receiverOf: record, for: retryAfter)
        }
        return record.with(delivery)
    }
}

/// Gives up leases, so that their mails are due at once: those of this process before it ends, or those of
/// all other processes when a process knows that it is the only one.
package struct ReleaseMails: Command {
    /// The processes whose leases the command ends.
    package enum Holder: Sendable {
        case process(ID<MailDelivery>)
        case everybodyBut(ID<MailDelivery>)
    }

    package let holder: Holder
    /// The mails whose leases may end; nil for all waiting mails.
    package let mails: [MailID]?

    package init(_ holder: Holder, mails: [MailID]? = nil) {
        self.holder = holder
        self.mails = mails
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let rows = transaction.rows
        var records: [MailRecord] = []
        if let mails {
            for id in mails { if let record = try rows.mail(id) { records.append(record) } }
        } else {
            records = try rows.leasedMails()
        }
        for record in records where record.delivery.state == .waiting {
            guard let lease = record.delivery.lease else { continue }
            switch holder {
            case .process(let process) where process != lease: continue
            case .everybodyBut(let process) where process == lease: continue
            default: break
            }
            var delivery = record.delivery
            delivery.lease = nil
            delivery.nextAttempt = transaction.now
            // An attempt of this process that did not begin does not count. A crashed process may have begun.
            if case .process = holder { delivery.attempts -= 1 }
            try rows.save(delivery, of: record.id)
        }
        transaction.noteQueuedMail()
    }
}

/// Makes a mail due at once, although it was refused or has to wait. Returns false if there is no such mail,
/// if it has ended in another way or has expired, or if it is being sent.
package struct RetryMail: Command {
    package let id: MailID

    package init(id: MailID) { self.id = id }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        guard let record = try transaction.rows.idleMail(id), record.expiresAt > transaction.now else {
            return false
        }
        var delivery = record.delivery
        delivery.retry(at: transaction.now)
        try transaction.rows.save(delivery, of: id)
        transaction.noteQueuedMail()
        return true
    }
}

/// Ends a mail without sending it. Returns false if there is no such mail, if it has ended already, or if it
/// is being sent.
package struct DropMail: Command {
    package let id: MailID

    package init(id: MailID) { self.id = id }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        guard let record = try transaction.rows.idleMail(id) else { return false }
        var delivery = record.delivery
        delivery.end(.dropped, at: transaction.now)
        try transaction.rows.save(delivery, of: id)
        return true
    }
}

/// Deletes at most `limit` mails that ended more than `lifetime` ago. Returns their number.
package struct ForgetMails: Command {
    package let lifetime: Duration
    package let limit: Int

    package init(after lifetime: Duration = Retention().mails, limit: Int) {
        self.lifetime = lifetime
        self.limit = limit
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Int {
        try transaction.rows.deleteMails(endedBefore: transaction.now - lifetime, limit: limit)
    }
}

extension Transaction {
    /// The queue of mails.
    package var mails: Mails { Mails(transaction: self) }
}

extension ReadableRows {
    /// Returns the mail if it waits or was refused, and no process is sending it.
    fileprivate func idleMail(_ id: MailID) throws(JournalError) -> MailRecord? {
        guard let record = try mail(id), [.waiting, .refused].contains(record.delivery.state),
            record.delivery.lease == nil
        else { return nil }
        return record
    }
}
