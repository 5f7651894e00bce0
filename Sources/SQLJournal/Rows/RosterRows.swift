package import Journal
package import Meetings

/// A person of a roster, with the values by which searches find the row.
struct PersonRow {
    let person: Person
    let draft: PersonDraft
}

enum PersonColumn: Int32, Columns {
    case id, meeting, name, email, number, archived, version, joinedByCheckIn
    // Written only.
    case sortKey, emailKey, numberKey, search

    static let table = "people"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        case .meeting, .joinedByCheckIn: .once
        default: .always
        }
    }

    var isRead: Bool { rawValue < Self.sortKey.rawValue }

    func bind(_ row: PersonRow, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(row.person.id)
        case .meeting: parameters.bind(row.person.meetingID)
        case .name: parameters.bind(row.person.name)
        case .email: parameters.bind(row.person.email)
        case .number: parameters.bind(row.person.number)
        case .archived: parameters.bind(row.person.isArchived)
        case .version: parameters.bind(row.person.version)
        case .joinedByCheckIn: parameters.bind(row.person.joinedByCheckIn)
        case .sortKey: parameters.bind(row.person.position.sortKey)
        case .emailKey: parameters.bind(row.draft.emailKey)
        case .numberKey: parameters.bind(row.draft.numberKey)
        case .search: parameters.bind(SearchText.of(row.person))
        }
    }
}

extension Writing where Column == PersonColumn {
    fileprivate static let insertPerson = insert("insert person")
    fileprivate static let updatePerson = update("update person")
}

extension Query {
    static let rosterPersonColumns = PersonColumn.selected()
    private static let select = "SELECT \(rosterPersonColumns) FROM people"

    fileprivate static let person = Query("find person", "\(select) WHERE id = ?")
    fileprivate static let personByEmail = Query(
        "find person by email", "\(select) WHERE meeting = ? AND email_key = ?")
    fileprivate static let personByNumber = Query(
        "find person by number", "\(select) WHERE meeting = ? AND number_key = ?")
    // Few people have the same name, so the caller compares all people with the same sort key.
    fileprivate static let peopleBySortKey = Query(
        "find people by name", "\(select) WHERE meeting = ? AND archived = 0 AND sort_key = ? ORDER BY id")
    fileprivate static let people = Query(
        "list people",
        """
        \(select) WHERE meeting = ?1 AND archived = ?2 AND (sort_key, id) > (?3, ?4) ORDER BY sort_key, id
            LIMIT ?5
        """)
    fileprivate static let peopleByText = Query(
        "search people",
        """
        \(select) WHERE meeting = ?1 AND archived = ?2 AND (sort_key, id) > (?3, ?4) AND instr(search, ?6) > 0
        ORDER BY sort_key, id LIMIT ?5
        """)
    fileprivate static let hasRoster = Query(
        "look for a roster", "SELECT 1 FROM people WHERE meeting = ? AND archived = 0 LIMIT 1")
    fileprivate static let personCount = Query(
        "count people", "SELECT count(*) FROM people WHERE meeting = ?")
    fileprivate static let rosterVersion = Query(
        "find roster's version", "SELECT version FROM rosters WHERE meeting = ?")

