package import Journal
package import Meetings

enum SessionColumn: Int32, Columns {
    case id, meeting, round, startsAt, endsAt, lateAfterMinutes, checkInOpensMinutesBefore
    case feedbackClosesHoursAfter, plannedCount, codeKind, codeVersion, joinCode, version
    case codeAcceptedSeconds, title, namesDeletedAt, checkOut, minimumMinutes, minimumPercent

    static let table = "sessions"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        // `move` changes them.
        case .meeting, .round: .once
        default: .always
        }
    }

    func bind(_ session: Session, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(session.id)
        case .meeting: parameters.bind(session.meetingID)
        case .round: parameters.bind(session.round)
        case .startsAt: parameters.bind(session.startsAt)
        case .endsAt: parameters.bind(session.endsAt)
        case .lateAfterMinutes: parameters.bind(session.lateAfterMinutes)
        case .checkInOpensMinutesBefore: parameters.bind(session.checkInOpensMinutesBefore)
        case .feedbackClosesHoursAfter: parameters.bind(session.feedbackClosesHoursAfter)
        case .plannedCount: parameters.bind(session.plannedCount)
        case .codeKind: parameters.bind(session.codeKind.code)
        case .codeVersion: parameters.bind(session.codeVersion)
        case .joinCode: parameters.bind(session.joinCode)
        case .version: parameters.bind(session.version)
        case .codeAcceptedSeconds: parameters.bind(session.codeAcceptedSeconds)
        case .title: parameters.bind(session.title)
        case .namesDeletedAt: parameters.bind(session.namesDeletedAt)
        case .checkOut: parameters.bind(session.checkOut.code)
        case .minimumMinutes: parameters.bind(session.minimumMinutes)
        case .minimumPercent: parameters.bind(session.minimumPercent)
        }
    }
}

/// The counters of a session. They are 0 in a new row.
struct SessionCounters {
    let session: SessionID
    let sequence: Int64
    let headCount: HeadCount
}

enum CounterColumn: Int32, Columns {
    case sequence, pending, present, late, absent, excused, walkIns, leftCount
    // Written only: each statement that reads the counters also reads the session, or knows it.
    case id

    static let table = SessionColumn.table
    var writing: ColumnWriting { self == .id ? .key : .always }
    var isRead: Bool { self != .id }

    func bind(_ counters: SessionCounters, to parameters: inout Parameters) {
        switch self {
        case .sequence: parameters.bind(counters.sequence)
        case .pending: parameters.bind(counters.headCount.pending)
        case .present: parameters.bind(counters.headCount.present)
        case .late: parameters.bind(counters.headCount.late)
        case .absent: parameters.bind(counters.headCount.absent)
        case .excused: parameters.bind(counters.headCount.excused)
        case .walkIns: parameters.bind(counters.headCount.walkIns)
        case .leftCount: parameters.bind(counters.headCount.left)
        case .id: parameters.bind(counters.session)
        }
    }
}

extension Writing where Column == SessionColumn {
    fileprivate static let insertSession = insert("insert session")
    fileprivate static let updateSession = update("update session")
}

extension Writing where Column == CounterColumn {
    fileprivate static let saveCounters = update("save counters")
}

extension Query {
    /// The columns of a session `s` and its meeting `m`, in the order in which `record` reads them.
    static let sessionColumns =
        "\(SessionColumn.selected(of: "s")), \(CounterColumn.selected(of: "s")), \(meetingColumns)"
    private static let select =
        "SELECT \(sessionColumns) FROM sessions s CROSS JOIN meetings m ON m.id = s.meeting"
    private static let opening = "s.starts_at - s.check_in_opens_minutes_before * 60000"

