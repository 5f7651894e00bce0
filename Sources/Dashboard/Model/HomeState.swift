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
                sessions.append(session)
            }
        }
        if let removed = frame.removed { sessions.removeAll { removed.contains($0.id) } }
    }

    enum Group: CaseIterable { case today, later, earlier }

    /// Returns the sessions in groups, today's group first. In each group, running and coming sessions come
    /// first, by their start. Ended sessions follow, newest first.
    func groups(at now: Instant) -> [(Group, [SessionBody])] {
        let sorted = shown(at: now).sorted { one, other in
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

    /// Returns the sessions of today, and one other session of each meeting: the next one, or the latest one
    /// if the meeting has no session today and none to come.
    private func shown(at now: Instant) -> [SessionBody] {
        var others: [MeetingID: SessionBody] = [:]
        var today: [SessionBody] = []
        for session in sessions {
            if Self.group(of: session, at: now) == .today {
                today.append(session)
                continue
            }
            guard let other = others[session.meetingId] else {
                others[session.meetingId] = session
                continue
            }
            let isNearer =
                other.startsAt > now
                ? session.startsAt > now && session.startsAt < other.startsAt
                : session.startsAt > other.startsAt
            if isNearer { others[session.meetingId] = session }
        }
        let meetings = Set(today.map(\.meetingId))
        return today + others.values.filter { $0.startsAt > now || !meetings.contains($0.meetingId) }
    }

    private static func group(of session: SessionBody, at now: Instant) -> Group {
        let zone = Zone.named(session.timeZone)
        if MeetingDay.containing(now).contains(session.startsAt, session.endsAt, in: zone) { return .today }
        return session.startsAt > now ? .later : .earlier
    }
}