    fileprivate static let personOfAttendee = Query(
        "find roster slot's person", "SELECT person FROM places WHERE attendee = ?")
    fileprivate static let attendeeOf = Query(
        "find person's attendee", "SELECT attendee FROM places WHERE person = ? AND session = ?")
    // The query prefers the attendee who is linked to the person. If there is none, it uses the attendee with
    // the key. A key is unique in a session.
    private static let sessionsOfPerson = """
        FROM sessions s INDEXED BY sessions_by_start
            CROSS JOIN attendees a ON a.session = s.id AND a.id = coalesce(
            (SELECT p.attendee FROM places p WHERE p.person = ?4 AND p.session = s.id),
            (SELECT k.id FROM attendees k WHERE k.session = s.id AND k.key = ?2))
        WHERE s.meeting = ?1
        """
    // The sessions of the person in which the presence may be partial.
    private static let hasMinimum = """
        s.check_out <> 0 AND s.minimum_minutes + s.minimum_percent > 0 AND a.status IN (1, 2)
            AND s.ends_at < ?3
        """
    fileprivate static let totals = Query(
        "total a person's series",
        """
        SELECT count(*) FILTER (WHERE a.status = 1), count(*) FILTER (WHERE a.status = 2),
            count(*) FILTER (WHERE a.status = 3 OR a.status = 0 AND s.ends_at < ?3),
            count(*) FILTER (WHERE a.status = 4), count(*) FILTER (WHERE \(hasMinimum))
        \(sessionsOfPerson)
        """)
    fileprivate static let sessionsWithMinimum = Query(
        "list a person's sessions with a least time",
        """
        SELECT \(SessionColumn.selected(of: "s")), \(AttendeeColumn.selected(of: "a"))
        \(sessionsOfPerson) AND \(hasMinimum)
        """)
    fileprivate static let pastAttendance = Query(
        "list a person's past attendance",
        """
        SELECT s.id, s.starts_at, a.status FROM sessions s INDEXED BY sessions_by_end
            CROSS JOIN attendees a ON a.session = s.id AND a.id = coalesce(
            (SELECT p.attendee FROM places p WHERE p.person = ?2 AND p.session = s.id),
            (SELECT k.id FROM attendees k WHERE k.session = s.id AND k.key = ?3))
        WHERE s.meeting = ?1 AND s.ends_at >= ?4 AND s.ends_at <= ?5 AND s.starts_at >= ?4
        ORDER BY s.ends_at DESC, s.id DESC LIMIT ?6
        """)
    // The sessions of a range that are over and whose names are stored.
    private static let isInRange = """
        s.starts_at >= ?5 AND s.starts_at <= ?6 AND s.ends_at < ?3 AND s.names_deleted_at IS NULL
        """
    fileprivate static let totalsOfRange = Query(
        "total a part of a person's series",
        """
        SELECT count(*) FILTER (WHERE a.status = 1), count(*) FILTER (WHERE a.status = 2),
            count(*) FILTER (WHERE a.status = 3 OR a.status = 0), count(*) FILTER (WHERE a.status = 4),
            count(*) FILTER (WHERE \(hasMinimum))
        \(sessionsOfPerson) AND \(isInRange)
        """)
    fileprivate static let sessionsOfRangeWithMinimum = Query(
        "list a part of a person's sessions with a least time",
        """
        SELECT \(SessionColumn.selected(of: "s")), \(AttendeeColumn.selected(of: "a"))
        \(sessionsOfPerson) AND \(isInRange) AND \(hasMinimum)
        """)
    // Reads the newest sessions only: from the newest to the session with the offset ?5.
    fileprivate static let latestStatuses = Query(
        "list a person's latest statuses",
        """
        SELECT a.status FROM sessions s INDEXED BY sessions_by_end
            CROSS JOIN places p ON p.person = ?2 AND p.session = s.id
        CROSS JOIN attendees a ON a.session = s.id AND a.id = p.attendee
        WHERE s.meeting = ?1 AND s.ends_at < ?3 AND a.status <> 4
            AND s.ends_at >= coalesce((SELECT o.ends_at FROM sessions o INDEXED BY sessions_by_end
                WHERE o.meeting = ?1 AND o.ends_at < ?3 ORDER BY o.ends_at DESC LIMIT 1 OFFSET ?5),
                -9223372036854775808)
        ORDER BY s.ends_at DESC, s.id DESC LIMIT ?4
        """)
    // Reads all slots of the person, and sorts them.
    fileprivate static let latestStatusesOfSlots = Query(
        "list the latest statuses of a person's slots",
        """
        SELECT a.status FROM places p CROSS JOIN sessions s ON s.id = p.session
            CROSS JOIN attendees a ON a.session = s.id AND a.id = p.attendee
        WHERE p.person = ?2 AND s.meeting = ?1 AND s.ends_at < ?3 AND a.status <> 4
        ORDER BY s.ends_at DESC, s.id DESC LIMIT ?4
        """)

