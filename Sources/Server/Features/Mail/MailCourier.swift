import Journal
import Meetings
import Synchronization
import Threads

/// Sends the mails of one lane of the queue. A commit that queues a mail wakes the courier, and otherwise
/// the server's tick does when the next mail is due. No request waits for it.
///
/// A mail is leased before it is sent, and its result is stored as soon as the mail server has answered. If
/// the process crashes between this answer and its commit, the mail is sent again at the next start, with the
/// same `Message-ID`. SMTP has no way to exclude that. At most `parallel` mails are in that state.
final class MailCourier: Sendable {
    private struct State {
        var isRunning = false
        /// Whether somebody woke the courier while it was running.
        var isWanted = false
        var isStopped = false
        var task: Task<Void, Never>?
        /// The earliest moment at which the tick must wake the courier.
        var next = Instant(milliseconds: 0)
        var line = MailLine()
        var hasReleased = false
        /// No run begins before, because the storage had a failure, or its clock is behind.
        var pausedUntil = Instant(milliseconds: 0)
        /// The results that could not be stored. Until they are, no further mail is sent.
        var unstored: [FinishMail] = []
    }

    /// The most mails that are sent at the same time.
    private let parallel: Int

    private let storage: Storage
    private let clock: any ServerClock
    private let log: RequestLog
    private let metrics: Metrics
    private let keys: Keys
    private let carrier: any MailCarrier
    private let outbox: Outbox
    /// The time for which the queue stores a mail that has ended (`Retention.mails`).
    private let lifetime: Duration
    /// Writing files blocks, and must not hold a thread of Swift's pool.
    private let threads: BackgroundThreads
    private let lane: OutgoingMail.Lane
    private let process: ID<MailDelivery>
    /// The time after which a courier that lets others pass begins no further turn.
    private static let longestRun = Duration.seconds(10)
    /// The most leases of one run, so that others get their turn; nil for no limit.
    private let mostTurns: Int?
    /// Runs at the end of each run.
    private let ended: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates the courier of a lane. It begins with its first tick.
    /// - Parameters:
    ///   - parallel: the most mails that are sent at the same time.
    ///   - process: the holder of the leases; the same for all couriers of a server.
    ///   - mostTurns: the most leases of one run; nil to continue until nothing is due.
    ///   - ended: runs at the end of each run, on any thread.
    init(
        _ services: Services, _ lane: OutgoingMail.Lane, by carrier: any MailCarrier, parallel: Int,
        process: ID<MailDelivery>, mostTurns: Int? = nil, ended: @escaping @Sendable () -> Void = {}
    ) {
        (self.mostTurns, self.ended) = (mostTurns, ended)
        (self.lane, self.carrier, self.parallel, self.process) = (lane, carrier, parallel, process)
        storage = services.storage
        clock = services.clock
        log = services.log
        metrics = services.metrics
        keys = services.keys
        threads = services.background
        lifetime = services.settings.retention.mails
        outbox = Outbox(folder: services.settings.outboxFolder)
    }

    /// Creates the courier of a channel whose mails go to the operator's own services.
    convenience init(_ services: Services, _ channel: OutgoingMail.Channel, process: ID<MailDelivery>) {
        // Messages to devices are due in great numbers at the start of a session.
        let parallel = channel == .device ? 32 : 4
        self.init(
            services, OutgoingMail.Lane(channel), by: services.carrier(of: channel, parallel: parallel),
            parallel: parallel, process: process)
    }

