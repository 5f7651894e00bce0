import FrontDoor
import Journal
import Meetings
import Outbound
import Secrets
import Synchronization
import Wire

/// Posts the events of one web hook, by Standard Webhooks 1.0.0.
struct WebhookCarrier: MailCarrier {
    let poster: PublicPoster
    let keys: Keys
    let storage: Storage
    let subject = "web hooks"

    /// The largest body, in bytes. A larger one is sent without the answers, which the receiver can read by
    /// the API.
    static let mostBytes = 262_144

    func attempt(_ leased: LeasedMail, at now: Instant) async -> MailAttempt? {
        // The records are those of this moment. A right can have ended since the lease.
        let read: WebhookDelivery?
        do throws(JournalError) {
            read = try await storage.read { [mail = leased.mail] rows throws(JournalError) in
                guard case .hook(let message) = mail.content else { return nil }
                return try rows.delivery(of: mail, message)
            }
        } catch { return MailAttempt(outcome: .deferred(reply: "the data could not be read"), .unsure) }
        guard let delivery = read else {
            return MailAttempt(outcome: .refused(reply: "nobody wants it any more"))
        }
        let hook = delivery.hook
        let (id, seconds) = ("msg_\(leased.mail.id.text)", now.milliseconds / 1000)
        let body = Self.body(of: delivery, at: now)
        let signatures = secrets(of: hook, at: now).map { $0.signature(id: id, seconds: seconds, body: body) }
        guard !signatures.isEmpty else {
            return MailAttempt(outcome: .refused(reply: "its secret cannot be opened: rotate it"))
        }
        let answer: OutboundResponse
        do throws(TransportError) {
            answer = try await poster.post(
                hook.url,
                headers: [
                    ("Content-Type", "application/json"), ("webhook-id", id),
                    ("webhook-timestamp", "\(seconds)"),
                    ("webhook-signature", signatures.joined(separator: " ")),
                ], body: body)
        } catch {
            return Self.failure(error)
        }
        return Self.judge(answer, at: now)
    }

    /// The present secret, and the one before during a rotation.
    private func secrets(of hook: Webhook, at now: Instant) -> [WebhookSecret] {
        var sealed = [hook.secret]
        if let old = hook.previousSecret, let end = hook.previousUntil, now < end { sealed.append(old) }
        return sealed.compactMap {
            WebhookSecret(sealed: $0, for: hook.id.bytes, with: keys.webhookSecrets)
        }
    }

    static func body(of delivery: WebhookDelivery, at now: Instant) -> [UInt8] {
        func bytes(_ response: (set: QuestionSet, response: Response)?) -> [UInt8] {
            WireJSON.bytes(
                WebhookPayload(
                    delivery.message, of: delivery.meeting, session: delivery.session?.session,
                    event: delivery.event, attendee: delivery.attendee, response: response, at: now))
        }
        let whole = bytes(delivery.response)
        return whole.count <= mostBytes ? whole : bytes(nil)
    }

    /// Any answer but 2xx is a failure, a redirect too. 410 ends the web hook.
    static func judge(_ answer: OutboundResponse, at now: Instant) -> MailAttempt {
        let status = answer.status
        if (200..<300).contains(status) { return MailAttempt(outcome: .delivered) }
        if status == 410 {
            var attempt = MailAttempt(outcome: .refused(reply: "410"))
            attempt.isGone = true
            return attempt
        }
        // These mean that the receiver is busy or down. Others can be about this event alone.
        let isDown = [429, 502, 503, 504].contains(status)
        var attempt = MailAttempt(outcome: .deferred(reply: "\(status)"), isDown ? .down : .unsure)
        attempt.retryAfter = answer.retryAfter(from: now.milliseconds / 1000).map {
            min(.seconds(min($0, 1 << 32)), WebhookMessage.longestRetryAfter)
        }
        return attempt
    }

    /// The failures have fixed words, because a detail could describe the server's own network.
    private static func failure(_ error: TransportError) -> MailAttempt? {
        let reply =
            switch error {
            case .cancelled: ""
            case .timedOut: "no answer in time"
            case .addressRefused: "the address is not allowed"
            case .responseTooLarge: "the answer was too large"
            case .unreachable, .mailNotTaken: "no connection"
            }
        return reply.isEmpty ? nil : MailAttempt(outcome: .deferred(reply: reply), .down)
    }
}

/// The couriers of web hooks: one for each web hook with due deliveries. A web hook whose receiver is slow or
/// down holds only its own courier, and one account only a part of all.
final class WebhookCouriers: Sendable {
    private struct Entry {
        let courier: MailCourier
        let payer: AccountID
        var isRunning = false
    }

    private struct State {
        var entries: [WebhookID: Entry] = [:]
        /// The web hook that began last, so that the next pass begins behind it.
        var last: WebhookID?
        var isWanted = false

        var running: [Entry] { entries.values.filter(\.isRunning) }
    }

    /// The most web hooks that get requests at the same time.
    private static let mostRunning = 16
    /// The most of them in the meetings of one owner.
    private static let mostOfAccount = 4
    /// The most requests to one web hook at the same time.
    private static let parallel = 4
    /// The leases after which a web hook lets others pass.
    private static let mostTurns = 4
    private static let page = 100

    private let services: Services
    private let process: ID<MailDelivery>
    private let carrier: WebhookCarrier
    private let state = Mutex(State())
    private let work = SingleTask()

