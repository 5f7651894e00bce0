import Journal
import Meetings
import Synchronization

/// Queues the push messages that the clock makes due: "your session starts" and "check-in is open". It runs
/// in a task of its own, and each slice is a short transaction, so that check-ins pass between the slices.
/// The progress is stored, so a restart repeats no message. No check-in costs more because of it.
final class AlertPass: Sendable {
    /// A session whose devices the pass has looked for.
    private struct Examined: Hashable {
        let kind: Alert.Kind
        let session: SessionToAlert
    }

    private struct State {
        var next = Instant(milliseconds: 0)
        /// The sessions without any device, so that they need neither a row nor another look.
        var withoutDevices: Set<Examined> = []
    }

    /// The time between two passes. A message is late by this time at most, if no other session is in front.
    private static let interval = Duration.seconds(5)
    private static let mostSessions = 500
    /// The most slices in a pass. The next pass continues with the others.
    private static let mostSlices = 500

    private let storage: Storage
    private let log: RequestLog
    private let state = Mutex(State())
    private let work = SingleTask()

    init(_ services: Services) {
        storage = services.storage
        log = services.log
    }

    /// Begins a pass if one is due and none is running. The server calls it once a second.
    func tick(at now: Instant) {
        work.begin {
            state.withLock { state in
                guard state.next <= now else { return false }
                state.next = now + Self.interval
                state.withoutDevices = state.withoutDevices.filter {
                    $0.kind.due(at: now).contains($0.session.moment)
                }
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
            var slices = Self.mostSlices
            for kind in Alert.Kind.ofDevices { try await queue(kind, at: now, &slices) }
        } catch {
            log.noteRetry("messages to devices could not be queued", after: error)
        }
    }

    private func queue(_ kind: Alert.Kind, at now: Instant, _ slices: inout Int) async throws(JournalError) {
        var page: [SessionToAlert] = []
        repeat {
            let last = page.last
            page = try await storage.read { rows throws(JournalError) in
                try rows.sessionsToAlert(kind, in: kind.due(at: now), after: last, limit: Self.mostSessions)
            }
            for session in page {
                let examined = Examined(kind: kind, session: session)
                if state.withLock({ $0.withoutDevices.contains(examined) }) { continue }
                try await queue(kind, of: session, &slices)
                guard slices > 0, !work.isStopped else { return }
            }
        } while page.count == Self.mostSessions
    }

    private func queue(_ kind: Alert.Kind, of session: SessionToAlert, _ slices: inout Int)
        async throws(JournalError)
    {
        var after = try await storage.read { rows throws(JournalError) -> ID<Alert>? in
            let alert = try rows.alert(kind, of: session.id)
            return alert?.moment == session.moment ? alert?.last : nil
        }
        while slices > 0, !work.isStopped {
            let last = after
            let next = try await storage.scan { rows throws(JournalError) in
                try rows.next(kind, of: session.id, after: last)
            }
            if next.isEmpty, last == nil {
                state.withLock { _ = $0.withoutDevices.insert(Examined(kind: kind, session: session)) }
                return
            }
            slices -= 1
            let slice = ContinueAlert(
                kind, of: session, after: last, next: next, hasMore: next.count == Alert.Kind.slice)
            guard try await storage.perform(slice) == .unfinished else { return }
            after = next.last
        }
    }
}
