package import Journal
package import Meetings

/// The matching settings of a session.
struct MatchSettingsRow {
    let session: SessionID
    let settings: MatchSettings
}

enum MatchSettingsColumn: Int32, Columns {
    case open, promise, places, version
    // Written only.
    case session

    static let table = "match_settings"
    var writing: ColumnWriting { self == .session ? .key : .always }
    var isRead: Bool { self != .session }

    func bind(_ row: MatchSettingsRow, to parameters: inout Parameters) throws(JournalError) {
        switch self {
        case .open: parameters.bind(row.settings.open)
        case .promise: parameters.bind(row.settings.promise.code)
        case .places: parameters.bind(try JSONText.of(row.settings.places))
        case .version: parameters.bind(row.settings.version)
        case .session: parameters.bind(row.session)
        }
    }
}

enum MatchPersonColumn: Int32, Columns {
    case attendee, session, profile, nickname, keywords, promise, joins, asked, askedAt, excluded, ages

    static let table = "match_people"

    var writing: ColumnWriting {
        switch self {
        case .attendee: .key
        case .session: .once
        default: .always
        }
    }

    func bind(_ person: MatchPerson, to parameters: inout Parameters) throws(JournalError) {
        switch self {
        case .attendee: parameters.bind(person.attendeeID)
        case .session: parameters.bind(person.sessionID)
        case .profile: parameters.bind(person.profile?.id)
        case .nickname: parameters.bind(person.profile?.nickname ?? "")
        case .keywords: parameters.bind(try JSONText.of(person.profile?.keywords ?? []))
        case .promise: parameters.bind((person.profile?.promise ?? .hidden).code)
        case .joins: parameters.bind(person.joins)
        case .asked: parameters.bind(person.asked)
        case .askedAt: parameters.bind(try JSONText.of(person.askedAt.map(\.milliseconds)))
        case .excluded: parameters.bind(person.isExcluded)
        case .ages:
            let ages: String? = if let ages = person.profile?.ages { try JSONText.of(ages) } else { nil }
            parameters.bind(ages)
        }
    }
}

enum MatchRequestColumn: Int32, Columns {
    case id, session, fromAttendee, toAttendee, askedAt, state, place, fromLine, toLine

    static let table = "match_requests"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        case .session, .fromAttendee, .toAttendee, .askedAt: .once
        default: .always
        }
    }

    func bind(_ request: MatchRequest, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(request.id)
        case .session: parameters.bind(request.sessionID)
        case .fromAttendee: parameters.bind(request.from)
        case .toAttendee: parameters.bind(request.to)
        case .askedAt: parameters.bind(request.askedAt)
        case .state: parameters.bind(request.state.code)
        case .place: parameters.bind(request.place)
        case .fromLine: parameters.bind(request.lines.from)
        case .toLine: parameters.bind(request.lines.to)
        }
    }
}

enum MatchReportColumn: Int32, Columns {
    case id, session, attendee, about, profile, nickname, keywords, promise, text, at, closed

    static let table = "match_reports"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        case .session, .attendee, .about, .profile, .nickname, .keywords, .promise, .text, .at: .once
        default: .always
        }
    }

    func bind(_ report: MatchReport, to parameters: inout Parameters) throws(JournalError) {
        switch self {
        case .id: parameters.bind(report.id)
        case .session: parameters.bind(report.sessionID)
        case .attendee: parameters.bind(report.by)
        case .about: parameters.bind(report.about)
        case .profile: parameters.bind(report.profile.id)
        case .nickname: parameters.bind(report.profile.nickname)
        case .keywords: parameters.bind(try JSONText.of(report.profile.keywords))
        case .promise: parameters.bind(report.profile.promise.code)
        case .text: parameters.bind(report.text)
        case .at: parameters.bind(report.at)
        case .closed: parameters.bind(report.isClosed)
        }
    }
}

extension Writing where Column == MatchSettingsColumn {
    fileprivate static let saveSettings = save("save match settings")
}

