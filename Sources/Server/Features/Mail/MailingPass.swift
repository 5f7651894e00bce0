import Journal
import Meetings
import Synchronization

/// Queues the mails to people of rosters that the clock or a change makes due. It runs in a task of its own,
/// so that no other work of the server's tick waits for it. Each slice is a short transaction, so that
/// check-ins pass between them.
final class MailingPass: Sendable {
    private struct State {
        /// Whether a commit has changed a session or a meeting since the last pass began.
        var isWanted = true
        /// The moment of the next pass if no commit asks for an earlier one.
        var next = Instant(milliseconds: 0)
        /// The accounts whose mails wait for the limit of a day.
        var limited: [AccountID: Limit] = [:]
    }

    private struct Limit {
        /// The moment from which on the account may have a new allowance.
        let next: Instant
        /// The meetings whose action log contains the limit.
        var meetings: Set<MeetingID> = []
    }

    /// The time between two passes without a change. A reminder is late by this time at most.
    private static let interval = Duration.seconds(10)
    /// The most sessions of one kind that make progress in a pass. The next pass continues with the others.
    private static let mostSessions = 50
    /// The most slices in a pass.
    private static let mostSlices = 200
    /// The most slices of a pass in which a meeting learns that its account is known to be at its limit.
    private static let mostNotes = 20

    private let storage: Storage
    private let log: RequestLog
    private let state = Mutex(State())
    private let work = SingleTask()

    init(_ services: Services) {
        storage = services.storage
        log = services.log
    }

    /// Makes the next tick begin a pass, if the batch may have made mails due. Runs on the writer's queue.
    func committed(_ batch: CommittedBatch) {
        guard batch.sessions.contains(where: { $0.isEdited || $0.record == nil }) else { return }
        state.withLock { $0.isWanted = true }
    }

    /// Begins a pass if one is due and none is running. The server calls it once a second.
    func tick(at now: Instant) {
        work.begin {
            state.withLock { state in
                guard state.isWanted || state.next <= now else { return false }
                (state.isWanted, state.next) = (false, now + Self.interval)
                state.limited = state.limited.filter { $0.value.next > now }
                return true
            }
        } _: {
            await self.run(at: now)
        }
    }

    /// Begins no more slices, and returns when the present one has ended.
    func drain() async { await work.drain() }

    private func run(at now: Instant) async {
        do throws(JournalError) {
            try await queue(at: now)
        } catch {
            log.noteRetry("mails to rosters could not be queued", after: error)
        }
    }

    private func queue(at now: Instant) async throws(JournalError) {
        var (slices, notes) = (Self.mostSlices, Self.mostNotes)
        for kind in Mailing.Kind.toRosters {
            var (last, progressed): (SessionToMail?, Int) = (nil, 0)
            var page: [(session: SessionToMail, payer: AccountID?)] = []
            // Sessions that wait are left out, so that they do not delay the sessions behind them.
            repeat {
                page = try await storage.read { [last] rows throws(JournalError) in
                    var page: [(SessionToMail, AccountID?)] = []
                    let found = try rows.sessionsToMail(
                        kind, in: kind.due(at: now), after: last, limit: Self.mostSessions)
                    for session in found { page.append((session, try rows.mailPayer(of: session.meeting))) }
                    return page
                }
                last = page.last?.session
                for (session, payer) in page where progressed < Self.mostSessions {
                    if let payer, let limit = state.withLock({ $0.limited[payer] }) {
                        guard notes > 0, !limit.meetings.contains(session.meeting) else { continue }
                        notes -= 1
                    }
                    var progress = MailingProgress.unfinished
                    while slices > 0, progress == .unfinished, !work.isStopped {
                        slices -= 1
                        progress = try await storage.perform(ContinueMailing(kind, of: session.id))
                    }
                    switch progress {
                    case .limited(let account): noteLimit(of: account, in: session.meeting, at: now)
                    case .busy: break
                    case .done, .unfinished: progressed += 1
                    }
                }
            } while page.count == Self.mostSessions && progressed < Self.mostSessions && slices > 0
        }
        try await drain(ContinueCancellations(), &slices) { rows throws(JournalError) in
            try !rows.cancellations(of: nil, limit: 1).isEmpty
        }
        // Seats that a job has freed go to the waiting lists here.
        var waiting: SessionID?
        repeat {
            let found = try await storage.read { [waiting] rows throws(JournalError) in
                try rows.sessionsWithWaiting(at: now, after: waiting, limit: Self.mostSessions)
            }
            waiting = found.count == Self.mostSessions ? found.last : nil
            for session in found where slices > 0 && !work.isStopped {
                slices -= 1
                _ = try await storage.perform(ContinuePromotions(in: session))
            }
        } while waiting != nil && slices > 0
        try await drain(ContinueReplyNews(), &slices) { rows throws(JournalError) in
            try !rows.repliesWithNews(at: now, limit: 1).isEmpty
        }
    }

    /// Repeats a command as long as it has work. The query comes first, so that an idle server does not
    /// commit.
    private func drain(
        _ command: some Command, _ slices: inout Int,
        while hasWork: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Bool
    ) async throws(JournalError) {
        while slices > 0, !work.isStopped, try await storage.read(hasWork) {
            slices -= 1
            _ = try await storage.perform(command)
        }
    }

    /// Makes further sessions of the account wait until the next hour. Reports the account once in this time.
    private func noteLimit(of account: AccountID, in meeting: MeetingID, at now: Instant) {
        let isNew = state.withLock { state in
            let isNew = state.limited[account] == nil
            state.limited[account, default: Limit(next: now.startOfHour + .hours(1))].meetings.insert(meeting)
            return isNew
        }
        if isNew {
            log.note(
                "mails of the account \(account) wait: it has reached its daily limit (--mails-per-account)")
        }
    }
}
