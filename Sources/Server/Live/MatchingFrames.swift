import Meetings
import Rooms
import Synchronization
import WebSockets
import Wire

/// Notifies phones and hosts that groups of interest have changed. Only the two people concerned may see a
/// request, so these frames go to single connections and not to a room's channel. They carry no
/// data: each phone reads with its receipt what it may see.
///
/// All changes of 40 ms become one pass over the connections. Changes of people reach everybody in the room,
/// so they are sent at most every three seconds for each session.
final class MatchingFrames: Sendable {
    fileprivate struct State {
        var pending: [SessionID: MatchingNews] = [:]
        /// When the people of a session were last announced to everybody.
        var announced: [SessionID: ContinuousClock.Instant] = [:]
        var isRunning = false
    }

    static let pause = Duration.milliseconds(40)
    static let peoplePause = Duration.seconds(3)

    private let connections: RoomConnections
    private let state = Mutex(State())

    init(_ connections: RoomConnections) { self.connections = connections }

    /// Takes the news of commits. Runs on the writer's queue, so the frames are sent by a task.
    func apply(_ commits: [SessionCommit]) {
        let mustStart = state.withLock { state -> Bool in
            for commit in commits where commit.matching != .none && commit.record != nil {
                state.pending[commit.id, default: .none].formUnion(commit.matching)
            }
            guard !state.pending.isEmpty, !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        if mustStart { Task { await self.run() } }
    }

    private func run() async {
        while true {
            let now = ContinuousClock.now
            let (due, isOver) = state.withLock { state -> ([SessionID: MatchingNews], Bool) in
                let due = state.takeDue(at: now)
                if due.isEmpty, state.pending.isEmpty { state.isRunning = false }
                return (due, !state.isRunning)
            }
            if isOver { return }
            if !due.isEmpty { send(due) }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func send(_ news: [SessionID: MatchingNews]) {
        for visitor in connections.visitors {
            for membership in visitor.memberships {
                guard case .session(let room, let view) = membership.room, let found = news[room.id],
                    let frame = Self.frame(found, for: view, membership.right)
                else { continue }
                var whole = RoomFrame(room: view.name(of: room.id), sequence: nil)
                whole.matching = frame
                visitor.connection.send(WireJSON.bytes(whole))
            }
        }
    }

    /// Returns the frame for a visitor; nil if the visitor need not know.
    private static func frame(_ news: MatchingNews, for view: View, _ right: RoomRight) -> MatchingFrame? {
        let (people, settings) = (news.people, news.settings)
        switch (view, right.holder) {
        case (.session, _):
            return people || settings || news.reports
                ? MatchingFrame(own: false, people: people, settings: settings, reports: news.reports)
                : nil
        case (.audience, .attendee), (.audience, .grantee):
            var own = false
            if case .attendee(_, let receipt) = right.holder {
                own = news.attendees.contains(receipt.attendeeID)
            }
            return own || people || settings
                ? MatchingFrame(own: own, people: people, settings: settings) : nil
        default: return nil
        }
    }
}

extension MatchingFrames.State {
    /// Removes and returns the news that may be sent now. News of people wait until the pause is over.
    fileprivate mutating func takeDue(at now: ContinuousClock.Instant) -> [SessionID: MatchingNews] {
        announced = announced.filter { now - $0.value < MatchingFrames.peoplePause }
        var due: [SessionID: MatchingNews] = [:]
        for (session, news) in pending {
            guard news.people, announced[session] != nil else {
                due[session] = news
                pending[session] = nil
                if news.people { announced[session] = now }
                continue
            }
            pending[session] = MatchingNews(people: true)
            let rest = MatchingNews(
                attendees: news.attendees, settings: news.settings, reports: news.reports)
            if rest != .none { due[session] = rest }
        }
        return due
    }
}