    /// Makes the courier look at the queue. Any thread may call it; it returns at once. Returns whether a
    /// new run begins.
    @discardableResult
    func wake() -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.isWanted = true
            guard !state.isRunning else { return false }
            state.isRunning = true
            state.task = Task(executorPreference: threads) { await self.run() }
            return true
        }
    }

    /// Whether a run could send something now: none is running, and the receiver takes messages.
    func mayRun(at now: Instant) -> Bool {
        state.withLock { state in
            !state.isRunning && !state.isStopped && max(state.line.closedUntil, state.pausedUntil) <= now
        }
    }

    /// Wakes the courier if a mail is due. The server calls it once a second.
    func tick(at now: Instant) {
        if state.withLock({ $0.next <= now && !$0.isRunning }) { wake() }
    }

    /// Deletes the mails that ended long ago, and the files of mails that the queue no longer has, because
    /// they are too old or their owner was erased. The server calls it once a minute.
    func forget() async throws(JournalError) {
        let moment = clock.now - lifetime
        // The query comes first, so that an idle server does not commit.
        while try await storage.read({ rows throws(JournalError) in try rows.hasMail(endedBefore: moment) }),
            try await storage.perform(ForgetMails(after: lifetime, limit: 500)) > 0
        {}
        // The server may have had no mail server earlier.
        let mails = outbox.mails()
        for begin in stride(from: 0, to: mails.count, by: 500) {
            let page = mails[begin..<min(begin + 500, mails.count)]
            let unknown = try await storage.read { rows throws(JournalError) -> [MailID] in
                var unknown: [MailID] = []
                for mail in page where try rows.mail(mail) == nil { unknown.append(mail) }
                return unknown
            }
            for mail in unknown { outbox.remove(mail) }
        }
    }

    /// Sends no further mail, waits for those that are on their way, and gives up the leases of the others.
    func drain(within limit: Duration) async {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        guard let task else { return }
        let alarm = Task { [clock] in
            await clock.pause(for: limit)
            // The mail server may have taken these mails, so they keep their leases and are sent again later.
            task.cancel()
        }
        await task.value
        alarm.cancel()
    }

    private func run() async {
        repeat {
            state.withLock { $0.isWanted = false }
            do throws(JournalError) {
                try await sendDue()
            } catch {
                // The storage reports its own failures, and the courier tries again.
                pause(for: .seconds(10))
            }
        } while state.withLock({ state in
            state.isRunning = state.isWanted && !state.isStopped
            return state.isRunning
        })
        ended()
    }

    private func pause(for duration: Duration) {
        let moment = clock.now + duration
        state.withLock { ($0.next, $0.pausedUntil) = (moment, moment) }
    }

    private func sendDue() async throws(JournalError) {
        if !state.withLock({ $0.hasReleased }) {
            // On SQLite, one process has the data folder, so other leases belong to processes that have
            // crashed. On PostgreSQL, other nodes may run; the leases of a crashed node end by themselves.
            if storage.nodeStatus == nil,
                try await !storage.read({ rows throws(JournalError) in try rows.leasedMails() }).isEmpty
            {
                try await storage.perform(ReleaseMails(.everybodyBut(process)))
            }
            state.withLock { $0.hasReleased = true }
        }
        while let result = state.withLock({ $0.unstored.last }) {
            let record = try await storage.perform(result)
            state.withLock { $0.unstored.removeAll { $0.id == result.id } }
            if let record { note(record) }
        }
        var turns = 0
        let begin = clock.elapsed
        // Others wait while this courier of a part of the queue runs.
        while mostTurns.map({ turns < $0 && clock.elapsed - begin < Self.longestRun }) ?? true {
            turns += 1
            let next = try await storage.read { rows throws(JournalError) in
                try rows.nextMailMoment(on: self.lane)
            }
            let now = clock.now
            let isDue = state.withLock { state in
                let moment = max(next ?? Instant(milliseconds: .max), state.line.closedUntil)
                state.next = moment
                return moment <= now && !state.isStopped
            }
            guard isDue else { return }
            let due = try await storage.perform(
                LeaseMails(
                    on: lane, process: process, limit: mostTurns == nil ? 4 * parallel : parallel,
                    canSign: { [keys] in CertificateSigner($0, keys: keys) != nil }))
            for record in due.expired { note(record) }
            if lane.channel == .hook { metrics.count(.dropped, due.unwanted) }
            if due.leased.isEmpty, due.expired.isEmpty, due.unwanted == 0 {
                // The writer's clock is behind this one.
                pause(for: .seconds(1))
                return
            }
            try await send(due)
        }
    }

    /// Sends leased mails, `parallel` of them at the same time. If the mail server cannot be reached, or the
    /// server stops, the other mails are released.
    private func send(_ due: LeaseMails.Outcome) async throws(JournalError) {
        var rest = due.leased[...]
        var failure: JournalError?
        await withTaskGroup(of: Result<Void, JournalError>.self) { group in
            func beginNext() {
                let mayBegin =
                    failure == nil
                    && state.withLock { state in
                        !state.isStopped && state.line.closedUntil <= clock.now
                    }
                if mayBegin, let mail = rest.popFirst() {
                    let leased = LeasedMail(mail, of: due)
                    group.addTask { await self.send(leased) }
                }
            }
            for _ in 0..<parallel { beginNext() }
            for await result in group {
                if case .failure(let error) = result { failure = error }
                beginNext()
            }
        }
        if let failure { throw failure }
        if !rest.isEmpty {
            try await storage.perform(ReleaseMails(.process(process), mails: rest.map(\.id)))
        }
    }

    /// Sends one mail and stores the result.
    private func send(_ leased: LeasedMail) async -> Result<Void, JournalError> {
        guard let attempt = await carrier.attempt(leased, at: clock.now) else { return .success(()) }
        note(attempt)
        let result = FinishMail(
            id: leased.mail.id, process: process, outcome: attempt.outcome, retryAfter: attempt.retryAfter,
            pausesHook: lane.channel == .hook && attempt.service == .down)
        do throws(JournalError) {
            // A device or a web hook that exists no more is no fault.
            if let record = try await storage.perform(result), record.kind == .hook || !attempt.isGone {
                note(record)
            }
            if attempt.isGone, let device = leased.device {
                _ = try await storage.perform(RemoveGoneDevice(device.id))
            }
            if attempt.isGone, let hook = leased.mail.hook {
                try await storage.perform(DisableGoneWebhook(hook))
            }
            return .success(())
        } catch {
            state.withLock { $0.unstored.append(result) }
            return .failure(error)
        }
    }

    /// Logs when the mail server or the service for phones becomes unreachable, and when it works again.
    private func note(_ attempt: MailAttempt) {
        let now = clock.now
        // The pause of a web hook is stored, because it holds for all servers.
        let pause = lane.channel == .hook ? nil : attempt.retryAfter
        let change = state.withLock {
            $0.line.note(attempt.service, at: now, atLeast: pause ?? .zero, chance: .random(in: 0...1))
        }
        // Hosts see in the log of their web hook what its receiver does.
        guard lane.channel != .hook else { return }
        switch (change, attempt.outcome) {
        case (.closed, .deferred(let reply)):
            log.note("\(carrier.subject) cannot be sent and wait: \(reply)")
        case (.opened, _): log.note("\(carrier.subject) are sent again")
        default: break
        }
    }

    /// Logs, once, that a mail has ended without being sent. The line has no address. Deliveries to web hooks
    /// are only counted.
    private func note(_ record: MailRecord) {
        if record.kind == .hook { return metrics.count(Metrics.DeliveryResult(record.delivery.state)) }
        switch record.delivery.state {
        case .refused:
            log.note(
                "mail \(record.id) (\(record.kind.word)) was refused with \(Self.code(in: record.delivery)): "
                    + "see qring admin mail queue")
        case .expired:
            log.note(
                "mail \(record.id) (\(record.kind.word)) was not sent in time, after "
                    + "\(record.delivery.attempts) attempts")
        case .waiting, .sent, .dropped: break
        }
    }

    /// The numbers at the beginning of a reply, such as `550 5.1.1`. The rest can contain the address.
    private static func code(in delivery: MailDelivery) -> String {
        let numbers = delivery.reply.prefix {
            $0.isASCII && ($0.isNumber || $0 == "." || $0 == " " || $0 == "-")
        }
        return numbers.isEmpty
            ? "an unknown reply" : numbers.prefix(20).trimmed
    }
}

