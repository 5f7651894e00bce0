package import Journal
package import Meetings

enum ReplySettingsColumn: Int32, Columns {
    case session, mode, capacity, mostGuests, code, version, nextPlace
    case invited, no, maybe, accepted, waiting, requested, declined, seats

    static let table = "reply_settings"
    var writing: ColumnWriting { self == .session ? .key : .always }

    func bind(_ settings: ReplySettings, to parameters: inout Parameters) {
        let counts = settings.counts
        switch self {
        case .session: parameters.bind(settings.session)
        case .mode: parameters.bind(settings.mode.code)
        case .capacity: parameters.bind(settings.capacity)
        case .mostGuests: parameters.bind(settings.mostGuests)
        case .code: parameters.bind(settings.code)
        case .version: parameters.bind(settings.version)
        case .nextPlace: parameters.bind(settings.nextPlace)
        case .invited: parameters.bind(counts.invited)
        case .no: parameters.bind(counts.no)
        case .maybe: parameters.bind(counts.maybe)
        case .accepted: parameters.bind(counts.accepted)
        case .waiting: parameters.bind(counts.waiting)
        case .requested: parameters.bind(counts.requested)
        case .declined: parameters.bind(counts.declined)
        case .seats: parameters.bind(counts.seats)
        }
    }
}

enum ReplyColumn: Int32, Columns {
    case id, session, name, identity, status, guests, place, attendee, madeAttendee, proved, changes, language
    case createdAt, changedAt, invitedAt, news, newsFrom
    // Written only.
    case key

    static let table = "replies"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        case .session, .identity, .language, .createdAt, .key: .once
        default: .always
        }
    }
    var isRead: Bool { self != .key }

    func bind(_ reply: Reply, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(reply.id)
        case .session: parameters.bind(reply.sessionID)
        case .name: parameters.bind(reply.name)
        case .identity: parameters.bind(reply.identity)
        case .status: parameters.bind(reply.status.code)
        case .guests: parameters.bind(reply.guests)
        case .place: parameters.bind(reply.place)
        case .attendee: parameters.bind(reply.attendee)
        case .madeAttendee: parameters.bind(reply.madeAttendee)
        case .proved: parameters.bind(reply.isProved)
        case .changes: parameters.bind(reply.changes)
        case .language: parameters.bind(reply.language)
        case .createdAt: parameters.bind(reply.createdAt)
        case .changedAt: parameters.bind(reply.changedAt)
        case .invitedAt: parameters.bind(reply.invitedAt)
        case .news: parameters.bind(reply.news?.code)
        case .newsFrom: parameters.bind(reply.newsFrom)
        case .key: parameters.bind(reply.key?.text)
        }
    }
}

extension Reply.Status: Coded {
    package static let cases: [Reply.Status] = [
        .invited, .no, .maybe, .accepted, .waiting, .requested, .declined,
    ]
    package var code: Int {
        switch self {
        case .invited: 0
        case .no: 1
        case .maybe: 2
        case .accepted: 3
        case .waiting: 4
        case .requested: 5
        case .declined: 6
        }
    }
}

extension ReplyNews: Coded {
    package static let cases: [ReplyNews] = [.invited, .received, .promoted, .approved, .declined]
    package var code: Int {
        switch self {
        case .invited: 0
        case .received: 1
        case .promoted: 2
        case .approved: 3
        case .declined: 4
        }
    }
}

extension ReplySettings.Mode: Coded {
    package static let cases: [ReplySettings.Mode] = [.off, .open, .approval]
    package var code: Int {
        switch self {
        case .off: 0
        case .open: 1
        case .approval: 2
        }
    }
}

extension Writing where Column == ReplySettingsColumn {
    fileprivate static let saveReplySettings = save("save reply settings")
}

extension Writing where Column == ReplyColumn {
    fileprivate static let insertReply = insert("insert reply")
    fileprivate static let updateReply = update("update reply")
}