    // Rounds to which nobody came are skipped, but no more than the bound ?3 allows.
    private static let hasNoKey = """
        SELECT s.names_deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM attendees a
                WHERE a.session = s.id AND a.key = ?4 AND a.status IN (1, 2))
            AND NOT EXISTS (SELECT 1 FROM merged_attendees g WHERE g.session = s.id AND g.key = ?4)
        """
    private static let ofPreviousRound = """
        FROM sessions s WHERE s.meeting = ?1 AND s.round < ?2 AND s.round >= ?3 AND s.present + s.late > 0
        ORDER BY s.round DESC LIMIT 1
        """
    fileprivate static let isNewcomer = Query(
        "compare with the previous round", "\(hasNoKey) \(ofPreviousRound)")
    fileprivate static let isNewName = Query(
        "compare a name with the previous round",
        """
        \(hasNoKey)
            AND NOT EXISTS (SELECT 1 FROM attendees a INDEXED BY attendees_without_key
                WHERE a.session = s.id AND a.key IS NULL AND a.search = ?5 AND a.status IN (1, 2))
        \(ofPreviousRound)
        """)

    fileprivate static let deletePerson = Query("delete person", "DELETE FROM people WHERE id = ?")
    fileprivate static let deleteSentAbsences = Query(
        "delete sent mails about absences",
        "DELETE FROM mails INDEXED BY mails_about_absences WHERE meeting = ? AND kind = 12 AND state <> 0")
    fileprivate static let setRosterVersion = Query(
        "set roster's version",
        "INSERT INTO rosters VALUES (?, ?) ON CONFLICT (meeting) DO UPDATE SET version = excluded.version")
    fileprivate static let setRosterSlot = Query(
        "set roster slot",
        """
        INSERT INTO places (person, session, attendee) VALUES (?, ?, ?)
        ON CONFLICT (person, session) DO UPDATE SET attendee = excluded.attendee
        """)
    fileprivate static let peopleWithoutSlots = Query(
        "list people without slots",
        """
        \(select) WHERE meeting = ? AND joined_by_check_in = 1
            AND NOT EXISTS (SELECT 1 FROM places p WHERE p.person = people.id) ORDER BY id LIMIT ?
        """)
    fileprivate static let removeSlot = Query("remove slot", "DELETE FROM places WHERE attendee = ?")
    fileprivate static let setKey = Query(
        "set attendee's key", "UPDATE attendees SET key = ?3 WHERE session = ?1 AND id = ?2")
}

extension SQLRows {
    package func person(_ id: PersonID) throws(JournalError) -> Person? {
        let found = try connection.first(.person, id, read: Self.person)
        if let found { noteRead(of: found.meetingID) }
        return found
    }

    package func person(of meeting: MeetingID, email: IdentityKey) throws(JournalError) -> Person? {
        try connection.first(.personByEmail, meeting, email, read: Self.person)
    }

    package func person(of meeting: MeetingID, number: IdentityKey) throws(JournalError) -> Person? {
        try connection.first(.personByNumber, meeting, number, read: Self.person)
    }

    package func people(of meeting: MeetingID, named name: IdentityKey) throws(JournalError) -> [Person] {
        try connection.all(
            .peopleBySortKey, meeting, RosterPosition.sortKey(of: name.text), read: Self.person
        )
        .filter { $0.draft.nameKey == name }
    }

