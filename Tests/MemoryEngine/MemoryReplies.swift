import Journal
import Meetings

extension MemoryRows {
    func replySettings(of session: SessionID) throws(JournalError) -> ReplySettings? {
        try tables().replySettings[session]
    }

    func replySettings(code: String) throws(JournalError) -> ReplySettings? {
        try tables().replySettings.values.first { $0.code == code }
    }

    func sessionsWithWaiting(at now: Instant, after session: SessionID?, limit: Int) throws(JournalError)
        -> [SessionID]
    {
        let all = try tables()
        let found = all.replySettings.values.filter { settings in
            let first = all.replies.values.filter {
                $0.sessionID == settings.session && $0.status == .waiting
            }.min { ($0.place, $0.id) < ($1.place, $1.id) }
            return first.map { settings.fits($0.seats) } == true
                && all.sessions[settings.session].map { !$0.session.isOver(at: now) } == true
                && (session.map { $0 < settings.session } ?? true)
        }
        return Array(found.map(\.session).sorted().prefix(limit))
    }

    func reply(_ id: ReplyID) throws(JournalError) -> Reply? { try tables().replies[id] }

    func reply(in session: SessionID, key: IdentityKey) throws(JournalError) -> Reply? {
        try tables().replies.values.first { $0.sessionID == session && $0.key == key }
    }

    func replies(of attendee: AttendeeID) throws(JournalError) -> [Reply] {
        try tables().replies.values.filter { $0.attendee == attendee }
    }

    func replies(by key: IdentityKey, limit: Int) throws(JournalError) -> [Reply] {
        Array(try tables().replies.values.filter { $0.key == key }.prefix(limit))
    }

    func firstWaiting(in session: SessionID) throws(JournalError) -> Reply? {
        try replies(of: session, status: .waiting, after: nil, limit: 1).first
    }

    func replies(
        of session: SessionID, status: Reply.Status?, after cursor: ReplyCursor?, limit: Int
    ) throws(JournalError) -> [Reply] {
        func position(_ cursor: ReplyCursor) -> (Int, Int64, ReplyID) {
            (Reply.Status.allCases.firstIndex(of: cursor.status) ?? 0, cursor.place, cursor.id)
        }
        let found = try tables().replies.values.filter { reply in
            reply.sessionID == session && (status == nil || reply.status == status)
                && (cursor.map { position($0) < position(ReplyCursor(reply)) } ?? true)
        }
        return Array(found.sorted { position(ReplyCursor($0)) < position(ReplyCursor($1)) }.prefix(limit))
    }

    func repliesWithNews(at now: Instant, limit: Int) throws(JournalError) -> [Reply] {
        let found = try tables().replies.values.compactMap { reply in
            reply.news == nil ? nil : reply.newsFrom.map { (from: $0, reply: reply) }
        }
        return Array(
            found.filter { $0.from <= now }.sorted { ($0.from, $0.reply.id) < ($1.from, $1.reply.id) }
                .map(\.reply).prefix(limit))
    }

    func guestsInside(of session: SessionID) throws(JournalError) -> Int {
        let tables = try tables()
        return tables.replies.values.reduce(0) { sum, reply in
            guard reply.sessionID == session, reply.status == .accepted, let id = reply.attendee,
                let attendee = tables.attendees[id]?.attendee, attendee.status.countsAsCheckedIn,
                !attendee.isOutside
            else { return sum }
            return sum + reply.guests
        }
    }

    func save(_ settings: ReplySettings) throws(JournalError) {
        try change("save reply settings") { tables throws(JournalError) in
            guard tables.sessions[settings.session] != nil else {
                throw conflict("save reply settings", "of no session")
            }
            tables.replySettings[settings.session] = settings
        }
    }

    func insert(_ reply: Reply) throws(JournalError) {
        try change("insert reply") { tables throws(JournalError) in
            let isTaken =
                reply.key != nil
                && tables.replies.values.contains {
                    $0.sessionID == reply.sessionID && $0.key == reply.key
                }
            guard tables.replies[reply.id] == nil, !isTaken, tables.sessions[reply.sessionID] != nil,
                reply.attendee.map({ tables.attendees[$0] != nil }) ?? true
            else { throw conflict("insert reply", "not unique, or of nobody") }
            tables.replies[reply.id] = reply
        }
    }

    func update(_ reply: Reply) throws(JournalError) {
        try change("update reply") { tables throws(JournalError) in
            guard reply.attendee.map({ tables.attendees[$0] != nil }) ?? true else {
                throw conflict("update reply", "of no attendee")
            }
            guard tables.replies[reply.id] != nil else { return }
            tables.replies[reply.id] = reply
        }
    }

    func delete(_ reply: ReplyID) throws(JournalError) {
        try change("delete reply") { $0.replies[reply] = nil }
    }
}