extension Query {
    private static let columns = ReplyColumn.selected()
    private static let settingsColumns = ReplySettingsColumn.selected()
    fileprivate static let settingsOfReplies = Query(
        "find reply settings", "SELECT \(settingsColumns) FROM reply_settings WHERE session = ?")
    fileprivate static let settingsByCode = Query(
        "find reply settings by code", "SELECT \(settingsColumns) FROM reply_settings WHERE code = ?")
    fileprivate static let sessionsWithWaiting = Query(
        "find waiting lists",
        """
        SELECT t.session FROM reply_settings t JOIN sessions s ON s.id = t.session
        WHERE t.waiting > 0 AND t.session > ?1 AND s.ends_at >= ?2
            AND (t.capacity IS NULL OR t.capacity > t.seats + (
                SELECT r.guests FROM replies r
                WHERE r.session = t.session AND r.status = \(Reply.Status.waiting.code)
                ORDER BY r.place, r.id LIMIT 1))
        ORDER BY t.session LIMIT ?3
        """)
    fileprivate static let reply = Query("find reply", "SELECT \(columns) FROM replies WHERE id = ?")
    fileprivate static let replyOfKey = Query(
        "find reply by key", "SELECT \(columns) FROM replies WHERE session = ? AND key = ?")
    fileprivate static let repliesOfAttendee = Query(
        "list replies of attendee", "SELECT \(columns) FROM replies WHERE attendee = ?")
    fileprivate static let repliesOfKey = Query(
        "list replies by key", "SELECT \(columns) FROM replies WHERE key = ?1 LIMIT ?2")
    fileprivate static let firstWaiting = Query(
        "find first waiting",
        """
        SELECT \(columns) FROM replies WHERE session = ?1 AND status = \(Reply.Status.waiting.code)
        ORDER BY place, id LIMIT 1
        """)
    fileprivate static let replies = Query(
        "list replies",
        """
        SELECT \(columns) FROM replies WHERE session = ?1 AND (status, place, id) > (?2, ?3, ?4)
        ORDER BY status, place, id LIMIT ?5
        """)
    fileprivate static let repliesOfStatus = Query(
        "list replies of status",
        """
        SELECT \(columns) FROM replies WHERE session = ?1 AND status = ?2 AND (place, id) > (?3, ?4)
        ORDER BY place, id LIMIT ?5
        """)
    fileprivate static let repliesWithNews = Query(
        "find replies with news",
        """
        SELECT \(columns) FROM replies WHERE news IS NOT NULL AND news_from <= ?1
        ORDER BY news_from, id LIMIT ?2
        """)
    // The statuses 1 (present) and 2 (late) count as checked in. An odd number of moves means outside.
    fileprivate static let guestsInside = Query(
        "count guests inside",
        """
        SELECT CAST(coalesce(sum(r.guests), 0) AS bigint) FROM replies r JOIN attendees a ON a.id = r.attendee
        WHERE r.session = ?1 AND r.status = \(Reply.Status.accepted.code) AND r.guests > 0
            AND a.status IN (1, 2) AND NOT coalesce(length(a.stays) % 16 = 8, false)
        """)
    fileprivate static let deleteReply = Query("delete reply", "DELETE FROM replies WHERE id = ?")
    /// The deletion of at most `?2` replies of a session, for erasures of meetings.
    static let eraseReplies = Query(
        "erase replies",
        "DELETE FROM replies WHERE id IN (SELECT id FROM replies WHERE session = ?1 LIMIT ?2)")
}

extension SQLRows {
    package func replySettings(of session: SessionID) throws(JournalError) -> ReplySettings? {
        try connection.first(.settingsOfReplies, session) { row throws(JournalError) in
            try row.replySettings()
        }
    }

    package func replySettings(code: String) throws(JournalError) -> ReplySettings? {
        try connection.first(.settingsByCode, code) { row throws(JournalError) in try row.replySettings() }
    }

    package func sessionsWithWaiting(at now: Instant, after session: SessionID?, limit: Int)
        throws(JournalError) -> [SessionID]
    {
        try connection.all(.sessionsWithWaiting, session ?? SessionID(high: 0, low: 0), now, limit) {
            row throws(JournalError) in try row.id(0)
        }
    }