extension Writing where Column == MatchPersonColumn {
    fileprivate static let savePerson = save("save match person")
}

extension Writing where Column == MatchRequestColumn {
    fileprivate static let saveRequest = save("save match request")
}

extension Writing where Column == MatchReportColumn {
    fileprivate static let saveReport = save("save match report")
}

extension Query {
    private static let personColumns = MatchPersonColumn.selected()
    private static let requestColumns = MatchRequestColumn.selected()
    private static let reportColumns = MatchReportColumn.selected()

    fileprivate static let settings = Query(
        "find match settings",
        "SELECT \(MatchSettingsColumn.selected()) FROM match_settings WHERE session = ?")
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

    fileprivate static let noteUse = Query(
        "note the use of matching",
        """
        INSERT INTO match_settings (session, open, promise, places, used, version)
            VALUES (?, 0, 0, '[]', 1, 0)
        ON CONFLICT (session) DO UPDATE SET used = 1 WHERE match_settings.used = 0
        """)
    fileprivate static let noteNoUse = Query(
        "note the end of matching", "UPDATE match_settings SET used = 0 WHERE session = ?")
    fileprivate static let deleteRequest = Query(
        "delete match request", "DELETE FROM match_requests WHERE id = ?")
    fileprivate static let insertBlock = Query(
        "insert block",
        "INSERT INTO match_blocks (attendee, blocked, session) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
    fileprivate static let deleteBlocks = Query(
        "delete blocks", "DELETE FROM match_blocks WHERE attendee = ?")
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
            let cells = Cells<MatchSettingsColumn>(row)
            return MatchSettings(
                open: cells.bool(.open), promise: try cells.code(.promise), places: try cells.json(.places),
                version: cells.int(.version))
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
            let cells = Cells<MatchReportColumn>(row)
            return MatchReport(
                id: try cells.id(.id), sessionID: try cells.id(.session), by: try cells.id(.attendee),
                about: try cells.id(.about),
                profile: MatchPerson.Profile(
                    id: try cells.id(.profile), nickname: cells.text(.nickname),
                    keywords: try cells.json(.keywords), promise: try cells.code(.promise)),
                text: cells.text(.text), at: cells.instant(.at), isClosed: cells.bool(.closed))
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
        try connection.run(.saveSettings, MatchSettingsRow(session: session, settings: settings))
    }

    package func save(_ person: MatchPerson) throws(JournalError) {
        try connection.run(.savePerson, person)
        try connection.run(.noteUse, person.sessionID)
    }

    package func save(_ request: MatchRequest) throws(JournalError) {
        try connection.run(.saveRequest, request)
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
        try connection.run(.saveReport, report)
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
        let cells = Cells<MatchPersonColumn>(row)
        let times: [Int64] = try cells.json(.askedAt)
        var profile: MatchPerson.Profile?
        if let id: MatchProfileID = cells.idIfAny(.profile) {
            profile = MatchPerson.Profile(
                id: id, nickname: cells.text(.nickname), keywords: try cells.json(.keywords),
                promise: try cells.code(.promise), ages: try cells.jsonIfAny(.ages))
        }
        return MatchPerson(
            attendeeID: try cells.id(.attendee), sessionID: try cells.id(.session), profile: profile,
            joins: cells.int(.joins), asked: cells.int(.asked),
            askedAt: times.map { Instant(milliseconds: $0) }, isExcluded: cells.bool(.excluded))
    }

    private static func request(_ row: Row) throws(JournalError) -> MatchRequest {
        let cells = Cells<MatchRequestColumn>(row)
        return MatchRequest(
            id: try cells.id(.id), sessionID: try cells.id(.session), from: try cells.id(.fromAttendee),
            to: try cells.id(.toAttendee), askedAt: cells.instant(.askedAt), state: try cells.code(.state),
            place: cells.text(.place),
            lines: MatchRequest.Lines(from: cells.text(.fromLine), to: cells.text(.toLine)))
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