/// Whether the mail server takes mails. If it is unreachable, or refuses this program, the queue pauses as a
/// whole, because each further mail would fail too.
struct MailLine {
    enum Change: Hashable { case closed, opened }

    /// What an attempt says about the service.
    enum Service: Hashable {
        case up, down
        /// The message failed, and others perhaps would not.
        case unsure
    }

    /// After as many failed messages in a row, the service counts as down.
    static let mostUnsure = 32

    /// The moment until which the courier begins no mail.
    private(set) var closedUntil = Instant(milliseconds: 0)
    private(set) var failures = 0
    private var unsure = 0
    private static let longestPause = Duration.minutes(1)

    /// Takes the result of an attempt. Returns the first failure after successes, and the first success after
    /// failures.
    /// - Parameters:
    ///   - pause: the least pause, which the service wants.
    ///   - chance: a random number from 0 to 1.
    mutating func note(_ service: Service, at now: Instant, atLeast pause: Duration = .zero, chance: Double)
        -> Change?
    {
        switch service {
        case .up:
            let change: Change? = failures > 0 ? .opened : nil
            (failures, unsure, closedUntil) = (0, 0, Instant(milliseconds: 0))
            return change
        case .unsure:
            unsure += 1
            guard unsure >= Self.mostUnsure else { return nil }
        case .down: break
        }
        // The other attempts that were under way fail for the same reason.
        guard now >= closedUntil else { return nil }
        failures += 1
        let usual = min(MailDelivery.pause(afterAttempt: failures, chance: chance), Self.longestPause)
        closedUntil = now + max(usual, pause)
        return failures == 1 ? .closed : nil
    }
}