    package func reply(_ id: ReplyID) throws(JournalError) -> Reply? {
        try connection.first(.reply, id) { row throws(JournalError) in try row.reply() }
    }

    package func reply(in session: SessionID, key: IdentityKey) throws(JournalError) -> Reply? {
        try connection.first(.replyOfKey, session, key.text) { row throws(JournalError) in try row.reply() }
    }

    package func replies(of attendee: AttendeeID) throws(JournalError) -> [Reply] {
        try connection.all(.repliesOfAttendee, attendee) { row throws(JournalError) in try row.reply() }
    }

    package func replies(by key: IdentityKey, limit: Int) throws(JournalError) -> [Reply] {
        try connection.all(.repliesOfKey, key.text, limit) { row throws(JournalError) in try row.reply() }
    }

    package func firstWaiting(in session: SessionID) throws(JournalError) -> Reply? {
        try connection.first(.firstWaiting, session) { row throws(JournalError) in try row.reply() }
    }

    package func replies(
        of session: SessionID, status: Reply.Status?, after cursor: ReplyCursor?, limit: Int
    ) throws(JournalError) -> [Reply] {
        let (place, id) = (cursor?.place ?? -1, cursor?.id ?? ReplyID(high: 0, low: 0))
        if let status {
            return try connection.all(.repliesOfStatus, session, status.code, place, id, limit) {
                row throws(JournalError) in try row.reply()
            }
        }
        return try connection.all(.replies, session, cursor?.status.code ?? -1, place, id, limit) {
            row throws(JournalError) in try row.reply()
        }
    }

    package func repliesWithNews(at now: Instant, limit: Int) throws(JournalError) -> [Reply] {
        try connection.all(.repliesWithNews, now, limit) { row throws(JournalError) in try row.reply() }
    }

    package func guestsInside(of session: SessionID) throws(JournalError) -> Int {
        try connection.first(.guestsInside, session) { row throws(JournalError) in row.int(0) } ?? 0
    }

    package func save(_ settings: ReplySettings) throws(JournalError) {
        try connection.run(.saveReplySettings, settings)
    }

    package func insert(_ reply: Reply) throws(JournalError) { try connection.run(.insertReply, reply) }

    package func update(_ reply: Reply) throws(JournalError) { try connection.run(.updateReply, reply) }

    package func delete(_ reply: ReplyID) throws(JournalError) { try connection.run(.deleteReply, reply) }
}

extension Row {
    fileprivate func replySettings() throws(JournalError) -> ReplySettings {
        let cells = Cells<ReplySettingsColumn>(self)
        var settings = ReplySettings(
            session: try cells.id(.session), mode: try cells.code(.mode), capacity: cells.intIfAny(.capacity),
            mostGuests: cells.int(.mostGuests), code: cells.text(.code), version: cells.int(.version))
        settings.nextPlace = cells.int64(.nextPlace)
        settings.counts.invited = cells.int(.invited)
        settings.counts.no = cells.int(.no)
        settings.counts.maybe = cells.int(.maybe)
        settings.counts.accepted = cells.int(.accepted)
        settings.counts.waiting = cells.int(.waiting)
        settings.counts.requested = cells.int(.requested)
        settings.counts.declined = cells.int(.declined)
        settings.counts.seats = cells.int(.seats)
        return settings
    }

    fileprivate func reply() throws(JournalError) -> Reply {
        let cells = Cells<ReplyColumn>(self)
        return Reply(
            id: try cells.id(.id), sessionID: try cells.id(.session), name: cells.text(.name),
            identity: cells.text(.identity), status: try cells.code(.status), guests: cells.int(.guests),
            place: cells.int64(.place), attendee: cells.idIfAny(.attendee),
            madeAttendee: cells.bool(.madeAttendee), isProved: cells.bool(.proved),
            changes: cells.int(.changes), language: cells.text(.language),
            createdAt: cells.instant(.createdAt), changedAt: cells.instant(.changedAt),
            invitedAt: cells.instantIfAny(.invitedAt), news: try cells.codeIfAny(.news),
            newsFrom: cells.instantIfAny(.newsFrom))
    }
}