    package func people(
        of meeting: MeetingID, archived: Bool, text: String?, after cursor: RosterPosition?, limit: Int
    ) throws(JournalError) -> [Person] {
        noteRead(of: meeting)
        let cursor = cursor ?? RosterPosition(sortKey: "", id: PersonID(high: 0, low: 0))
        guard let text, !text.isEmpty else {
            return try connection.all(
                .people, meeting, archived, cursor.sortKey, cursor.id, limit, read: Self.person)
        }
        return try connection.all(
            .peopleByText, meeting, archived, cursor.sortKey, cursor.id, limit, SearchText.folded(text),
            read: Self.person)
    }

    package func hasRoster(_ meeting: MeetingID) throws(JournalError) -> Bool {
        try connection.first(.hasRoster, meeting) { _ in true } ?? false
    }

    package func personCount(of meeting: MeetingID) throws(JournalError) -> Int {
        noteRead(of: meeting)
        return try connection.first(.personCount, meeting) { $0.int(0) } ?? 0
    }

    package func rosterVersion(of meeting: MeetingID) throws(JournalError) -> Int {
        noteRead(of: meeting)
        return try connection.first(.rosterVersion, meeting) { $0.int(0) } ?? 0
    }

    package func person(inSlotOf attendee: AttendeeID) throws(JournalError) -> PersonID? {
        try connection.first(.personOfAttendee, attendee) { row throws(JournalError) in try row.id(0) }
    }

    package func attendee(of person: PersonID, in session: SessionID) throws(JournalError) -> Attendee? {
        let id: AttendeeID? = try connection.first(.attendeeOf, person, session) { row throws(JournalError) in
            try row.id(0)
        }
        guard let id else { return nil }
        return try attendee(id)
    }

    package func seriesTotals(of person: Person, key: IdentityKey?, at now: Instant) throws(JournalError)
        -> SeriesTotals
    {
        try seriesTotals(of: person.meetingID, person: person.id, key: key, at: now)
    }

    package func seriesTotals(of meeting: MeetingID, key: IdentityKey, at now: Instant) throws(JournalError)
        -> SeriesTotals
    {
        try seriesTotals(of: meeting, person: nil, key: key, at: now)
    }

    private func seriesTotals(
        of meeting: MeetingID, person: PersonID?, key: IdentityKey?, at now: Instant
    ) throws(JournalError) -> SeriesTotals {
        noteRead(of: meeting)
        let found = try connection.first(.totals, meeting, key, now, person) { ($0.totals, $0.int(4)) }
        guard case (var totals, let withMinimum)? = found else { return SeriesTotals() }
        if withMinimum > 0 {
            let sessions = try connection.all(
                .sessionsWithMinimum, meeting, key, now, person, read: Self.attendeeOfSession)
            totals.addPartial(sessions, at: now)
        }
        return totals
    }

    // Statements cannot read the stays, so the time is computed here, and only in sessions with a least time.
    private static func attendeeOfSession(_ row: Row) throws(JournalError) -> (Attendee, Session) {
        let cells = Cells<AttendeeColumn>(row, from: SessionColumn.selectedCount)
        return (try attendee(cells), try session(row))
    }

    package func seriesTotals(
        of person: Person, key: IdentityKey?, starting range: ClosedRange<Instant>, at now: Instant
    ) throws(JournalError) -> SeriesTotals {
        let (meeting, first, last) = (person.meetingID, range.lowerBound, range.upperBound)
        noteRead(of: meeting)
        let found = try connection.first(.totalsOfRange, meeting, key, now, person.id, first, last) {
            ($0.totals, $0.int(4))
        }
        guard case (var totals, let withMinimum)? = found else { return SeriesTotals() }
        if withMinimum > 0 {
            let sessions = try connection.all(
                .sessionsOfRangeWithMinimum, meeting, key, now, person.id, first, last,
                read: Self.attendeeOfSession)
            totals.addPartial(sessions, at: now)
        }
        return totals
    }