    fileprivate static let session = Query(
        "find session",
        "\(select) WHERE s.id = ? AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = s.id)")
    fileprivate static let sessionByJoinCode = Query(
        "find session by join code",
        "\(select) WHERE s.join_code = ? AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = s.id)")
    fileprivate static let sessions = Query(
        "list sessions", "\(select) WHERE s.meeting = ? AND s.round < ? ORDER BY s.round DESC LIMIT ?")
    fileprivate static let sessionCount = Query(
        "count sessions", "SELECT count(*) FROM sessions WHERE meeting = ?")
    fileprivate static let sessionIDs = Query(
        "list session ids", "SELECT id FROM sessions WHERE meeting = ?")
    fileprivate static let headCount = Query(
        "find counts", "SELECT \(CounterColumn.selected()) FROM sessions WHERE id = ?")
    fileprivate static let size = Query(
        "measure meeting",
        """
        SELECT CAST(coalesce(sum(s.present + s.late), 0) AS bigint),
            CAST(coalesce(sum(s.sequence + 2 * (s.pending + s.present + s.late + s.absent + s.excused)), 0)
                AS bigint)
            + (SELECT count(*) FROM people WHERE meeting = ?1)
            + (SELECT count(*) FROM (SELECT 1 FROM sessions t CROSS JOIN questions q ON q.session = t.id
                WHERE t.meeting = ?1 LIMIT 1000) AS found)
        FROM sessions s WHERE s.meeting = ?1
        """)
    fileprivate static let sessionOpen = Query(
        "find session open for check-in",
        """
        SELECT \(sessionColumns) FROM sessions s INDEXED BY sessions_by_end
            CROSS JOIN meetings m ON m.id = s.meeting
        WHERE s.meeting = ?1 AND s.ends_at >= ?2 AND \(opening) <= ?2 ORDER BY s.starts_at DESC, s.id DESC
            LIMIT 1
        """)
    fileprivate static let sessionOpeningNext = Query(
        "find session opening next",
        "\(select) WHERE s.meeting = ?1 AND \(opening) > ?2 ORDER BY \(opening), s.id LIMIT 1")
    // A session is never longer than `SessionTimes.mostDays`, so rounds that are planned far ahead are not
    // read.
    fileprivate static let recordingLeaving = Query(
        "list sessions recording leaving",
        """
        SELECT s.id FROM sessions s INDEXED BY sessions_by_end
        WHERE s.meeting = ?1 AND s.ends_at >= ?3 AND s.check_out <> 0 AND s.id <> ?2
            AND s.ends_at <= ?3 + \((SessionTimes.mostDays + 1) * 86_400_000) AND \(opening) <= ?3
        ORDER BY s.ends_at, s.id LIMIT ?4
        """)
    // The condition must repeat the condition of the partial index literally.
    fileprivate static let rotating = Query(
        "list sessions with rotating codes",
        """
        SELECT \(sessionColumns) FROM sessions s INDEXED BY sessions_rotating
            CROSS JOIN meetings m ON m.id = s.meeting
        WHERE s.code_kind = 1 AND s.ends_at >= ?1 AND \(opening) <= ?3
            AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = s.id) ORDER BY s.ends_at, s.id LIMIT ?2
        """)
    fileprivate static let overlapping = Query(
        "list overlapping sessions",
        """
        SELECT \(sessionColumns) FROM members b
            CROSS JOIN sessions s INDEXED BY sessions_by_end ON s.meeting = b.meeting
        CROSS JOIN meetings m ON m.id = s.meeting
        WHERE b.account = ?1 AND b.role = \(Role.owner.code) AND s.ends_at > ?2 AND s.starts_at < ?3
            AND s.id IS DISTINCT FROM ?4
        ORDER BY s.starts_at, s.id LIMIT ?5
        """)
    // A session is never longer than `SessionTimes.mostDays`, so rounds that are planned far ahead are not
    // read.
    fileprivate static let overlappingOfReader = overlappingOfMember(
        "list a member's sessions of a day", isReader)
    fileprivate static let overlappingOfSteward = overlappingOfMember(
        "list the doors of an account", "b.role <> \(Role.viewer.code)")

