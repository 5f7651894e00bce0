package import Meetings

/// The active web hooks of meetings, which the writer remembers from one batch to the next, so that a
/// check-in reads neither them nor their queues. Each change of a web hook, of a right or of an account
/// forgets them, and so does each commit of another node, and each command or batch that is rolled back.
struct KnownWebhooks {
    struct Entry {
        /// Its secrets and its pause may have changed since.
        let hook: Webhook
        /// At least the number of waiting deliveries. It grows with each event. If it reaches the limit, the
        /// deliveries are counted again, because some have ended meanwhile.
        var waiting: Int
    }

    private var ofMeetings: [MeetingID: [Entry]] = [:]
    /// Whether the running command has counted a delivery.
    private var hasCounted = false
    /// The most meetings that are remembered. With one more, all are forgotten.
    private static let most = 1000

    subscript(meeting: MeetingID) -> [Entry]? { ofMeetings[meeting] }

    mutating func remember(_ entries: [Entry], of meeting: MeetingID) {
        if ofMeetings[meeting] == nil, ofMeetings.count >= Self.most { forgetAll() }
        ofMeetings[meeting] = entries
        hasCounted = true
    }

    mutating func beginCommand() { hasCounted = false }

    /// Nobody knows what the command had counted or disabled.
    mutating func revertCommand() { if hasCounted { forgetAll() } }

    mutating func forget(_ meeting: MeetingID) { ofMeetings[meeting] = nil }

    mutating func forgetAll() { if !ofMeetings.isEmpty { ofMeetings = [:] } }
}

/// The records from which the body of a request to a web hook is made.
package struct WebhookDelivery: Hashable, Sendable {
    package let hook: Webhook
    package let message: WebhookMessage
    package let meeting: Meeting
    /// The session as it is now; nil if the event is about none, or if it was deleted.
    package var session: SessionRecord?
    /// The event of the journal, which never changes.
    package var event: Event?
    /// The attendee's record as it is now; nil if it was erased.
    package var attendee: Attendee?
    /// The answers of a response to a set with names, as they are now.
    package var response: (set: QuestionSet, response: Response)?

    package static func == (one: WebhookDelivery, other: WebhookDelivery) -> Bool {
        one.hook == other.hook && one.message == other.message && one.session == other.session
            && one.event == other.event && one.attendee == other.attendee
            && one.response?.response == other.response?.response
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(hook.id)
        hasher.combine(message)
    }
}

