package import Journal
package import Meetings

/// An attendee, with the values by which searches find the row.
struct AttendeeRow {
    let attendee: Attendee
    let search: String
    var key: IdentityKey?
    var grant: [UInt8]?
}

enum AttendeeColumn: Int32, Columns {
    case session, id, name, identity, status, statusIsByHost, walkIn, checkedInAt, method, arrivalSequence
    case version, note, device, network, typedName, typedIdentity, receiptsEndedAt, firstTime
    case consentNumber, door, stays
    // Written only.
    case search, key, checkInGrant

    static let table = "attendees"

    var writing: ColumnWriting {
        switch self {
        case .session, .id: .key
        // `setKeys`, `setKey` and `setGrant` change them.
        case .key, .checkInGrant: .once
        default: .always
        }
    }

    var isRead: Bool { rawValue < Self.search.rawValue }

    func bind(_ row: AttendeeRow, to parameters: inout Parameters) {
        switch self {
        case .session: parameters.bind(row.attendee.sessionID)
        case .id: parameters.bind(row.attendee.id)
        case .name: parameters.bind(row.attendee.name)
        case .identity: parameters.bind(row.attendee.identity)
        case .status: parameters.bind(row.attendee.status.code)
        case .statusIsByHost: parameters.bind(row.attendee.statusIsByHost)
        case .walkIn: parameters.bind(row.attendee.walkIn)
        case .checkedInAt: parameters.bind(row.attendee.checkedInAt)
        case .method: parameters.bind(row.attendee.method?.code)
        case .arrivalSequence: parameters.bind(row.attendee.arrivalSequence)
        case .version: parameters.bind(row.attendee.version)
        case .note: parameters.bind(row.attendee.note)
        case .device: parameters.bind(row.attendee.evidence?.device)
        case .network: parameters.bind(row.attendee.evidence?.network)
        case .typedName: parameters.bind(row.attendee.typed?.name)
        case .typedIdentity: parameters.bind(row.attendee.typed?.identity)
        case .receiptsEndedAt: parameters.bind(row.attendee.receiptsEndedAt)
        case .firstTime: parameters.bind(row.attendee.firstTime)
        case .consentNumber: parameters.bind(row.attendee.consentNumber)
        case .door: parameters.bind(row.attendee.door)
        case .stays: parameters.bind(row.attendee.stays?.stored)
        case .search: parameters.bind(row.search)
        case .key: parameters.bind(row.key)
        case .checkInGrant: parameters.bind(row.grant)
        }
    }
}

extension Writing where Column == AttendeeColumn {
    fileprivate static let insertAttendee = insert("insert attendee")
    fileprivate static let updateAttendee = update("update attendee")
}

extension Query {
    private static let select = "SELECT \(AttendeeColumn.selected()) FROM attendees"