    private static func overlappingOfMember(_ name: String, _ condition: String) -> Query {
        Query(
            name,
            """
            SELECT \(sessionColumns) FROM members b
                CROSS JOIN sessions s INDEXED BY sessions_by_end ON s.meeting = b.meeting
            CROSS JOIN meetings m ON m.id = s.meeting
            WHERE b.account = ?1 AND \(condition) AND s.ends_at > ?2
                AND s.ends_at < ?3 + \(SessionTimes.mostDays * 86_400_000) AND s.starts_at < ?3
                AND (?4 IS NULL OR (s.starts_at, s.id) > (?4, ?5))
            ORDER BY s.starts_at, s.id LIMIT ?6
            """)
    }
    fileprivate static let running = Query(
        "find running session",
        """
        SELECT \(sessionColumns) FROM members b
            CROSS JOIN sessions s INDEXED BY sessions_by_end ON s.meeting = b.meeting
        CROSS JOIN meetings m ON m.id = s.meeting
        WHERE b.account = ?1 AND \(isReader) AND s.ends_at >= ?2 AND s.starts_at <= ?2
        ORDER BY s.starts_at DESC, s.id DESC
            LIMIT 1
        """)
    fileprivate static let starting = Query(
        "find next session",
        """
        SELECT \(sessionColumns) FROM members b CROSS JOIN sessions s ON s.id =
            (SELECT n.id FROM sessions n WHERE n.meeting = b.meeting AND n.starts_at > ?2
                ORDER BY n.starts_at, n.id LIMIT 1)
        CROSS JOIN meetings m ON m.id = s.meeting
        WHERE b.account = ?1 AND \(isReader) ORDER BY s.starts_at, s.id LIMIT 1
        """)

    fileprivate static let deleteMails = Query(
        "delete a session's mails", "DELETE FROM mails WHERE session = ?")
    fileprivate static let deleteSession = Query(
        "delete session", "DELETE FROM sessions WHERE id = ? RETURNING meeting")
}

extension SQLRows {
    package func session(_ id: SessionID) throws(JournalError) -> SessionRecord? {
        if let found = try connection.first(.session, id, read: record) { return found }
        // While the engine looks ahead, every query returns nothing yet. The query for the feedback set is
        // sent too; otherwise the transaction would cache the session without its feedback set.
        _ = try feedbackSummary(of: id)
        return nil
    }

    package func session(joinCode: String) throws(JournalError) -> SessionRecord? {
        try connection.first(.sessionByJoinCode, joinCode, read: record)
    }

    package func latestSession(of meeting: MeetingID) throws(JournalError) -> SessionRecord? {
        try connection.first(.sessions, meeting, Int.max, 1, read: record)
    }

    package func sessions(of meeting: MeetingID, before round: Int?, limit: Int) throws(JournalError)
        -> [SessionRecord]
    {
        // While a job settles its sessions, some of them already have their new counts.
        noteRead(of: meeting)
        return try connection.all(.sessions, meeting, round ?? .max, limit, read: record)
    }

    package func sessionCount(of meeting: MeetingID) throws(JournalError) -> Int {
        try connection.first(.sessionCount, meeting) { $0.int(0) } ?? 0
    }

    package func sessionIDs(of meeting: MeetingID) throws(JournalError) -> [SessionID] {
        try connection.all(.sessionIDs, meeting) { row throws(JournalError) in try row.id(0) }
    }

    package func headCount(of session: SessionID) throws(JournalError) -> HeadCount? {
        try connection.first(.headCount, session) {
            headCount($0, from: CounterColumn.pending.rawValue)
        }
    }

    package func size(of meeting: MeetingID) throws(JournalError) -> MeetingSize {
        try connection.first(.size, meeting) { MeetingSize(checkIns: $0.int(0), rows: $0.int(1)) }
            ?? MeetingSize(checkIns: 0, rows: 0)
    }

    package func sessionOpenForCheckIn(of meeting: MeetingID, at now: Instant) throws(JournalError)
        -> SessionRecord?
    {
        try connection.first(.sessionOpen, meeting, now, read: record)
    }