/// Adds a web hook to a meeting.
/// - Throws: `notAllowed` unless the actor is a host; `webhooksOff`; `limitReached` if the meeting has
///   `Webhook.mostOfMeeting`, or the account has created `Webhook.mostOfAccount`.
package struct AddWebhook: Command {
    package let id: WebhookID
    package let meeting: MeetingID
    package let url: String
    package let events: WebhookEvents
    /// The sealed secret.
    package let secret: [UInt8]
    package let actor: AccountID

    package init(
        id: WebhookID, meeting: MeetingID, url: String, events: WebhookEvents, secret: [UInt8],
        actor: AccountID
    ) {
        self.id = id
        self.meeting = meeting
        self.url = url
        self.events = events
        self.secret = secret
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Webhook {
        let rows = transaction.rows
        _ = try transaction.rights.meeting(meeting, managedBy: actor)
        try transaction.webhooks.requireOn()
        guard try rows.webhooks(of: meeting).count(where: { $0.end != .deleted }) < Webhook.mostOfMeeting
        else { throw .refused(.limitReached(.webhook, limit: Webhook.mostOfMeeting)) }
        guard try rows.webhookCount(createdBy: actor) < Webhook.mostOfAccount else {
            throw .refused(.limitReached(.webhook, limit: Webhook.mostOfAccount))
        }
        let hook = Webhook(
            id: id, meeting: meeting, createdBy: actor, url: url, events: events, secret: secret,
            createdAt: transaction.now)
        try rows.insert(hook)
        try transaction.webhooks.noteChange(of: meeting)
        try transaction.note(.webhookAdded, by: .account(actor), in: meeting)
        return hook
    }
}

/// Deletes a web hook. Its deliveries end at once; many of them are deleted later.
/// - Throws: `notAllowed` unless the actor is a host; `notFound`.
package struct RemoveWebhook: Command {
    package let id: WebhookID
    package let meeting: MeetingID
    package let actor: AccountID

    package init(id: WebhookID, meeting: MeetingID, actor: AccountID) {
        (self.id, self.meeting, self.actor) = (id, meeting, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        // An end of rights does not wait for a job in the meeting.
        try transaction.rows.requireHost(actor, of: meeting)
        let hook = try transaction.webhooks.hook(id, of: meeting)
        try transaction.webhooks.delete(hook)
        try transaction.note(.webhookDeleted, by: .account(actor), in: meeting)
    }
}

/// Replaces the secret of a web hook. The old one also signs for `Webhook.rotationTime`. Returns the hook.
/// - Throws: `notAllowed` unless the actor is a host; `notFound`.
package struct RotateWebhook: Command {
    package let id: WebhookID
    package let meeting: MeetingID
    /// The new sealed secret.
    package let secret: [UInt8]
    package let actor: AccountID

    package init(id: WebhookID, meeting: MeetingID, secret: [UInt8], actor: AccountID) {
        (self.id, self.meeting, self.secret, self.actor) = (id, meeting, secret, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Webhook {
        try transaction.rights.requireHost(actor, of: meeting)
        var hook = try transaction.webhooks.hook(id, of: meeting)
        hook.rotate(to: secret, at: transaction.now)
        try transaction.rows.update(hook)
        try transaction.note(.webhookRotated, by: .account(actor), in: meeting)
        return hook
    }
}

/// A test that was queued.
package struct QueuedTest: Hashable, Sendable {
    package let delivery: MailID
    /// The moment before which the receiver wants no requests; nil if it has not asked for a pause.
    package let pausedUntil: Instant?
}

/// Queues a request that only shows whether requests arrive.
/// - Throws: `notAllowed` unless the actor is a host; `webhooksOff`; `notFound` if the hook does not exist or
///   has ended; `limitReached` if `Webhook.mostWaiting` deliveries wait.
package struct TestWebhook: Command {
    package let id: WebhookID
    package let meeting: MeetingID
    package let actor: AccountID

    package init(id: WebhookID, meeting: MeetingID, actor: AccountID) {
        (self.id, self.meeting, self.actor) = (id, meeting, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> QueuedTest {
        try transaction.rights.requireHost(actor, of: meeting)
        try transaction.webhooks.requireOn()
        let hook = try transaction.webhooks.hook(id, of: meeting)
        guard hook.end == nil else { throw .refused(.notFound(.webhook)) }
        guard try transaction.rows.waitingDeliveries(of: id, limit: Webhook.mostWaiting) < Webhook.mostWaiting
        else { throw .refused(.limitReached(.webhookDelivery, limit: Webhook.mostWaiting)) }
        // The test is one more waiting delivery.
        transaction.hooks.forget(meeting)
        let delivery = try transaction.webhooks.insert(
            WebhookMessage(.test, at: transaction.now), to: hook, about: nil)
        return QueuedTest(delivery: delivery, pausedUntil: hook.pauseEnd(at: transaction.now))
    }
}

/// Makes one delivery due at once, or all that wait. A disabled web hook gets events again. Returns the hook.
/// - Throws: `notAllowed` unless the actor is a host; `webhooksOff`; `notFound` if there is no such web hook,
///   or no such delivery that nobody is sending and that has not expired for good.
package struct RetryWebhook: Command {
    package let id: WebhookID
    package let meeting: MeetingID
    /// The delivery; nil for all that wait.
    package let delivery: MailID?
    package let actor: AccountID

    package init(id: WebhookID, meeting: MeetingID, delivery: MailID?, actor: AccountID) {
        (self.id, self.meeting, self.delivery, self.actor) = (id, meeting, delivery, actor)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Webhook {
        let (rows, now) = (transaction.rows, transaction.now)
        try transaction.rights.requireHost(actor, of: meeting)
        try transaction.webhooks.requireOn()
        var hook = try transaction.webhooks.hook(id, of: meeting)
        if let delivery {
            guard let record = try rows.mail(delivery), record.recipient == id.text,
                record.delivery.lease == nil, record.expiresAt > now
            else { throw .refused(.notFound(.webhookDelivery)) }
            // It may have ended, and waits again.
            transaction.hooks.forget(meeting)
            var state = record.delivery
            state.retry(at: now)
            try rows.save(state, of: delivery)
        } else {
            try rows.makeDeliveriesDue(of: id, at: now)
            // The host knows that the receiver works again. Otherwise a wrong pause would last a day.
            hook.pausedUntil = nil
        }
        if hook.end != nil || delivery == nil {
            hook.end = nil
            try rows.update(hook)
            try transaction.webhooks.noteChange(of: meeting)
        }
        transaction.noteQueuedMail()
        return hook
    }
}

/// Disables a web hook whose receiver answered that it is gone.
package struct DisableGoneWebhook: Command {
    package let id: WebhookID

    package init(_ id: WebhookID) { self.id = id }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.webhooks.end(id, because: .gone)
    }
}

/// Deletes a limited number of deliveries of web hooks that were deleted, or whose creator is no host any
/// more, and of deliveries that ended long ago. Returns whether there may be more.
package struct ForgetWebhooks: Command {
    private let limit: Int

    package init(limit: Int = 500) { self.limit = limit }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        let rows = transaction.rows
        if let (id, meeting) = try rows.webhooksToErase(limit: 1).first {
            if try rows.deleteDeliveries(of: id, limit: limit) < limit {
                try rows.delete(id)
                try transaction.webhooks.noteChange(of: meeting)
            }
            return true
        }
        return try rows.deleteDeliveries(endedBefore: transaction.now - Webhook.logTime, limit: limit)
            == limit
    }
}

/// Queues the event of a session's moment that has come, once for each moment.
package struct QueueSessionMoment: Command {
    package let session: SessionToAlert
    package let kind: Alert.Kind

    package init(_ kind: Alert.Kind, of session: SessionToAlert) {
        (self.kind, self.session) = (kind, session)
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let rows = transaction.rows
        guard let event = kind.hookEvent, let found = try rows.session(session.id),
            kind.moment(for: found.session) == session.moment
        else { return }
        var alert = try rows.alert(kind, of: session.id) ?? Alert(of: session.id, kind, at: session.moment)
        guard alert.moment != session.moment || !alert.isDone else { return }
        alert = Alert(of: session.id, kind, at: session.moment, isDone: true)
        try rows.save(alert)
        let record = try transaction.session(session.id)
        guard record.meeting.hooked.contains(event) else { return }
        try transaction.webhooks.queue(
            WebhookMessage(event, at: session.moment, sequence: record.sequence), of: record.meeting.id,
            about: session.id)
    }
}

/// The web hooks of meetings, in the transaction of the change that causes their events.
struct Webhooks {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Queues a delivery for each web hook of the meeting that wants the event. Callers ask
    /// `Meeting.hooked` first, because this function reads rows.
    func queue(_ message: WebhookMessage, of meeting: MeetingID, about session: SessionID? = nil)
        throws(JournalError)
    {
        // The deliveries of a long time would flood the receivers, or disable the web hooks.
        guard transaction.limits.webhooks == .on else { return }
        var entries: [KnownWebhooks.Entry]
        if let known = transaction.hooks[meeting] {
            entries = known
        } else {
            entries = try active(in: meeting)
        }
        for index in entries.indices {
            let hook = entries[index].hook
            // A web hook does not get the moments that passed before it was created.
            guard hook.events.contains(message.event), hook.createdAt <= message.at else { continue }
            if entries[index].waiting >= Webhook.mostWaiting {
                entries[index].waiting = try waiting(hook)
            }
            if entries[index].waiting < Webhook.mostWaiting {
                entries[index].waiting += 1
                try insert(message, to: hook, about: session)
            } else {
                try end(hook.id, because: .tooManyWaiting)
            }
        }
        if entries.allSatisfy({ $0.waiting < Webhook.mostWaiting }) {
            transaction.hooks.remember(entries, of: meeting)
        } else {
            transaction.hooks.forget(meeting)
        }
    }

    private func active(in meeting: MeetingID) throws(JournalError) -> [KnownWebhooks.Entry] {
        var entries: [KnownWebhooks.Entry] = []
        for hook in try rows.webhooks(of: meeting) where try rows.isActive(hook) {
            entries.append(.init(hook: hook, waiting: try waiting(hook)))
        }
        return entries
    }

    private func waiting(_ hook: Webhook) throws(JournalError) -> Int {
        try rows.waitingDeliveries(of: hook.id, limit: Webhook.mostWaiting)
    }

    @discardableResult
    func insert(_ message: WebhookMessage, to hook: Webhook, about session: SessionID?)
        throws(JournalError) -> MailID
    {
        let now = transaction.now
        let mail = OutgoingMail(
            id: .make(at: now), to: hook.id.text, language: "en", .hook(message), notBefore: now,
            expiresAt: now + WebhookMessage.lifetime, owner: OutgoingMail.Owner(hook.id),
            meeting: hook.meeting, session: session)
        try rows.insert(mail, at: now)
        transaction.noteQueuedMail()
        return mail.id
    }

    /// - Throws: `webhooksOff` if the operator has switched web hooks off.
    func requireOn() throws(JournalError) {
        guard transaction.limits.webhooks == .on else { throw .refused(.webhooksOff) }
    }

    /// Returns the meeting's web hook.
    /// - Throws: `notFound` if the meeting has no such web hook.
    func hook(_ id: WebhookID, of meeting: MeetingID) throws(JournalError) -> Webhook {
        guard let hook = try rows.webhook(id), hook.meeting == meeting, hook.end != .deleted else {
            throw .refused(.notFound(.webhook))
        }
        return hook
    }

    /// Stores that the receiver of this delivery wants no requests for this time. The pause holds for every
    /// server, also after a restart. It never ends before an earlier one.
    func pause(receiverOf delivery: MailRecord, for time: Duration) throws(JournalError) {
        guard let id = WebhookID(delivery.recipient), var hook = try rows.webhook(id) else { return }
        let end = transaction.now + time
        guard hook.pausedUntil.map({ $0 < end }) ?? true else { return }
        hook.pausedUntil = end
        try rows.update(hook)
    }

    /// Disables a web hook, and tells its creator by mail.
    func end(_ id: WebhookID, because end: Webhook.End) throws(JournalError) {
        guard var hook = try rows.webhook(id), hook.end == nil else { return }
        hook.end = end
        try rows.update(hook)
        try noteChange(of: hook.meeting)
        guard let creator = try rows.account(hook.createdBy), creator.verified,
            let address = EmailAddress.normalized(creator.email),
            let meeting = try rows.meeting(hook.meeting)
        else { return }
        let now = transaction.now
        try transaction.mails.queue(
            OutgoingMail(
                to: address, language: creator.profile.locale ?? "en",
                .hookDisabled(url: hook.url, name: meeting.name, path: "/host#/meetings/\(hook.meeting)"),
                notBefore: now, expiresAt: now + .hours(24), owner: OutgoingMail.Owner(creator.id),
                meeting: hook.meeting))
    }

    /// Deletes the web hooks that the account has created in the meeting.
    func end(createdBy account: AccountID, in meeting: MeetingID) throws(JournalError) {
        for hook in try rows.webhooks(of: meeting) where hook.createdBy == account { try delete(hook) }
    }

    /// Deletes a web hook. If it has many deliveries, `ForgetWebhooks` deletes them with it.
    func delete(_ hook: Webhook) throws(JournalError) {
        let limit = min(transaction.mostRowsAtOnce, 500)
        if try rows.deleteDeliveries(of: hook.id, limit: limit) < limit {
            try rows.delete(hook.id)
        } else {
            var ended = hook
            ended.end = .deleted
            try rows.update(ended)
        }
        try noteChange(of: hook.meeting)
    }

    /// Stores which events the meeting's web hooks want now.
    func noteChange(of meeting: MeetingID) throws(JournalError) {
        let active = try rows.webhooks(of: meeting).filter { $0.end == nil }
        transaction.hooks.forget(meeting)
        try transaction.setHooked(active.reduce([]) { $0.union($1.events) }, of: meeting)
    }
}

extension Transaction {
    var webhooks: Webhooks { Webhooks(transaction: self) }
}

extension ReadableRows {
    /// Whether the web hook gets events: it has not ended, and its creator is a host of the meeting and not
    /// suspended. So a right that ends also ends the deliveries that wait.
    package func isActive(_ hook: Webhook) throws(JournalError) -> Bool {
        guard hook.end == nil, let role = try role(of: hook.createdBy, in: hook.meeting), role.isHost,
            let creator = try account(hook.createdBy)
        else { return false }
        return creator.suspendedAt == nil
    }

    /// Returns the records for a request; nil if nobody wants the delivery any more, because the web hook,
    /// its creator's right, the session or the event is gone.
    package func delivery(
        of mail: OutgoingMail, _ message: WebhookMessage
    ) throws(JournalError) -> WebhookDelivery? {
        guard let id = mail.hook, let hook = try webhook(id), try isActive(hook),
            let meeting = try meeting(hook.meeting)
        else { return nil }
        var delivery = WebhookDelivery(hook: hook, message: message, meeting: meeting)
        guard let id = mail.session else { return delivery }
        guard let session = try session(id) else { return nil }
        delivery.session = session
        let isOfJournal = WebhookEvent.ofJournal.contains(message.event)
        guard isOfJournal, let sequence = message.sequence else { return delivery }
        guard let event = try events(of: id, after: sequence - 1, limit: 1).first, event.sequence == sequence
        else { return nil }
        delivery.event = event
        guard let person = event.attendeeID else { return delivery }
        delivery.attendee = try attendee(person)
        // An event names the attendee of a response only if the set's promise shows names.
        if event.kind == .responded, let name = event.data.set, let set = try questionSet(name, of: id),
            set.promise.showsNames, let response = try response(of: person, set: name)
        {
            delivery.response = (set, response)
        }
        return delivery
    }
}