    package func latestStatuses(of person: Person, at now: Instant, limit: Int) throws(JournalError)
        -> [RecordedStatus]
    {
        noteRead(of: person.meetingID)
        func read(_ row: Row) throws(JournalError) -> RecordedStatus { try row.code(0) }
        // Nearly everybody has a slot in each of the newest sessions. For the others, such as people who
        // are new on the roster of a long series, reading their few slots costs less than reading
        // every session.
        let newest: [RecordedStatus] = try connection.all(
            .latestStatuses, person.meetingID, person.id, now, limit, limit * 2 + 8, read: read)
        if newest.count == limit { return newest }
        return try connection.all(
            .latestStatusesOfSlots, person.meetingID, person.id, now, limit, read: read)
    }

    package func pastAttendance(
        of person: Person, key: IdentityKey?, since: Instant?, until: Instant, limit: Int
    ) throws(JournalError) -> [PastAttendance] {
        noteRead(of: person.meetingID)
        return try connection.all(
            .pastAttendance, person.meetingID, person.id, key, since ?? Instant(milliseconds: .min), until,
            limit
        ) { row throws(JournalError) in
            PastAttendance(try row.id(0), startsAt: row.instant(1), status: try row.code(2))
        }
    }

    package func isNewcomer(_ key: IdentityKey, named name: String?, to session: Session) throws(JournalError)
        -> Bool
    {
        let (meeting, round) = (session.meetingID, session.round)
        let first = round - Regulars.mostRoundsSkipped
        guard let name else {
            return try connection.first(.isNewcomer, meeting, round, first, key) { $0.bool(0) } ?? false
        }
        return try connection.first(
            .isNewName, meeting, round, first, key, SearchText.of(name: name, identity: "")
        ) { $0.bool(0) } ?? false
    }

    package func insert(_ person: Person) throws(JournalError) {
        try connection.run(.insertPerson, PersonRow(person: person, draft: person.draft))
    }

    package func update(_ person: Person) throws(JournalError) {
        try connection.run(.updatePerson, PersonRow(person: person, draft: person.draft))
    }

    package func delete(_ person: PersonID) throws(JournalError) {
        if let person = try self.person(person) {
            if let key = person.draft.emailKey { try forgetUnsubscription(key, from: person.meetingID) }
            // Their texts, as files of a server without a mail server, may name the person.
            try connection.run(.deleteSentAbsences, person.meetingID)
        }
        try connection.run(.deletePerson, person)
        try deleteMails(of: OutgoingMail.Owner(person))
        try noteErasure()
    }

    package func setRosterVersion(_ version: Int, of meeting: MeetingID) throws(JournalError) {
        try connection.run(.setRosterVersion, meeting, version)
    }

    package func peopleWithoutSlots(of meeting: MeetingID, limit: Int) throws(JournalError) -> [Person] {
        try connection.all(.peopleWithoutSlots, meeting, limit, read: Self.person)
    }

    package func removeSlot(of attendee: AttendeeID) throws(JournalError) {
        try connection.run(.removeSlot, attendee)
        try noteErasure()
    }

    package func setSlot(of person: PersonID, to attendee: AttendeeID, in session: SessionID)
        throws(JournalError)
    {
        try connection.run(.setRosterSlot, person, session, attendee)
    }

    package func setKey(_ key: IdentityKey?, of attendee: Attendee) throws(JournalError) {
        try connection.run(.setKey, attendee.sessionID, attendee.id, key)
    }

    static func person(_ row: Row) throws(JournalError) -> Person {
        let cells = Cells<PersonColumn>(row)
        return Person(
            id: try cells.id(.id), meetingID: try cells.id(.meeting), name: cells.text(.name),
            email: cells.text(.email), number: cells.text(.number), isArchived: cells.bool(.archived),
            joinedByCheckIn: cells.bool(.joinedByCheckIn), version: cells.int(.version))
    }
}

extension Row {
    fileprivate var totals: SeriesTotals {
        SeriesTotals(present: int(0), late: int(1), absent: int(2), excused: int(3))
    }
}