    private static let ofID =
        "WHERE id = ? AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = attendees.session)"
    fileprivate static let attendee = Query("find attendee", "\(select) \(ofID)")
    fileprivate static let attendeeName = Query(
        "find attendee's name", "SELECT name FROM attendees \(ofID)")
    fileprivate static let attendeeByKey = Query(
        "find attendee by key", "\(select) WHERE session = ? AND key = ?")
    // The search text of an attendee without an identity is the folded name.
    fileprivate static let attendeesWithoutKey = Query(
        "find attendees without key",
        "\(select) INDEXED BY attendees_without_key WHERE session = ? AND key IS NULL AND search = ? "
            + "ORDER BY id LIMIT ?")
    fileprivate static let attendeeByGrant = Query(
        "find attendee by grant", "\(select) WHERE session = ? AND check_in_grant = ?")
    fileprivate static let attendees = Query(
        "list attendees", "\(select) WHERE session = ?1 AND id > ?2 ORDER BY id LIMIT ?3")
    fileprivate static let attendeesByStatus = Query(
        "list attendees by status",
        "\(select) INDEXED BY attendees_by_status WHERE session = ?1 AND status = ?3 AND id > ?2 ORDER BY "
            + "id LIMIT ?4"
    )
    // ?3 is a set of statuses, with one bit for each status. The search uses instr on folded texts, because
    // instr has no wildcards to escape, and folded texts make the search ignore the case of all letters. LIKE
    // ignores the case only of ASCII letters.
    fileprivate static let attendeesByText = Query(
        "search attendees",
        "\(select) WHERE session = ?1 AND id > ?2 AND (?3 >> CAST(status AS int)) & 1 = 1 "
            + "AND instr(search, ?5) > 0 ORDER BY id LIMIT ?4"
    )
    fileprivate static let attendeeByText = Query(
        "compare attendee",
        "\(select) WHERE session = ?1 AND id = ?2 AND (?3 >> CAST(status AS int)) & 1 = 1 "
            + "AND instr(search, ?4) > 0")
    fileprivate static let searchTexts = Query(
        "list search texts", "SELECT id, search FROM attendees WHERE session = ? ORDER BY id")
    fileprivate static let arrivals = Query(
        "list arrivals",
        "\(select) WHERE session = ? AND arrival_sequence > max(?, 0) AND arrival_sequence > 0 ORDER BY "
            + "arrival_sequence LIMIT ?"
    )
    fileprivate static let newestArrivals = Query(
        "list newest arrivals",
        "\(select) WHERE session = ? AND arrival_sequence > 0 ORDER BY arrival_sequence DESC LIMIT ?")

    fileprivate static let setGrant = Query(
        "set attendee's grant", "UPDATE attendees SET check_in_grant = ?3 WHERE session = ?1 AND id = ?2")
    fileprivate static let deleteAttendee = Query("delete attendee", "DELETE FROM attendees WHERE id = ?")
    // Repeats the late rule (`Session.status(ofArrivalAt:)`) as SQL. ?2 is `Session.lateAfter`. The late rule
    // decides only the statuses 1 (present) and 2 (late).
    fileprivate static let recompute = Query(
        "recompute statuses",
        """
        UPDATE attendees SET status = CASE WHEN checked_in_at <= ?2 THEN 1 ELSE 2 END, version = version + 1
        WHERE session = ?1 AND status_is_by_host = 0 AND checked_in_at IS NOT NULL AND status IN (1, 2)
            AND status <> CASE WHEN checked_in_at <= ?2 THEN 1 ELSE 2 END
        RETURNING \(AttendeeColumn.selected())
        """)
    fileprivate static let recount = Query(
        "recount attendees",
        """
        SELECT count(*) FILTER (WHERE status = 0), count(*) FILTER (WHERE status = 1),
            count(*) FILTER (WHERE status = 2), count(*) FILTER (WHERE status = 3),
            count(*) FILTER (WHERE status = 4), count(*) FILTER (WHERE walk_in = 1),
            count(*) FILTER (WHERE \(Stays.isOutside))
        FROM attendees WHERE session = ?
        """)
}

extension SQLRows {
    package func attendee(_ id: AttendeeID) throws(JournalError) -> Attendee? {
        try connection.first(.attendee, id, read: Self.attendee)
    }

    package func name(of attendee: AttendeeID) throws(JournalError) -> String? {
        try connection.first(.attendeeName, attendee) { $0.text(0) }
    }

    package func attendee(in session: SessionID, key: IdentityKey) throws(JournalError) -> Attendee? {
        try connection.first(.attendeeByKey, session, key, read: Self.attendee)
    }

    package func attendee(in session: SessionID, grant: [UInt8]) throws(JournalError) -> Attendee? {
        try connection.first(.attendeeByGrant, session, grant, read: Self.attendee)
    }

