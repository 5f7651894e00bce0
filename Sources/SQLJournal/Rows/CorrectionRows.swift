package import Journal
package import Meetings

enum CorrectionColumn: Int32, Columns {
    case session, sequence, attendee, note, before, versionAfter, forgetAt

    static let table = "corrections"
    var writing: ColumnWriting { self == .session || self == .sequence ? .key : .always }

    func bind(_ correction: CorrectionRecord, to parameters: inout Parameters) throws(JournalError) {
        switch self {
        case .session: parameters.bind(correction.sessionID)
        case .sequence: parameters.bind(correction.sequence)
        case .attendee: parameters.bind(correction.attendeeID)
        case .note: parameters.bind(correction.note)
        case .before:
            let before: String? = if let before = correction.before { try JSONText.of(before) } else { nil }
            parameters.bind(before)
        case .versionAfter: parameters.bind(correction.versionAfter)
        case .forgetAt: parameters.bind(correction.forgetAt)
        }
    }
}

enum TraceColumn: Int32, Columns {
    case id, session, intoAttendee, key, checkInGrant

    static let table = "merged_attendees"
    var writing: ColumnWriting { .once }

    func bind(_ trace: MergedTrace, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(trace.id)
        case .session: parameters.bind(trace.sessionID)
        case .intoAttendee: parameters.bind(trace.into)
        case .key: parameters.bind(trace.keys.identity)
        case .checkInGrant: parameters.bind(trace.keys.grant)
        }
    }
}

extension Writing where Column == CorrectionColumn {
    fileprivate static let saveCorrection = save("save correction")
}

extension Writing where Column == TraceColumn {
    fileprivate static let insertTrace = insert("insert trace")
}

extension Query {
    private static let columns = CorrectionColumn.selected()
    private static let traceColumns = TraceColumn.selected()

    fileprivate static let correction = Query(
        "find correction", "SELECT \(columns) FROM corrections WHERE session = ? AND sequence = ?")
    fileprivate static let corrections = Query(
        "list corrections",
        "SELECT \(columns) FROM corrections WHERE session = ? AND sequence BETWEEN ? AND ? ORDER BY sequence")
    fileprivate static let ofAttendee = Query(
        "list an attendee's corrections", "SELECT \(columns) FROM corrections WHERE attendee = ?")
    fileprivate static let newest = Query(
        "list newest corrections",
        """
        SELECT \(CorrectionColumn.selected(of: "c")) FROM corrections c
        WHERE c.session = ?1 AND NOT EXISTS (SELECT 1 FROM events e
            WHERE e.session = c.session AND e.sequence = c.sequence
                AND (e.kind = \(Event.Kind.checkedIn.code)
                    OR e.kind IN (\(Event.Kind.left.code), \(Event.Kind.returned.code)) AND e.actor = ?3))
        ORDER BY c.sequence DESC LIMIT ?2
        """)
    fileprivate static let newestOfAttendee = Query(
        "list newest corrections of an attendee",
        """
        SELECT \(columns) FROM corrections INDEXED BY corrections_by_attendee
        WHERE attendee = ?1 AND session = ?2 ORDER BY sequence DESC LIMIT ?3
        """)
    fileprivate static let renames = Query(
        "list an attendee's renames",
        """
        SELECT \(CorrectionColumn.selected(of: "c"))
        FROM corrections c INDEXED BY corrections_by_attendee
            CROSS JOIN events e ON e.session = c.session AND e.sequence = c.sequence
        WHERE c.attendee = ?1 AND c.session = ?2 AND e.kind = \(Event.Kind.renamed.code) ORDER BY c.sequence
        """)
    fileprivate static let toForget = Query(
        "list corrections to forget",
        """
        SELECT \(columns) FROM corrections INDEXED BY corrections_to_forget
        WHERE forget_at IS NOT NULL AND forget_at <= ? ORDER BY forget_at LIMIT ?
        """)
    fileprivate static let keys = Query(
        "find attendee's keys", "SELECT key, check_in_grant FROM attendees WHERE id = ?")
    fileprivate static let trace = Query(
        "find trace", "SELECT \(traceColumns) FROM merged_attendees WHERE id = ?")
    fileprivate static let traces = Query(
        "list traces", "SELECT \(traceColumns) FROM merged_attendees WHERE into_attendee = ?")
    fileprivate static let hasTraces = Query(
        "find any trace", "SELECT 1 FROM merged_attendees WHERE session = ? LIMIT 1")
    fileprivate static let traceByKey = Query(
        "find trace by key", "SELECT \(traceColumns) FROM merged_attendees WHERE session = ? AND key = ?")
    fileprivate static let traceByGrant = Query(
        "find trace by grant",
        "SELECT \(traceColumns) FROM merged_attendees WHERE session = ? AND check_in_grant = ?")

    fileprivate static let deleteCorrections = Query(
        "delete corrections", "DELETE FROM corrections WHERE attendee = ?")
    fileprivate static let forgetBefore = Query(
        "forget corrections", "UPDATE corrections SET before = NULL, forget_at = NULL WHERE attendee = ?")
    fileprivate static let setKeys = Query(
        "set attendee's keys",
        "UPDATE attendees SET key = ?3, check_in_grant = ?4 WHERE session = ?1 AND id = ?2")
    fileprivate static let deleteTrace = Query("delete trace", "DELETE FROM merged_attendees WHERE id = ?")
}

