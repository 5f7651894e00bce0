import Journal
import Meetings

extension Query {
    private static let select = "SELECT \(sessionColumns) FROM sessions s"
    private static let ofMeeting = "CROSS JOIN meetings m ON m.id = s.meeting"

    // Few have not ended, so they are found by their end and sorted.
    fileprivate static let notOver = Query(
        "list sessions not over",
        "\(select) INDEXED BY sessions_by_end \(ofMeeting) WHERE s.meeting = ?1 AND s.ends_at >= ?2 ORDER "
            + "BY s.round"
    )
    fileprivate static let running = Query(
        "find a meeting's running session",
        """
        \(select) INDEXED BY sessions_by_end \(ofMeeting) WHERE s.meeting = ?1 AND s.ends_at >= ?2 AND s.starts_at <= ?2
        ORDER BY s.starts_at DESC, s.id DESC LIMIT 1
        """)
    fileprivate static let starting = Query(
        "find a meeting's next session",
        """
        \(select) INDEXED BY sessions_by_start \(ofMeeting) WHERE s.meeting = ?1 AND s.starts_at > ?2 ORDER BY s.starts_at, s.id LIMIT 1
        """)
    fileprivate static let round = Query(
        "find round", "\(select) \(ofMeeting) WHERE s.meeting = ? AND s.round = ?")
    fileprivate static let roundsStarting = Query(
        "list rounds by start",
        """
        \(select) INDEXED BY sessions_by_start_and_round \(ofMeeting)
        WHERE s.meeting = ?1 AND s.starts_at >= ?2 AND s.starts_at < ?3 AND (s.starts_at, s.round) < (?4, ?5)
        ORDER BY s.starts_at DESC, s.round DESC LIMIT ?6
        """)
}

extension SQLiteRows {
    func sessionsNotOver(of meeting: MeetingID, at now: Instant) throws(JournalError) -> [SessionRecord] {
        try connection.all(.notOver, meeting, now, read: record)
    }

    func nearestSession(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord? {
        if let running = try connection.first(.running, meeting, now, read: record) { return running }
        return try connection.first(.starting, meeting, now, read: record)
    }

    func session(of meeting: MeetingID, round: Int) throws(JournalError) -> SessionRecord? {
        try connection.first(.round, meeting, round, read: record)
    }

    func sessions(
        of meeting: MeetingID, starting range: Range<Instant>, before cursor: RoundCursor?, limit: Int
    ) throws(JournalError) -> [SessionRecord] {
        let cursor = cursor ?? RoundCursor(startsAt: range.upperBound, round: 0)
        return try connection.all(
            .roundsStarting, meeting, range.lowerBound, range.upperBound, cursor.startsAt, cursor.round,
            limit, read: record)
    }
}