    init(_ services: Services, process: ID<MailDelivery>) {
        (self.services, self.process) = (services, process)
        let ranges = services.settings.webhooksToPrivate
        carrier = WebhookCarrier(
            poster: PublicPoster(
                parallel: Self.mostRunning * Self.parallel, userAgent: "QRing",
                environment: services.settings.mail.environment,
                alsoTo: { NumericAddress(bytes: $0).map { ranges.contains($0) } ?? false }),
            keys: services.keys, storage: services.storage)
    }

    /// Begins requests that are due, unless the operator has switched web hooks off. Any thread may call it;
    /// it returns at once.
    func wake() {
        guard services.settings.limits.webhooks == .on else { return }
        state.withLock { $0.isWanted = true }
        begin()
    }

    /// The server calls it once a second.
    func tick(at now: Instant) { wake() }

    private func begin() {
        work.begin {
            state.withLock { $0.isWanted }
        } _: {
            while self.state.withLock({ state in
                defer { state.isWanted = false }
                return state.isWanted
            }), !self.work.isStopped {
                // The storage reports its own failures, and the next tick tries again.
                try? await self.pass()
            }
        }
    }

    /// Ends the passes, and lets the couriers finish their requests.
    func drain(within limit: Duration) async {
        await work.drain()
        let couriers = state.withLock { $0.entries.values.map(\.courier) }
        await withTaskGroup(of: Void.self) { group in
            for courier in couriers { group.addTask { await courier.drain(within: limit) } }
        }
    }

    private func pass() async throws(JournalError) {
        let (storage, now) = (services.storage, services.clock.now)
        let next = try await storage.read { rows throws(JournalError) in
            try rows.nextMailMoment(on: OutgoingMail.Lane(.hook))
        }
        guard let next, next <= now else { return }
        // Two rounds: from the web hook that began last to the end, then from the beginning.
        for start in [state.withLock { $0.last }, nil] {
            var after = start
            while state.withLock({ $0.running.count < Self.mostRunning }), !work.isStopped {
                let from = after
                let found = try await storage.read { rows throws(JournalError) in
                    var found: [(hook: Webhook, payer: AccountID)] = []
                    for hook in try rows.dueWebhooks(at: now, after: from, limit: Self.page) {
                        // Without an owner, nobody may use the web hook, and its deliveries are dropped.
                        found.append((hook, try rows.mailPayer(of: hook.meeting) ?? hook.createdBy))
                    }
                    return found
                }
                for (hook, payer) in found { begin(hook, paidBy: payer, at: now) }
                after = found.last?.hook.id
                if found.count < Self.page { break }
            }
            if start == nil { break }
        }
        forgetIdle(at: now)
    }

    private func begin(_ hook: Webhook, paidBy payer: AccountID, at now: Instant) {
        let courier = state.withLock { state -> MailCourier? in
            guard state.running.count < Self.mostRunning,
                state.running.count(where: { $0.payer == payer }) < Self.mostOfAccount
            else { return nil }
            let courier = state.entries[hook.id]?.courier ?? makeCourier(of: hook.id)
            guard courier.mayRun(at: now) else { return nil }
            state.entries[hook.id] = Entry(courier: courier, payer: payer, isRunning: true)
            state.last = hook.id
            return courier
        }
        if let courier, !courier.wake() { ended(hook.id) }
    }

    private func makeCourier(of hook: WebhookID) -> MailCourier {
        MailCourier(
            services, .hook(hook), by: carrier, parallel: Self.parallel, process: process,
            mostTurns: Self.mostTurns
        ) { [weak self] in
            self?.ended(hook)
            self?.wake()
        }
    }

    private func ended(_ hook: WebhookID) {
        state.withLock { $0.entries[hook]?.isRunning = false }
    }

    /// Forgets couriers that know nothing that the next one must know.
    private func forgetIdle(at now: Instant) {
        state.withLock { state in
            guard state.entries.count > 4 * Self.mostRunning else { return }
            state.entries = state.entries.filter { $1.isRunning || !$1.courier.mayRun(at: now) }
        }
    }
}

/// Queues the events of sessions' moments for web hooks: check-in opens, the session starts, it ends. Each
/// moment is one short transaction, and its progress is stored with the deliveries.
final class WebhookMoments: Sendable {
    private static let interval = Duration.seconds(2)
    /// The most moments of one kind in a pass. The next pass continues with the others.
    private static let slice = 200

    private let storage: Storage
    private let log: RequestLog
    private let next = Mutex(Instant(milliseconds: 0))
    private let work = SingleTask()

    init(_ services: Services) { (storage, log) = (services.storage, services.log) }

    /// Begins a pass if one is due and none is running. The server calls it once a second.
    func tick(at now: Instant) {
        work.begin {
            next.withLock { next in
                guard next <= now else { return false }
                next = now + Self.interval
                return true
            }
        } _: {
            do throws(JournalError) {
                try await self.queue(at: now)
            } catch {
                self.log.noteRetry("events for web hooks could not be queued", after: error)
            }
        }
    }

    /// Begins no more moments, and returns when the present one is stored.
    func drain() async { await work.drain() }

    private func queue(at now: Instant) async throws(JournalError) {
        let due = try await storage.read { rows throws(JournalError) in
            var due: [(kind: Alert.Kind, session: SessionToAlert)] = []
            guard try rows.hasWebhook() else { return due }
            for kind in Alert.Kind.ofHooks {
                due += try rows.sessionsToAlert(kind, in: kind.due(at: now), after: nil, limit: Self.slice)
                    .map { (kind, $0) }
            }
            return due
        }
        for (kind, session) in due where !work.isStopped {
            try await storage.perform(QueueSessionMoment(kind, of: session))
        }
    }
}
