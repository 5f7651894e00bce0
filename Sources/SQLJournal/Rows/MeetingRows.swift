package import Journal
package import Meetings

enum MeetingColumn: Int32, Columns {
    case id, name, description, place, timeZone, identifyBy, codeVersion, createdAt, version, regulars
    case joinedRound, reminders, codesRevokedAt, language, accent, hooked, consent, consentNumber
    case absentInARow, absentInAll, absentSince
    /// Whether the rule has a mail. False without a rule.
    case absenceMail

    static let table = "meetings"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        // `setHooked` changes it, because a job can write a meeting that it has read before.
        case .createdAt, .hooked: .once
        default: .always
        }
    }

    func bind(_ meeting: Meeting, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(meeting.id)
        case .name: parameters.bind(meeting.name)
        case .description: parameters.bind(meeting.description)
        case .place: parameters.bind(meeting.venue)
        case .timeZone: parameters.bind(meeting.timeZone.name)
        case .identifyBy: parameters.bind(meeting.identifyBy.code)
        case .codeVersion: parameters.bind(meeting.codeVersion)
        case .createdAt: parameters.bind(meeting.createdAt)
        case .version: parameters.bind(meeting.version)
        case .regulars: parameters.bind(meeting.regulars.code)
        case .joinedRound: parameters.bind(meeting.joinedRound)
        case .reminders: parameters.bind(meeting.reminders.code)
        case .codesRevokedAt: parameters.bind(meeting.codesRevokedAt)
        case .language: parameters.bind(meeting.language)
        case .accent: parameters.bind(meeting.accent?.rawValue)
        case .hooked: parameters.bind(meeting.hooked.rawValue)
        case .consent: parameters.bind(meeting.consent?.text)
        case .consentNumber: parameters.bind(meeting.consent?.number)
        case .absentInARow: parameters.bind(meeting.absenceRule?.inARow)
        case .absentInAll: parameters.bind(meeting.absenceRule?.inAll)
        case .absentSince: parameters.bind(meeting.absenceRule?.since?.daysSince1970)
        case .absenceMail: parameters.bind(meeting.absenceRule?.mail ?? false)
        }
    }
}

extension Writing where Column == MeetingColumn {
    fileprivate static let insertMeeting = insert("insert meeting")
    fileprivate static let updateMeeting = update("update meeting")
}

extension Query {
    /// The columns of a meeting `m`.
    static let meetingColumns = MeetingColumn.selected(of: "m")

    fileprivate static let meeting = Query(
        "find meeting",
        """
        SELECT \(meetingColumns) FROM meetings m
        WHERE m.id = ? AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = m.id)
        """)
    fileprivate static let ownedCount = Query(
        "count owned meetings", "SELECT count(*) FROM members WHERE account = ? AND role = ?")
    fileprivate static let role = Query(
        "find role", "SELECT role FROM members WHERE account = ? AND meeting = ?")
    fileprivate static let memberships = Query(
        "list memberships", "SELECT meeting FROM members WHERE account = ? LIMIT ?")
    /// Whether the membership `b` gives the right to read the meeting (`Role.isReader`).
    static let isReader = "b.role <> \(Role.steward.code)"
    private static let isSoleOwner = """
        b.account = ?1 AND b.role = \(Role.owner.code) AND NOT EXISTS (SELECT 1 FROM members o
            WHERE o.meeting = b.meeting AND o.role = \(Role.owner.code) AND o.account <> ?1
                AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = o.account))
        """
    fileprivate static let soleCount = Query(
        "count meetings without another owner", "SELECT count(*) FROM members b WHERE \(isSoleOwner)")
    fileprivate static let soleCheckIns = Query(
        "count check-ins of meetings without another owner",
        """
        SELECT CAST(coalesce(sum(s.present + s.late), 0) AS bigint) FROM members b
            CROSS JOIN sessions s ON s.meeting = b.meeting
        WHERE \(isSoleOwner)
        """)
    fileprivate static let members = Query(
        "list members", "SELECT account, role FROM members WHERE meeting = ? ORDER BY role, account")
    // Few meetings are in the future, so the query finds them by their end and sorts them. Ended meetings are
    // read in the order of the index.
    fileprivate static let meetingsToCome = Query(
        "list meetings to come",
        """
        SELECT \(sessionColumns) FROM members b INDEXED BY members_by_end
        CROSS JOIN sessions s ON s.id = b.latest CROSS JOIN meetings m ON m.id = b.meeting
        WHERE b.account = ?1 AND \(isReader) AND b.ends_at >= ?2 AND (b.starts_at, b.meeting) > (?3, ?4)
        ORDER BY b.starts_at, b.meeting LIMIT ?5
        """)
    fileprivate static let meetingsEnded = Query(
        "list ended meetings",
        """
        SELECT \(sessionColumns) FROM members b INDEXED BY members_by_start
        CROSS JOIN sessions s ON s.id = b.latest CROSS JOIN meetings m ON m.id = b.meeting
        WHERE b.account = ?1 AND \(isReader) AND b.ends_at < ?2 AND (b.starts_at, b.meeting) < (?3, ?4)
        ORDER BY b.starts_at DESC, b.meeting DESC LIMIT ?5
        """)

