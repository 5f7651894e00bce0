package import Journal
package import Meetings

extension Query {
    private static let personColumns =
        """
        attendee, session, profile, nickname, keywords, promise, joins, asked, asked_at, excluded, ages
        """
    private static let requestColumns =
        """
        id, session, from_attendee, to_attendee, asked_at, state, place, from_line, to_line
        """
    private static let reportColumns =
        """
        id, session, attendee, about, profile, nickname, keywords, promise, text, at, closed
        """

    fileprivate static let settings = Query(
        "find match settings", "SELECT open, promise, places, version FROM match_settings WHERE session = ?")
    fileprivate static let person = Query(
        "find match person", "SELECT \(personColumns) FROM match_people WHERE attendee = ?")
    fileprivate static let personOfProfile = Query(
        "find profile", "SELECT \(personColumns) FROM match_people WHERE profile = ?")
    fileprivate static let people = Query(
        "list match people",
        """
        SELECT \(personColumns) FROM match_people WHERE session = ? AND profile IS NOT NULL
        ORDER BY profile
        """)
    fileprivate static let peopleCount = Query(
        "count match people",
        "SELECT count(*) FROM match_people WHERE session = ? AND profile IS NOT NULL")
    fileprivate static let request = Query(
        "find match request", "SELECT \(requestColumns) FROM match_requests WHERE id = ?")
    fileprivate static let requestsFrom = Query(
        "list requests from an attendee",
        "SELECT \(requestColumns) FROM match_requests WHERE from_attendee = ?")
    fileprivate static let requestsTo = Query(
        "list requests to an attendee", "SELECT \(requestColumns) FROM match_requests WHERE to_attendee = ?")
    fileprivate static let matches = Query(
        "list matches", "SELECT \(requestColumns) FROM match_requests WHERE session = ? AND state = 1")
    fileprivate static let blocked = Query(
        "list blocked people", "SELECT blocked FROM match_blocks WHERE attendee = ?")
    fileprivate static let blockedBy = Query(
        "list blocking people", "SELECT attendee FROM match_blocks WHERE blocked = ?")
    fileprivate static let reports = Query(
        "list match reports",
        """
        SELECT \(reportColumns) FROM match_reports WHERE session = ? ORDER BY closed, at DESC, id
        """)
    fileprivate static let used = Query(
        "list sessions with matching",
        "SELECT session FROM match_settings WHERE used = 1 AND session > ? ORDER BY session LIMIT ?")