    package func attendees(
        of session: SessionID, statuses: Set<RecordedStatus>?, text: String?, after cursor: AttendeeID?,
        limit: Int
    ) throws(JournalError) -> [Attendee] {
        noteRead(of: session)
        let cursor = cursor ?? AttendeeID(high: 0, low: 0)
        guard let text, !text.isEmpty else {
            guard let statuses else {
                return try connection.all(.attendees, session, cursor, limit, read: Self.attendee)
            }
            // Read one page for each status from the index of statuses, and return the first attendees of all
            // pages. Reading more rows is not necessary.
            var found: [Attendee] = []
            for status in statuses {
                found += try connection.all(
                    .attendeesByStatus, session, cursor, status.code, limit, read: Self.attendee)
            }
            return statuses.count == 1 ? found : Array(found.sorted { $0.id < $1.id }.prefix(limit))
        }
        let bits = (statuses ?? Set(RecordedStatus.cases)).reduce(0) { $0 | 1 << $1.code }
        let folded = SearchText.folded(text)
        if let texts = try searchTexts(of: session) {
            let most = max(limit, Self.mostCandidates)
            let (ids, areAll) = texts.candidates(for: Array(folded.utf8), after: cursor, limit: most)
            var found: [Attendee] = []
            for id in ids where found.count < limit {
                if let attendee = try connection.first(
                    .attendeeByText, session, id, bits, folded, read: Self.attendee)
                {
                    found.append(attendee)
                }
            }
            if areAll || found.count == limit { return found }
        }
        return try connection.all(
            .attendeesByText, session, cursor, bits, limit, folded, read: Self.attendee)
    }

    /// The most candidates whose rows a search compares. If the texts give more, few of them have a wanted
    /// status, and the search scans the rows instead.
    private static var mostCandidates: Int { 500 }

    /// Returns the search texts of a large session. Returns nil if the search has to scan the rows.
    private func searchTexts(of session: SessionID) throws(JournalError) -> SearchTexts.Texts? {
        guard let searched, try headCount(of: session)?.known ?? 0 >= searched.leastAttendees else {
            return nil
        }
        switch searched.step(for: session, snapshot: snapshot) {
        case .scan: return nil
        case .use(let texts): return texts
        case .read(let registration):
            var texts = SearchTexts.Segment()
            _ = try connection.all(.searchTexts, session) { row throws(JournalError) in
                let id: AttendeeID = try row.id(0)
                row.withBytes(1) { texts.append($0, of: id) }
            }
            searched.store(texts, of: session, registration: registration)
            guard case .use(let all) = searched.step(for: session, snapshot: snapshot) else { return nil }
            return all
        }
    }

    package func attendeesWithoutKey(in session: SessionID, named name: String, limit: Int)
        throws(JournalError)
        -> [Attendee]
    {
        try connection.all(
            .attendeesWithoutKey, session, SearchText.of(name: name, identity: ""), limit,
            read: Self.attendee)
    }

    package func arrivals(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError)
        -> [Attendee]
    {
        try connection.all(.arrivals, session, sequence, limit, read: Self.attendee)
    }

    package func newestArrivals(of session: SessionID, limit: Int) throws(JournalError) -> [Attendee] {
        try connection.all(.newestArrivals, session, limit, read: Self.attendee).reversed()
    }

    package func insert(_ attendee: Attendee, key: IdentityKey?, grant: [UInt8]?) throws(JournalError) {
        let text = SearchText.of(name: attendee.name, identity: attendee.identity)
        searched?.note(text, of: attendee.id, in: attendee.sessionID)
        let row = AttendeeRow(attendee: attendee, search: text, key: key, grant: grant)
        try connection.runLater(.insertAttendee, row)
    }

    package func update(_ attendee: Attendee) throws(JournalError) {
        let text = SearchText.of(name: attendee.name, identity: attendee.identity)
        searched?.note(text, of: attendee.id, in: attendee.sessionID)
        try connection.run(.updateAttendee, AttendeeRow(attendee: attendee, search: text))
    }

    package func setGrant(_ grant: [UInt8], of attendee: Attendee) throws(JournalError) {
        try connection.run(.setGrant, attendee.sessionID, attendee.id, grant)
    }

