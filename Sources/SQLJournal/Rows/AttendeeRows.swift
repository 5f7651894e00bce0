package import Journal
package import Meetings

extension Query {
    private static let columns = """
        session, id, name, identity, status, status_is_by_host, walk_in, checked_in_at, method,
            arrival_sequence,
        version, note, device, network, typed_name, typed_identity, receipts_ended_at, first_time
        """
    private static let select = "SELECT \(columns) FROM attendees"

    fileprivate static let attendee = Query(
        "find attendee",
        "\(select) WHERE id = ? AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = attendees.session)")
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

    fileprivate static let insertAttendee = Query(
        "insert attendee",
        """
        INSERT INTO attendees (\(columns), search, key, check_in_grant)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    fileprivate static let updateAttendee = Query(
        "update attendee",
        """
        UPDATE attendees SET name = ?3, identity = ?4, status = ?5, status_is_by_host = ?6, walk_in = ?7,
            checked_in_at = ?8, method = ?9,
            arrival_sequence = ?10, version = ?11, note = ?12, device = ?13, network = ?14,
            typed_name = ?15, typed_identity = ?16, receipts_ended_at = ?17, search = ?18,
            first_time = ?19
        WHERE session = ?1 AND id = ?2
        """)
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
        RETURNING \(columns)
        """)
    fileprivate static let recount = Query(
        "recount attendees",
        """
        SELECT count(*) FILTER (WHERE status = 0), count(*) FILTER (WHERE status = 1),
            count(*) FILTER (WHERE status = 2), count(*) FILTER (WHERE status = 3),
            count(*) FILTER (WHERE status = 4), count(*) FILTER (WHERE walk_in = 1)
        FROM attendees WHERE session = ?
        """)
}

extension SQLRows {
    package func attendee(_ id: AttendeeID) throws(JournalError) -> Attendee? {
        try connection.first(.attendee, id, read: Self.attendee)
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
        try connection.runLater(.insertAttendee) {
            $0.bind(attendee.sessionID)
            $0.bind(attendee.id)
            $0.bind(attendee.name)
            $0.bind(attendee.identity)
            $0.bind(attendee.status.code)
            $0.bind(attendee.statusIsByHost)
            $0.bind(attendee.walkIn)
            $0.bind(attendee.checkedInAt)
            $0.bind(attendee.method?.code)
            $0.bind(attendee.arrivalSequence)
            $0.bind(attendee.version)
            $0.bind(attendee.note)
            $0.bind(attendee.evidence?.device)
            $0.bind(attendee.evidence?.network)
            $0.bind(attendee.typed?.name)
            $0.bind(attendee.typed?.identity)
            $0.bind(attendee.receiptsEndedAt)
            $0.bind(attendee.firstTime)
            $0.bind(text)
            $0.bind(key)
            $0.bind(grant)
        }
    }

    package func update(_ attendee: Attendee) throws(JournalError) {
        let text = SearchText.of(name: attendee.name, identity: attendee.identity)
        searched?.note(text, of: attendee.id, in: attendee.sessionID)
        try connection.run(
            .updateAttendee, attendee.sessionID, attendee.id, attendee.name, attendee.identity,
            attendee.status.code,
            attendee.statusIsByHost, attendee.walkIn, attendee.checkedInAt, attendee.method?.code,
            attendee.arrivalSequence,
            attendee.version, attendee.note, attendee.evidence?.device, attendee.evidence?.network,
            attendee.typed?.name, attendee.typed?.identity, attendee.receiptsEndedAt,
            text, attendee.firstTime)
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
        Attendee(
            id: try row.id(1), sessionID: try row.id(0), name: row.text(2), identity: row.text(3),
            typed: row.textIfAny(14).map { TypedDetails(name: $0, identity: row.textIfAny(15) ?? "") },
            status: try row.code(4),
            statusIsByHost: row.bool(5), walkIn: row.bool(6), firstTime: row.bool(17),
            checkedInAt: row.instantIfAny(7),
            method: try row.codeIfAny(8),
            arrivalSequence: row.int64(9), receiptsEndedAt: row.isNull(16) ? nil : row.int64(16),
            version: row.int(10), note: row.text(11),
            evidence: CheckInEvidence(
                device: row.isNull(12) ? nil : row.bytes(12), network: row.textIfAny(13)))
    }
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