    package func sessionOpeningNext(of meeting: MeetingID, after now: Instant) throws(JournalError)
        -> SessionRecord?
    {
        try connection.first(.sessionOpeningNext, meeting, now, read: record)
    }

    package func sessionsRecordingLeaving(
        of meeting: MeetingID, except session: SessionID, openAt now: Instant, limit: Int
    ) throws(JournalError) -> [SessionID] {
        try connection.all(.recordingLeaving, meeting, session, now, limit) { row throws(JournalError) in
            try row.id(0)
        }
    }

    package func sessionsWithRotatingCodes(openAt now: Instant, orBefore soon: Instant, limit: Int)
        throws(JournalError) -> [SessionRecord]
    {
        try connection.all(.rotating, now, limit, soon, read: record)
    }

    package func sessionsOverlapping(
        _ startsAt: Instant, _ endsAt: Instant, ownedBy account: AccountID, except: SessionID?, limit: Int
    ) throws(JournalError) -> [SessionRecord] {
        try connection.all(.overlapping, account, startsAt, endsAt, except, limit, read: record)
    }

    package func sessions(
        of account: AccountID, atDoor: Bool, overlapping range: Range<Instant>,
        after last: (Instant, SessionID)?, limit: Int
    ) throws(JournalError) -> [SessionRecord] {
        try connection.all(
            atDoor ? .overlappingOfSteward : .overlappingOfReader, account, range.lowerBound,
            range.upperBound, last?.0, last?.1, limit,
            read: record)
    }

    package func nearestSession(of account: AccountID, at now: Instant) throws(JournalError) -> SessionRecord?
    {
        if let running = try connection.first(.running, account, now, read: record) { return running }
        return try connection.first(.starting, account, now, read: record)
    }

    package func insert(_ session: Session) throws(JournalError) {
        try connection.run(.insertSession, session)
        try noteLatestSession(of: session.meetingID)
    }

    package func update(_ session: Session) throws(JournalError) {
        try connection.run(.updateSession, session)
        try noteLatestSession(of: session.meetingID)
    }

    package func delete(_ session: SessionID) throws(JournalError) {
        try connection.run(.deleteMails, session)
        // SQLite returns the rows of RETURNING after it has made all changes (lang_returning.html).
        let meeting: [MeetingID] = try connection.all(.deleteSession, session) { row throws(JournalError) in
            try row.id(0)
        }
        for meeting in meeting { try noteLatestSession(of: meeting) }
        try noteErasure()
    }

    package func saveCounters(of session: SessionID, sequence: Int64, headCount: HeadCount)
        throws(JournalError)
    {
        try connection.runLater(
            .saveCounters,
            SessionCounters(session: session, sequence: sequence, headCount: headCount))
    }

    static func session(_ row: Row) throws(JournalError) -> Session {
        let cells = Cells<SessionColumn>(row)
        var session = Session(
            id: try cells.id(.id), meetingID: try cells.id(.meeting), round: cells.int(.round),
            title: cells.text(.title), startsAt: cells.instant(.startsAt), endsAt: cells.instant(.endsAt),
            lateAfterMinutes: cells.int(.lateAfterMinutes),
            checkInOpensMinutesBefore: cells.int(.checkInOpensMinutesBefore),
            feedbackClosesHoursAfter: cells.int(.feedbackClosesHoursAfter),
            plannedCount: cells.int(.plannedCount), codeKind: try cells.code(.codeKind),
            codeVersion: cells.int(.codeVersion), codeAcceptedSeconds: cells.int(.codeAcceptedSeconds),
            joinCode: cells.text(.joinCode), version: cells.int(.version))
        session.namesDeletedAt = cells.instantIfAny(.namesDeletedAt)
        session.checkOut = try cells.code(.checkOut)
        session.minimumMinutes = cells.int(.minimumMinutes)
        session.minimumPercent = cells.int(.minimumPercent)
        return session
    }