    package func delete(_ attendee: AttendeeID) throws(JournalError) {
        try connection.run(.deleteAttendee, attendee)
        try deleteMails(of: OutgoingMail.Owner(attendee))
        try noteErasure()
    }

    package func recomputeStatuses(
        of session: SessionID, lateAfter: Instant
    ) throws(JournalError) -> (changed: [Attendee], headCount: HeadCount) {
        // SQLite does not promise any order of the rows of RETURNING.
        let changed = try connection.all(.recompute, session, lateAfter, read: Self.attendee).sorted {
            $0.id < $1.id
        }
        return (changed, try recount(session))
    }

    package func recount(_ session: SessionID) throws(JournalError) -> HeadCount {
        try connection.first(.recount, session) { headCount($0, from: 0) } ?? HeadCount()
    }

    private static func attendee(_ row: Row) throws(JournalError) -> Attendee {
        try attendee(Cells<AttendeeColumn>(row))
    }

    static func attendee(_ cells: Cells<AttendeeColumn>) throws(JournalError) -> Attendee {
        Attendee(
            id: try cells.id(.id), sessionID: try cells.id(.session), name: cells.text(.name),
            identity: cells.text(.identity),
            typed: cells.textIfAny(.typedName).map {
                TypedDetails(name: $0, identity: cells.textIfAny(.typedIdentity) ?? "")
            },
            status: try cells.code(.status), statusIsByHost: cells.bool(.statusIsByHost),
            walkIn: cells.bool(.walkIn), firstTime: cells.bool(.firstTime),
            checkedInAt: cells.instantIfAny(.checkedInAt),
            stays: cells.bytesIfAny(.stays).flatMap(Stays.init(stored:)),
            method: try cells.codeIfAny(.method),
            arrivalSequence: cells.int64(.arrivalSequence),
            receiptsEndedAt: cells.int64IfAny(.receiptsEndedAt), version: cells.int(.version),
            note: cells.text(.note),
            evidence: CheckInEvidence(
                device: cells.bytesIfAny(.device), network: cells.textIfAny(.network)),
            consentNumber: cells.intIfAny(.consentNumber), door: cells.intIfAny(.door))
    }
}

extension Stays {
    var stored: [UInt8] { Self.stored(moves) }

    /// Returns the moves as 8 bytes each, in milliseconds, the most significant byte first.
    static func stored(_ moves: [Instant]) -> [UInt8] {
        moves.flatMap { move in
            let bits = UInt64(bitPattern: move.milliseconds)
            return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        }
    }

    /// Returns nil if the bytes are damaged.
    init?(stored bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: 8) else { return nil }
        self.init(Self.moves(stored: bytes))
    }

    static func moves(stored bytes: [UInt8]) -> [Instant] {
        stride(from: 0, through: bytes.count - 8, by: 8).map { start in
            let bits = bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Instant(milliseconds: Int64(bitPattern: bits))
        }
    }

    /// The condition of `Attendee.isOutside` as SQL: the number of moves is odd.
    package static let isOutside = "status IN (1, 2) AND length(stays) % 16 = 8"
}

extension Query {
    // The statuses 1 (present) and 2 (late) count as checked in.
    fileprivate static let arrivalMinutes = Query(
        "list arrivals by minute",
        """
        SELECT checked_in_at / 60000 * 60000 AS minute, count(*) FROM attendees
        WHERE session = ? AND status IN (1, 2) AND checked_in_at IS NOT NULL GROUP BY minute
            ORDER BY minute DESC LIMIT ?
        """)
}

extension SQLRows {
    package func arrivalMinutes(of session: SessionID, limit: Int) throws(JournalError) -> [ArrivalMinute] {
        try connection.all(.arrivalMinutes, session, limit) {
            ArrivalMinute(at: $0.instant(0), checkedIn: $0.int(1))
        }.reversed()
    }
}
