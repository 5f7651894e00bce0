import Journal
import Meetings
import Synchronization

/// Decides when the server rewrites its database file. Each closed anonymous set and each
/// erasure needs a rewrite, and one rewrite serves all of them. A rewrite begins at most once in ten minutes,
/// because it reads and writes the whole file. If there was no rewrite in the last ten minutes, the next one
/// begins at once.
struct RewriteSchedule {
    static let interval = Duration.minutes(10)

    private(set) var isRunning = false
    private var beganAt: Instant?

    /// Returns whether a rewrite may begin at `now`. If the clock was set back, a rewrite may begin at once.
    func mayBegin(at now: Instant) -> Bool {
        guard !isRunning else { return false }
        guard let beganAt, now >= beganAt else { return true }
        return now.since(beganAt) >= Self.interval
    }

    mutating func begin(at now: Instant) { (isRunning, beganAt) = (true, now) }

    mutating func end() { isRunning = false }
}

/// Publishes the rest of closed anonymous sets, and rewrites the database file when `RewriteSchedule`
/// allows it. A rewrite runs in its own task, so that it does not delay the server's ticks.
final class FileRewrites: Sendable {
    private struct ClosedSet: Hashable {
        let session: SessionID
        let set: String
    }

    private struct State {
        var schedule = RewriteSchedule()
        /// The closed sets that are published and wait for the next rewrite.
        var waiting: Set<ClosedSet> = []
        var task: Task<Void, Never>?
        var lacksRoom = false
    }

    /// The most sets that one rewrite seals.
    private static let mostSets = 1000

    private let storage: Storage
    private let metrics: Metrics
    private let log: RequestLog
    private let state = Mutex(State())

    init(_ storage: Storage, _ metrics: Metrics, _ log: RequestLog) {
        (self.storage, self.metrics, self.log) = (storage, metrics, log)
    }

    var isRunning: Bool { state.withLock { $0.schedule.isRunning } }

    /// Publishes the held-back answers of sets that have closed since the last tick, and begins a rewrite
    /// if one is needed and allowed. The server calls it once a second.
    func tick(at now: Instant) async {
        do {
            let due = try await publishClosedSets(at: now)
            guard state.withLock({ $0.schedule.mayBegin(at: now) }) else { return }
            let isNeeded = if due.isEmpty { try await storage.awaitsShuffle() } else { true }
            if isNeeded { begin(due, at: now) }
        } catch {
            log.noteRetry("feedback that has closed could not be published", after: error)
        }
    }

    /// Returns the closed sets that are not sealed, after publishing those that are new.
    private func publishClosedSets(at now: Instant) async throws -> [ClosedSet] {
        let due = try await storage.read { rows throws(JournalError) in
            try rows.setsToSeal(at: now, limit: Self.mostSets)
        }.map { ClosedSet(session: $0.session, set: $0.set) }
        let fresh = state.withLock { state in
            state.waiting.formIntersection(due)
            return due.filter { !state.waiting.contains($0) }
        }
        for closed in fresh {
            // The session may have been deleted meanwhile.
            do {
                _ = try await storage.perform(PublishClosedSet(session: closed.session, set: closed.set))
            } catch {
                guard case .refused = error else { throw error }
            }
            state.withLock { _ = $0.waiting.insert(closed) }
        }
        return due
    }

    private func begin(_ due: [ClosedSet], at now: Instant) {
        state.withLock { state in
            state.schedule.begin(at: now)
            state.task = Task { await self.rewrite(due) }
        }
    }

    private func rewrite(_ due: [ClosedSet]) async {
        do throws(JournalError) {
            let sealed = try await storage.seal(due.map { ($0.session, $0.set) })
            // If no set was waiting, an erasure needed the rewrite.
            if due.isEmpty { try await storage.rewriteFile() }
            metrics.countRewrite()
            setLacksRoom(nil)
            for closed in sealed {
                log.note("feedback of session \(closed.session) has closed: its rows are shuffled")
            }
        } catch {
            report(error)
        }
        state.withLock { state in
            state.schedule.end()
            state.waiting.subtract(due)
        }
    }

    private func report(_ error: JournalError) {
        guard case .failed(let failure) = error else { return }
        switch failure.reason {
        case .closed: break
        case .full: setLacksRoom(failure.detail)
        default: log.noteRetry("the database file could not be rewritten", after: error)
        }
    }

    /// Records whether the disk has too little room for a second copy of the file. Logs each change once.
    /// - Parameter reason: the missing space; nil if there is room.
    private func setLacksRoom(_ reason: String?) {
        let isNew = state.withLock { state in
            defer { state.lacksRoom = reason != nil }
            return state.lacksRoom != (reason != nil)
        }
        metrics.setRewriteLacksRoom(reason != nil)
        guard isNew else { return }
        if let reason {
            log.note(
                "the disk has no room to rewrite the database file: \(reason). Until there is room, the file "
                    + "can show the order of anonymous answers and remains of erased data. Free some "
                    + "space; the server tries again every ten minutes")
        } else {
            log.note("the disk has room again: the database file is rewritten")
        }
    }

    /// Waits until no rewrite runs. When the storage closes, it ends a running rewrite early.
    func finish() async { await state.withLock { $0.task }?.value }
}