    fileprivate static let saveSettings = Query(
        "save match settings",
        """
        INSERT INTO match_settings (session, open, promise, places, version) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (session) DO UPDATE SET open = excluded.open, promise = excluded.promise,
            places = excluded.places, version = excluded.version
        """)
    fileprivate static let savePerson = Query(
        "save match person",
        """
        INSERT INTO match_people (\(personColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (attendee) DO UPDATE SET profile = excluded.profile, nickname = excluded.nickname,
            keywords = excluded.keywords, promise = excluded.promise, joins = excluded.joins,
            asked = excluded.asked, asked_at = excluded.asked_at, excluded = excluded.excluded,
            ages = excluded.ages
        """)
    fileprivate static let noteUse = Query(
        "note the use of matching",
        """
        INSERT INTO match_settings (session, open, promise, places, used, version)
            VALUES (?, 0, 0, '[]', 1, 0)
        ON CONFLICT (session) DO UPDATE SET used = 1 WHERE match_settings.used = 0
        """)
    fileprivate static let noteNoUse = Query(
        "note the end of matching", "UPDATE match_settings SET used = 0 WHERE session = ?")
    fileprivate static let saveRequest = Query(
        "save match request",
        """
        INSERT INTO match_requests (\(requestColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET state = excluded.state, place = excluded.place,
            from_line = excluded.from_line, to_line = excluded.to_line
        """)
    fileprivate static let deleteRequest = Query(
        "delete match request", "DELETE FROM match_requests WHERE id = ?")
    fileprivate static let insertBlock = Query(
        "insert block",
        "INSERT INTO match_blocks (attendee, blocked, session) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
    fileprivate static let deleteBlocks = Query(
        "delete blocks", "DELETE FROM match_blocks WHERE attendee = ?")
    fileprivate static let saveReport = Query(
        "save match report",
        """
        INSERT INTO match_reports (\(reportColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET closed = excluded.closed
        """)
    fileprivate static let movePerson = [
        Query("move match person", "UPDATE match_people SET attendee = ?2 WHERE attendee = ?1"),
        Query(
            "move requests from", "UPDATE match_requests SET from_attendee = ?2 WHERE from_attendee = ?1"),
        Query("move requests to", "UPDATE match_requests SET to_attendee = ?2 WHERE to_attendee = ?1"),
        Query("move blocks by", "UPDATE match_blocks SET attendee = ?2 WHERE attendee = ?1"),
        Query("move blocks of", "UPDATE match_blocks SET blocked = ?2 WHERE blocked = ?1"),
        Query("move reports by", "UPDATE match_reports SET attendee = ?2 WHERE attendee = ?1"),
        Query("move reports about", "UPDATE match_reports SET about = ?2 WHERE about = ?1"),
    ]
    fileprivate static let deleteNamedReports = Query(
        "delete named match reports", "DELETE FROM match_reports WHERE about = ? AND promise = ?")
    fileprivate static let erasePerson = [
        Query("erase match person", "DELETE FROM match_people WHERE attendee = ?1"),
        Query("erase requests from", "DELETE FROM match_requests WHERE from_attendee = ?1"),
        Query("erase requests to", "DELETE FROM match_requests WHERE to_attendee = ?1"),
        Query("erase blocks by", "DELETE FROM match_blocks WHERE attendee = ?1"),
        Query("erase blocks of", "DELETE FROM match_blocks WHERE blocked = ?1"),
        Query("erase reports by", "DELETE FROM match_reports WHERE attendee = ?1"),
        Query("erase reports about", "DELETE FROM match_reports WHERE about = ?1"),
    ]
    /// The deletions of the rows of one session, at most `?2` rows each.
    static let eraseMatching = [
        Query(
            "erase match people",
            """
            DELETE FROM match_people WHERE attendee IN
                (SELECT attendee FROM match_people WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase match requests",
            """
            DELETE FROM match_requests WHERE id IN
                (SELECT id FROM match_requests WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase match blocks",
            """
            DELETE FROM match_blocks WHERE (attendee, blocked) IN
                (SELECT attendee, blocked FROM match_blocks WHERE session = ?1 LIMIT ?2)
            """),
        Query(
            "erase match reports",
            """
            DELETE FROM match_reports WHERE id IN
                (SELECT id FROM match_reports WHERE session = ?1 LIMIT ?2)
            """),
    ]
}

extension SQLRows {
    package func matchSettings(of session: SessionID) throws(JournalError) -> MatchSettings? {
        try connection.first(.settings, session) { row throws(JournalError) in
            MatchSettings(
                open: row.bool(0), promise: try row.code(1), places: try row.json(2), version: row.int(3))
        }
    }

    package func matchPerson(_ attendee: AttendeeID) throws(JournalError) -> MatchPerson? {
        try connection.first(.person, attendee, read: Self.person)
    }

    package func matchPerson(with profile: MatchProfileID) throws(JournalError) -> MatchPerson? {
        try connection.first(.personOfProfile, profile, read: Self.person)
    }

    package func matchPeople(of session: SessionID) throws(JournalError) -> [MatchPerson] {
        try connection.all(.people, session, read: Self.person)
    }

    package func matchPeopleCount(of session: SessionID) throws(JournalError) -> Int {
        try connection.first(.peopleCount, session) { $0.int(0) } ?? 0
    }

    package func matchRequest(_ id: MatchRequestID) throws(JournalError) -> MatchRequest? {
        try connection.first(.request, id, read: Self.request)
    }

    package func matchRequests(of attendee: AttendeeID) throws(JournalError) -> [MatchRequest] {
        try connection.all(.requestsFrom, attendee, read: Self.request)
            + connection.all(.requestsTo, attendee, read: Self.request)
    }

    package func matches(of session: SessionID) throws(JournalError) -> [MatchRequest] {
        try connection.all(.matches, session, read: Self.request)
    }

    package func matchBlocks(of attendee: AttendeeID) throws(JournalError) -> (
        own: Set<AttendeeID>, others: Set<AttendeeID>
    ) {
        let own: [AttendeeID] = try connection.all(.blocked, attendee) { row throws(JournalError) in
            try row.id(0)
        }
        let others: [AttendeeID] = try connection.all(.blockedBy, attendee) { row throws(JournalError) in
            try row.id(0)
        }
        return (Set(own), Set(others))
    }

    package func matchReports(of session: SessionID) throws(JournalError) -> [MatchReport] {
        try connection.all(.reports, session) { row throws(JournalError) in
            MatchReport(
                id: try row.id(0), sessionID: try row.id(1), by: try row.id(2), about: try row.id(3),
                profile: MatchPerson.Profile(
                    id: try row.id(4), nickname: row.text(5), keywords: try row.json(6),
                    promise: try row.code(7)),
                text: row.text(8), at: row.instant(9), isClosed: row.bool(10))
        }
    }

    package func sessionsWithMatching(after session: SessionID?, limit: Int) throws(JournalError)
        -> [SessionID]
    {
        // Every id is above the lowest one, so that the statement needs no second form.
        try connection.all(.used, session ?? SessionID(high: 0, low: 0), limit) { row throws(JournalError) in
            try row.id(0)
        }
    }

    package func save(_ settings: MatchSettings, of session: SessionID) throws(JournalError) {
        try connection.run(
            .saveSettings, session, settings.open, settings.promise.code, JSONText.of(settings.places),
            settings.version)
    }

    package func save(_ person: MatchPerson) throws(JournalError) {
        let profile = person.profile
        try connection.run(
            .savePerson, person.attendeeID, person.sessionID, profile?.id, profile?.nickname ?? "",
            JSONText.of(profile?.keywords ?? []), (profile?.promise ?? .hidden).code, person.joins,
            person.asked, JSONText.of(person.askedAt.map(\.milliseconds)), person.isExcluded,
            try profile?.ages.map { ages throws(JournalError) in try JSONText.of(ages) })
        try connection.run(.noteUse, person.sessionID)
    }

    package func save(_ request: MatchRequest) throws(JournalError) {
        try connection.run(
            .saveRequest, request.id, request.sessionID, request.from, request.to, request.askedAt,
            request.state.code, request.place, request.lines.from, request.lines.to)
    }

    package func delete(_ request: MatchRequestID) throws(JournalError) {
        try connection.run(.deleteRequest, request)
    }

    package func insertMatchBlock(
        by attendee: AttendeeID, of other: AttendeeID, in session: SessionID
    ) throws(JournalError) -> Bool {
        try connection.run(.insertBlock, attendee, other, session) == 1
    }

    package func moveMatching(of attendee: AttendeeID, to other: AttendeeID) throws(JournalError) {
        for query in Query.movePerson { try connection.run(query, attendee, other) }
        // The rewrite of the file removes the old link.
        try noteErasure()
    }

    package func deleteNamedMatchReports(about attendee: AttendeeID) throws(JournalError) {
        let promise = AudienceQuestion.Promise.named.code
        if try connection.run(.deleteNamedReports, attendee, promise) > 0 { try noteErasure() }
    }

    package func deleteMatchBlocks(by attendee: AttendeeID) throws(JournalError) -> Int {
        try connection.run(.deleteBlocks, attendee)
    }

    package func save(_ report: MatchReport) throws(JournalError) {
        try connection.run(
            .saveReport, report.id, report.sessionID, report.by, report.about, report.profile.id,
            report.profile.nickname, JSONText.of(report.profile.keywords), report.profile.promise.code,
            report.text, report.at, report.isClosed)
    }

    package func eraseMatching(of attendee: AttendeeID) throws(JournalError) {
        var count = 0
        for query in Query.erasePerson { count += try connection.run(query, attendee) }
        if count > 0 { try noteErasure() }
    }

    package func forgetMatching(of session: SessionID, withReports: Bool, limit: Int) throws(JournalError)
        -> Bool
    {
        var count = 0
        for query in Query.eraseMatching.dropLast() { count += try connection.run(query, session, limit) }
        if withReports, let query = Query.eraseMatching.last {
            count += try connection.run(query, session, limit)
        }
        if count > 0 { try noteErasure() }
        if count >= limit { return true }
        if try matchReports(of: session).isEmpty { try connection.run(.noteNoUse, session) }
        return false
    }

    private static func person(_ row: Row) throws(JournalError) -> MatchPerson {
        let times: [Int64] = try row.json(8)
        var profile: MatchPerson.Profile?
        if let id: MatchProfileID = row.idIfAny(2) {
            profile = MatchPerson.Profile(
                id: id, nickname: row.text(3), keywords: try row.json(4), promise: try row.code(5),
                ages: try row.jsonIfAny(10))
        }
        return MatchPerson(
            attendeeID: try row.id(0), sessionID: try row.id(1), profile: profile, joins: row.int(6),
            asked: row.int(7), askedAt: times.map { Instant(milliseconds: $0) }, isExcluded: row.bool(9))
    }

    private static func request(_ row: Row) throws(JournalError) -> MatchRequest {
        MatchRequest(
            id: try row.id(0), sessionID: try row.id(1), from: try row.id(2), to: try row.id(3),
            askedAt: row.instant(4), state: try row.code(5), place: row.text(6),
            lines: MatchRequest.Lines(from: row.text(7), to: row.text(8)))
    }
}

extension MatchRequest.State: Coded {
    package static let cases: [MatchRequest.State] = [.pending, .matched, .declined]
    package var code: Int {
        switch self {
        case .pending: 0
        case .matched: 1
        case .declined: 2
        }
    }
}