extension SQLRows {
    package func correction(of session: SessionID, sequence: Int64) throws(JournalError) -> CorrectionRecord?
    {
        try connection.first(.correction, session, sequence, read: Self.correction)
    }

    package func corrections(of session: SessionID, in sequences: ClosedRange<Int64>) throws(JournalError)
        -> [CorrectionRecord]
    {
        try connection.all(
            .corrections, session, sequences.lowerBound, sequences.upperBound, read: Self.correction)
    }

    package func corrections(of attendee: AttendeeID) throws(JournalError) -> [CorrectionRecord] {
        try connection.all(.ofAttendee, attendee, read: Self.correction)
    }

    package func newestCorrections(of session: SessionID, attendee: AttendeeID?, limit: Int)
        throws(JournalError)
        -> [CorrectionRecord]
    {
        guard let attendee else {
            return try connection.all(.newest, session, limit, Event.Actor.attendee, read: Self.correction)
        }
        return try connection.all(.newestOfAttendee, attendee, session, limit, read: Self.correction)
    }

    package func renames(of attendee: AttendeeID, in session: SessionID) throws(JournalError)
        -> [CorrectionRecord]
    {
        try connection.all(.renames, attendee, session, read: Self.correction)
    }

    package func correctionsToForget(at now: Instant, limit: Int) throws(JournalError) -> [CorrectionRecord] {
        try connection.all(.toForget, now, limit, read: Self.correction)
    }

    package func keys(of attendee: AttendeeID) throws(JournalError) -> AttendeeKeys {
        let found = try connection.first(.keys, attendee) {
            AttendeeKeys(identity: $0.textIfAny(0), grant: $0.isNull(1) ? nil : $0.bytes(1))
        }
        return found ?? AttendeeKeys()
    }

    package func trace(of merged: AttendeeID) throws(JournalError) -> MergedTrace? {
        try connection.first(.trace, merged, read: Self.trace)
    }

    package func traces(into attendee: AttendeeID) throws(JournalError) -> [MergedTrace] {
        try connection.all(.traces, attendee, read: Self.trace).sorted { $0.id < $1.id }
    }

    package func hasTraces(in session: SessionID) throws(JournalError) -> Bool {
        try connection.first(.hasTraces, session) { _ in true } ?? false
    }

    /// Returns the newest trace with this key. There can be several, because two attendees with the same key
    /// can both have been merged.
    package func trace(in session: SessionID, key: IdentityKey) throws(JournalError) -> MergedTrace? {
        try connection.all(.traceByKey, session, key, read: Self.trace).max { $0.id < $1.id }
    }

    package func trace(in session: SessionID, grant: [UInt8]) throws(JournalError) -> MergedTrace? {
        try connection.all(.traceByGrant, session, grant, read: Self.trace).max { $0.id < $1.id }
    }

    package func save(_ correction: CorrectionRecord) throws(JournalError) {
        try connection.run(.saveCorrection, correction)
    }

    package func deleteCorrections(of attendee: AttendeeID) throws(JournalError) {
        if try connection.run(.deleteCorrections, attendee) > 0 { try noteErasure() }
    }

    package func forgetBefore(of attendee: AttendeeID) throws(JournalError) {
        if try connection.run(.forgetBefore, attendee) > 0 { try noteErasure() }
    }

    package func setKeys(_ keys: AttendeeKeys, of attendee: Attendee) throws(JournalError) {
        try connection.run(.setKeys, attendee.sessionID, attendee.id, keys.identity, keys.grant)
    }

    package func insert(_ trace: MergedTrace) throws(JournalError) {
        try connection.run(.insertTrace, trace)
    }

    package func deleteTrace(of merged: AttendeeID) throws(JournalError) {
        if try connection.run(.deleteTrace, merged) > 0 { try noteErasure() }
    }

    private static func correction(_ row: Row) throws(JournalError) -> CorrectionRecord {
        let cells = Cells<CorrectionColumn>(row)
        return CorrectionRecord(
            sessionID: try cells.id(.session), sequence: cells.int64(.sequence),
            attendeeID: cells.idIfAny(.attendee), note: cells.text(.note),
            // If another version of the program wrote a correction that this version cannot read, the
            // correction cannot be undone. This has no other effect.
            before: cells.isNull(.before) ? nil : try? cells.json(.before),
            versionAfter: cells.int(.versionAfter), forgetAt: cells.instantIfAny(.forgetAt))
    }

    private static func trace(_ row: Row) throws(JournalError) -> MergedTrace {
        let cells = Cells<TraceColumn>(row)
        return MergedTrace(
            id: try cells.id(.id), sessionID: try cells.id(.session), into: try cells.id(.intoAttendee),
            keys: AttendeeKeys(
                identity: cells.textIfAny(.key), grant: cells.bytesIfAny(.checkInGrant)))
    }
}