    func record(_ row: Row) throws(JournalError) -> SessionRecord {
        let session = try Self.session(row)
        let counters = Cells<CounterColumn>(row, from: SessionColumn.selectedCount)
        return SessionRecord(
            session: session,
            meeting: try meeting(row, from: SessionColumn.selectedCount + CounterColumn.selectedCount),
            headCount: headCount(row, from: counters.place(of: .pending)),
            sequence: counters.int64(.sequence), feedback: try feedbackSummary(of: session.id))
    }

    func headCount(_ row: Row, from column: Int32) -> HeadCount {
        var count = HeadCount()
        count.pending = row.int(column)
        count.present = row.int(column + 1)
        count.late = row.int(column + 2)
        count.absent = row.int(column + 3)
        count.excused = row.int(column + 4)
        count.walkIns = row.int(column + 5)
        count.left = row.int(column + 6)
        return count
    }
}

extension Query {
    private static let rounds = "SELECT \(sessionColumns) FROM sessions s"
    private static let ofMeeting = "CROSS JOIN meetings m ON m.id = s.meeting"

    // Usually few sessions have not ended, so the query finds them by their end and sorts them.
    fileprivate static let notOver = Query(
        "list ids of sessions not over",
        "SELECT s.id FROM sessions s INDEXED BY sessions_by_end WHERE s.meeting = ?1 AND s.ends_at >= ?2 "
            + "ORDER BY s.round"
    )
    fileprivate static let runningRound = Query(
        "find a meeting's running session",
        """
        \(rounds) INDEXED BY sessions_by_end \(ofMeeting)
            WHERE s.meeting = ?1 AND s.ends_at >= ?2 AND s.starts_at <= ?2
        ORDER BY s.starts_at DESC, s.id DESC LIMIT 1
        """)
    fileprivate static let startingRound = Query(
        "find a meeting's next session",
        """
        \(rounds) INDEXED BY sessions_by_start \(ofMeeting) WHERE s.meeting = ?1 AND s.starts_at > ?2
            ORDER BY s.starts_at, s.id LIMIT 1
        """)
    fileprivate static let round = Query(
        "find round", "\(rounds) \(ofMeeting) WHERE s.meeting = ? AND s.round = ?")
    fileprivate static let sessionTitles = Query(
        "list titles",
        "SELECT round, title FROM sessions WHERE meeting = ? AND title <> '' ORDER BY round DESC")
    fileprivate static let roundsStarting = Query(
        "list rounds by start",
        """
        \(rounds) INDEXED BY sessions_by_start_and_round \(ofMeeting)
        WHERE s.meeting = ?1 AND s.starts_at >= ?2 AND s.starts_at < ?3 AND (s.starts_at, s.round) < (?4, ?5)
        ORDER BY s.starts_at DESC, s.round DESC LIMIT ?6
        """)
}

extension SQLRows {
    package func idsOfSessionsNotOver(of meeting: MeetingID, at now: Instant) throws(JournalError)
        -> [SessionID]
    {
        try connection.all(.notOver, meeting, now) { row throws(JournalError) in try row.id(0) }
    }

    package func nearestSession(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord?
    {
        if let running = try connection.first(.runningRound, meeting, now, read: record) { return running }
        return try connection.first(.startingRound, meeting, now, read: record)
    }

    package func session(of meeting: MeetingID, round: Int) throws(JournalError) -> SessionRecord? {
        try connection.first(.round, meeting, round, read: record)
    }

    package func sessionTitles(of meeting: MeetingID) throws(JournalError) -> [(round: Int, title: String)] {
        noteRead(of: meeting)
        return try connection.all(.sessionTitles, meeting) { ($0.int(0), $0.text(1)) }
    }

    package func sessions(
        of meeting: MeetingID, starting range: Range<Instant>, before cursor: RoundCursor?, limit: Int
    ) throws(JournalError) -> [SessionRecord] {
        let cursor = cursor ?? RoundCursor(startsAt: range.upperBound, round: 0)
        noteRead(of: meeting)
        return try connection.all(
            .roundsStarting, meeting, range.lowerBound, range.upperBound, cursor.startsAt, cursor.round,
            limit, read: record)
    }
}