    fileprivate static let deleteMails = Query(
        "delete a meeting's mails", "DELETE FROM mails WHERE meeting = ?")
    fileprivate static let deleteMeeting = Query("delete meeting", "DELETE FROM meetings WHERE id = ?")
    fileprivate static let setRole = Query(
        "set role",
        """
        INSERT INTO members (account, meeting, role) VALUES (?, ?, ?)
        ON CONFLICT (account, meeting) DO UPDATE SET role = excluded.role
        """)
    fileprivate static let endMembership = Query(
        "end membership", "DELETE FROM members WHERE account = ? AND meeting = ?")
    fileprivate static let noteLatest = Query(
        "note latest session",
        """
        UPDATE members SET (latest, starts_at, ends_at) =
            (SELECT id, starts_at, ends_at FROM sessions WHERE meeting = ?1 ORDER BY round DESC LIMIT 1)
        WHERE meeting = ?1
        """)
}

extension SQLRows {
    package func meeting(_ id: MeetingID) throws(JournalError) -> Meeting? {
        try connection.first(.meeting, id) { row throws(JournalError) in try meeting(row, from: 0) }
    }

    package func meetingCount(ownedBy account: AccountID) throws(JournalError) -> Int {
        try connection.first(.ownedCount, account, Role.owner.code) { $0.int(0) } ?? 0
    }

    package func role(of account: AccountID, in meeting: MeetingID) throws(JournalError) -> Role? {
        try connection.first(.role, account, meeting) { row throws(JournalError) in try row.code(0) }
    }

    package func memberships(of account: AccountID, limit: Int) throws(JournalError) -> [MeetingID] {
        try connection.all(.memberships, account, limit) { row throws(JournalError) in try row.id(0) }
    }

    package func soleMeetingCount(of account: AccountID) throws(JournalError) -> Int {
        try connection.first(.soleCount, account) { $0.int(0) } ?? 0
    }

    package func soleMeetingCheckIns(of account: AccountID) throws(JournalError) -> Int {
        try connection.first(.soleCheckIns, account) { $0.int(0) } ?? 0
    }

    package func members(of meeting: MeetingID) throws(JournalError) -> [(account: AccountID, role: Role)] {
        try connection.all(.members, meeting) { row throws(JournalError) in
            (account: try row.id(0), role: try row.code(1))
        }
    }

    package func meetings(of account: AccountID, at now: Instant, after cursor: MeetingCursor?, limit: Int)
        throws(JournalError) -> [SessionRecord]
    {
        var found: [SessionRecord] = []
        if cursor?.ended != true {
            let start = cursor ?? MeetingCursor(ended: false, startsAt: .first, id: .first)
            found = try connection.all(
                .meetingsToCome, account, now, start.startsAt, start.id, limit, read: record)
        }
        guard found.count < limit else { return found }
        let start =
            cursor.flatMap { $0.ended ? $0 : nil } ?? MeetingCursor(ended: true, startsAt: .last, id: .last)
        return found
            + (try connection.all(
                .meetingsEnded, account, now, start.startsAt, start.id, limit - found.count, read: record))
    }

    package func insert(_ meeting: Meeting) throws(JournalError) {
        try connection.run(.insertMeeting, meeting)
    }

    package func update(_ meeting: Meeting) throws(JournalError) {
        try connection.run(.updateMeeting, meeting)
    }

    package func delete(_ meeting: MeetingID) throws(JournalError) {
        try connection.run(.deleteMails, meeting)
        try connection.run(.deleteMeeting, meeting)
        try noteErasure()
    }

    package func setRole(_ role: Role?, of account: AccountID, in meeting: MeetingID) throws(JournalError) {
        if let role {
            try connection.run(.setRole, account, meeting, role.code)
            try noteLatestSession(of: meeting)
        } else {
            try connection.run(.endMembership, account, meeting)
        }
    }

    /// Updates the copy of the meeting's latest session in the rows of its members.
    func noteLatestSession(of meeting: MeetingID) throws(JournalError) {
        try connection.run(.noteLatest, meeting)
    }

    private static func absenceRule(_ cells: Cells<MeetingColumn>) -> AbsenceRule? {
        let (inARow, inAll) = (cells.intIfAny(.absentInARow), cells.intIfAny(.absentInAll))
        guard inARow != nil || inAll != nil else { return nil }
        return AbsenceRule(
            inARow: inARow, inAll: inAll,
            since: cells.intIfAny(.absentSince).map { CivilDate(daysSince1970: Int64($0)) },
            mail: cells.bool(.absenceMail))
    }

    func meeting(_ row: Row, from column: Int32) throws(JournalError) -> Meeting {
        let cells = Cells<MeetingColumn>(row, from: column)
        return Meeting(
            id: try cells.id(.id), name: cells.text(.name), description: cells.text(.description),
            venue: cells.text(.place), timeZone: try zone(row, cells.place(of: .timeZone)),
            identifyBy: try cells.code(.identifyBy), regulars: try cells.code(.regulars),
            joinedRound: cells.int(.joinedRound), reminders: try cells.code(.reminders),
            language: cells.textIfAny(.language),
            accent: cells.textIfAny(.accent).flatMap { Accent(rawValue: $0) },
            consent: cells.textIfAny(.consent).map {
                Consent(number: cells.int(.consentNumber), text: $0)
            },
            absenceRule: Self.absenceRule(cells),
            hooked: WebhookEvents(rawValue: cells.int(.hooked)),
            codeVersion: cells.int(.codeVersion), codesRevokedAt: cells.instantIfAny(.codesRevokedAt),
            createdAt: cells.instant(.createdAt), version: cells.int(.version))
    }
}

extension Instant {
    fileprivate static let first = Instant(milliseconds: .min)
    fileprivate static let last = Instant(milliseconds: .max)
}

extension MeetingID {
    fileprivate static var first: MeetingID { MeetingID(high: 0, low: 0) }
    fileprivate static var last: MeetingID { MeetingID(high: .max, low: .max) }
}
