package import Client
package import Meetings
internal import RecordText
package import Wire

/// The host's sessions, as the room `home` publishes them.
package struct HomeState: Sendable {
    package private(set) var sessions: [SessionBody] = []
    private(set) var isKnown = false
    var connection = Connection.connecting
    var selected: SessionID?

    package init() {}

    package mutating func take(_ update: RoomUpdate, now: Instant) {
        connection.take(update, now: now)
        guard case .home(let frame) = update else { return }
        if let snapshot = frame.snapshot {
            sessions = snapshot.sessions
            isKnown = true
        }
        if let session = frame.session {
            if let index = sessions.firstIndex(where: { $0.id == session.id }) {
                sessions[index] = session
            } else {
                // The list contains only the latest session of each meeting.
                sessions.removeAll { $0.meetingId == session.meetingId && $0.startsAt < session.startsAt }
                if !sessions.contains(where: { $0.meetingId == session.meetingId }) {
                    sessions.append(session)
                }
            }
        }
        if let removed = frame.removed { sessions.removeAll { removed.contains($0.id) } }
    }

    enum Group: CaseIterable { case today, later, earlier }

    /// Returns the sessions in groups, today's group first. In each group, running and coming sessions come
    /// first, by their start. Ended sessions follow, newest first.
    func groups(at now: Instant) -> [(Group, [SessionBody])] {
        let sorted = sessions.sorted { one, other in
            let (isOver, otherIsOver) = (one.endsAt < now, other.endsAt < now)
            if isOver != otherIsOver { return otherIsOver }
            return isOver
                ? one.startsAt > other.startsAt : (one.startsAt, one.id) < (other.startsAt, other.id)
        }
        let grouped = Dictionary(grouping: sorted) { Self.group(of: $0, at: now) }
        return Group.allCases.compactMap { group in grouped[group].map { (group, $0) } }
    }

    /// Returns all sessions in the order of the screen.
    package func order(at now: Instant) -> [SessionBody] { groups(at: now).flatMap(\.1) }

    private static func group(of session: SessionBody, at now: Instant) -> Group {
        let zone = Zone.named(session.timeZone)
        let (day, today) = (WallTime(session.startsAt, in: zone).date, WallTime(now, in: zone).date)
        if day == today || session.startsAt <= now && now <= session.endsAt { return .today }
        return session.startsAt > now ? .later : .earlier
    }
}
