import Journal
import Meetings
import SQLJournal

/// Checks the sequences of events, the content of events, and the attendees who arrived by events.
extension Connection {
    /// The kinds of events by which an attendee leaves a session.
    static let leavingKinds =
        "("
        + [Event.Kind.withdrawn, .merged, .removed, .undone, .redone].map { String($0.code) }
        .joined(separator: ", ") + ")"
    private static let most = Verification.mostOfAKind
    private static let checkedIn = Event.Kind.checkedIn.code
    private static let coming =
        "("
        + [Event.Kind.checkedIn, .added, .corrected, .undone, .redone].map { String($0.code) }
        .joined(separator: ", ") + ")"
    private static let leaving = leavingKinds

    // The first missing sequence follows the lowest sequence that has no successor.
    private static let gaps = Query(
        "check sequences",
        """
        SELECT session, count(*), max(sequence), coalesce(
            (SELECT min(f.sequence) + 1 FROM events f WHERE f.session = e.session AND f.sequence > 0
                AND NOT EXISTS (SELECT 1 FROM events n
                    WHERE n.session = f.session AND n.sequence = f.sequence + 1)), 1),
            min(sequence)
        FROM events e GROUP BY session HAVING count(*) <> max(sequence) OR min(sequence) <> 1 LIMIT \(most)
        """)
    private static let counters = Query(
        "check counters",
        """
        SELECT s.id, s.sequence, coalesce((SELECT max(sequence) FROM events WHERE session = s.id), 0) AS last
            FROM sessions s
        WHERE s.sequence <> last LIMIT \(most)
        """)
    // The columns of an event may hold only the numbers of enumeration cases, ids, and names of fields and
    // sets.
    private static let data = Query(
        "check event data",
        """
        SELECT session, sequence FROM events WHERE
            kind NOT BETWEEN 0 AND \(Event.Kind.cases.count - 1)
            OR (attendee IS NOT NULL AND length(attendee) <> 16)
            OR (presenter_link IS NOT NULL AND length(presenter_link) <> 16)
            OR (into_attendee IS NOT NULL AND length(into_attendee) <> 16)
            OR (audience_question IS NOT NULL AND length(audience_question) <> 16)
            OR (into_question IS NOT NULL AND length(into_question) <> 16)
            OR undoes NOT BETWEEN 1 AND sequence - 1
            OR NOT (typeof(actor) = 'blob' AND length(actor) = 16 OR typeof(actor) = 'integer'
                    AND actor IN (0, 1))
            OR status NOT BETWEEN 0 AND \(RecordedStatus.cases.count - 1)
            OR status_before NOT BETWEEN 0 AND \(RecordedStatus.cases.count - 1)
            OR method NOT BETWEEN 0 AND \(CheckInMethod.cases.count - 1)
            OR walk_in NOT IN (0, 1) OR code_age < 0 OR grant_age < 0 OR recomputed < 0
            OR length(set_name) NOT BETWEEN 1 AND 40 OR set_name GLOB '*[^a-z0-9-]*'
            OR changes IS NOT NULL AND CASE WHEN json_valid(changes) THEN
                EXISTS (SELECT 1 FROM json_each(changes) c WHERE CASE WHEN c.type = 'object' THEN
                    c.value ->> 'field' GLOB '*[^a-zA-Z]*' OR \(strange("from")) OR \(strange("to"))
                    OR json_remove(c.value, '$.field', '$.from', '$.to') <> '{}'
                ELSE 1 END)
            ELSE 1 END
            OR length(fields) > 1000 OR replace(fields, char(10), '') GLOB '*[^a-zA-Z]*'
                OR char(10) || fields GLOB '*' || char(10) || '[^a-z]*'
        ORDER BY session, sequence LIMIT \(most)
        """)
    /// The values of fields that are neither times nor numbers.
    private static let knownValues =
        CodeKind.allCases.map(\.rawValue) + CheckOut.allCases.map(\.rawValue)
        + AudienceQuestion.Status.allCases.map(\.rawValue)
        + AudienceQuestion.Promise.allCases.map(\.rawValue)
        + AudienceSettings.Moderation.allCases.map(\.rawValue)
        + TextModeration.allCases.map(\.rawValue) + TextStatus.allCases.map(\.rawValue) + ["true", "false"]
    /// Returns an SQL condition that is true if the value is neither a time, a number, nor a known value.
    private static func strange(_ side: String) -> String {
        let kinds = Set(knownValues).sorted().map { "'\($0)'" }.joined(separator: ", ")
        return "(c.value ->> '\(side)' GLOB '*[^0-9TZ:.-]*' AND c.value ->> '\(side)' NOT IN (\(kinds)))"
    }
    private static let columns = Query(
        "check the columns of events", "SELECT name FROM pragma_table_info('events')")
    private static let knownColumns: Set = [
        "session", "sequence", "at", "kind", "attendee", "actor", "status", "status_before", "method",
        "walk_in", "code_age", "grant_age", "set_name",
        "fields", "recomputed", "into_attendee", "undoes", "changes", "presenter_link",
        "audience_question", "into_question",
    ]
    private static let headCounts = Query(
        "recount attendees",
        """
        SELECT s.id, s.pending, s.present, s.late, s.absent, s.excused, s.walk_ins,
            s.left_count, count(a.id) FILTER (WHERE a.status = 0), count(a.id) FILTER (WHERE a.status = 1),
            count(a.id) FILTER (WHERE a.status = 2), count(a.id) FILTER (WHERE a.status = 3),
            count(a.id) FILTER (WHERE a.status = 4), count(a.id) FILTER (WHERE a.walk_in),
            count(a.id) FILTER (WHERE \(Stays.isOutside))
        FROM sessions s LEFT JOIN attendees a ON a.session = s.id GROUP BY s.id
        """)
    private static let countNames = ["pending", "present", "late", "absent", "excused", "walkIns", "left"]
    private static let withoutEvent = Query(
        "check arrivals",
        """
        SELECT a.session, a.id, a.arrival_sequence FROM attendees a
        LEFT JOIN events e ON e.session = a.session AND e.sequence = a.arrival_sequence
        WHERE a.arrival_sequence > 0 AND NOT (e.kind IN \(coming) AND e.attendee IS a.id
            OR e.kind = \(Event.Kind.merged.code) AND e.into_attendee IS a.id) LIMIT \(most)
        """)
    // Find the attendees who checked in, have no record, and did not leave by a later event. The subquery
    // reads the last departure of every attendee once. A search of the journal for each attendee would take
    // quadratic time if all attendees left.
    private static let lost = Query(
        "check check-ins",
        """
        WITH departures(session, attendee, last) AS MATERIALIZED (
            SELECT session, attendee, max(sequence) FROM events
                WHERE kind IN \(leaving) AND attendee IS NOT NULL GROUP BY session, attendee)
        SELECT e.session, e.attendee, e.sequence FROM events e
        LEFT JOIN attendees a ON a.session = e.session AND a.id = e.attendee
        LEFT JOIN departures d ON d.session = e.session AND d.attendee = e.attendee AND d.last > e.sequence
        WHERE e.kind = \(checkedIn) AND a.id IS NULL AND d.last IS NULL
        LIMIT \(most)
        """)

    func journalGaps() throws(JournalError) -> [Fault] {
        try all(Self.gaps) { row in
            let firstMissing = row.int64(4) == 1 ? row.int64(3) : 1
            return Fault(
                .journalGap, row.idIfAny(0),
                ["events": "\(row.int64(1))", "last": "\(row.int64(2))", "missing": "\(firstMissing)"])
        }
    }

    func counterDifferences() throws(JournalError) -> [Fault] {
        try all(Self.counters) {
            Fault(.counterDiffers, $0.idIfAny(0), ["stored": "\($0.int64(1))", "counted": "\($0.int64(2))"])
        }
    }

    func unknownEventData() throws(JournalError) -> [Fault] {
        let columns = try all(Self.columns) { $0.text(0) }
        let unknown = Set(columns).subtracting(Self.knownColumns).sorted()
        let ofTheTable = unknown.map { Fault(.unknownEventData, nil, ["sequence": "–", "column": $0]) }
        return try ofTheTable
            + all(Self.data) { Fault(.unknownEventData, $0.idIfAny(0), ["sequence": "\($0.int64(1))"]) }
    }

    func headCountDifferences() throws(JournalError) -> [Fault] {
        let found: [[Fault]] = try all(Self.headCounts) { row in
            Self.countNames.indices.compactMap { index in
                let (stored, counted) = (
                    row.int(Int32(index + 1)), row.int(Int32(index + 1 + Self.countNames.count))
                )
                if stored == counted { return nil }
                return Fault(
                    .headCountDiffers, row.idIfAny(0),
                    ["what": Self.countNames[index], "stored": "\(stored)", "counted": "\(counted)"])
            }
        }
        return Array(found.joined().prefix(Self.most))
    }

    func arrivalsWithoutEvents() throws(JournalError) -> [Fault] {
        try arrivals(Self.withoutEvent, .arrivalWithoutEvent)
    }
    func lostArrivals() throws(JournalError) -> [Fault] { try arrivals(Self.lost, .arrivalLost) }

    private func arrivals(_ query: Query, _ kind: Fault.Kind) throws(JournalError) -> [Fault] {
        try all(query) { row in
            let attendee: AttendeeID? = row.idIfAny(1)
            return Fault(
                kind, row.idIfAny(0), ["attendee": attendee?.text ?? "–", "sequence": "\(row.int64(2))"])
        }
    }
}

/// Checks that each offline door has the entries of its session from 1 to its last number, without gaps.
extension Connection {
    private static let doorEntries = Query(
        "check entries of offline doors",
        """
        SELECT s.session, s.id, s.received, count(e.number) AS found FROM satellites s
            LEFT JOIN door_entries e ON e.satellite = s.id AND e.session = s.session
                AND e.number BETWEEN 1 AND s.received
        GROUP BY s.id HAVING found <> s.received
            OR EXISTS (SELECT 1 FROM door_entries o WHERE o.satellite = s.id
                AND NOT (o.session = s.session AND o.number BETWEEN 1 AND s.received))
        LIMIT \(most)
        """)

    func doorEntryDifferences() throws(JournalError) -> [Fault] {
        try all(Self.doorEntries) { row in
            let satellite: SatelliteID? = row.idIfAny(1)
            return Fault(
                .doorEntriesDiffer, row.idIfAny(0),
                [
                    "satellite": satellite?.text ?? "–", "stored": "\(row.int64(2))",
                    "counted": "\(row.int64(3))",
                ])
        }
    }
}

/// Checks that each roster slot names an attendee of its session and a person of its meeting, and checks the
/// keys for finding attendees.
extension Connection {
    private static let strayRosterSlots = Query(
        "check roster slots",
        """
        SELECT p.session, p.attendee FROM places p LEFT JOIN attendees a ON a.id = p.attendee
            LEFT JOIN sessions s ON s.id = a.session
        LEFT JOIN people q ON q.id = p.person
        WHERE a.session IS NOT p.session OR q.meeting IS NOT s.meeting LIMIT \(most)
        """)
    // `IdentityKey` folds the keys, which SQL cannot do. A key that is made from a name is stored only with
    // the person.
    private static let keys = Query(
        "check keys",
        "SELECT session, id, identity, key FROM attendees WHERE key IS NOT NULL AND identity <> ''")

    func strayRosterSlots() throws(JournalError) -> [Fault] {
        try all(Self.strayRosterSlots) { row in
            let attendee: AttendeeID? = row.idIfAny(1)
            return Fault(.placeElsewhere, row.idIfAny(0), ["attendee": attendee?.text ?? "–"])
        }
    }

    func keyDifferences() throws(JournalError) -> [Fault] {
        let found: [Fault?] = try all(Self.keys) { row in
            if IdentityKey(row.text(2)).text == row.text(3) { return nil }
            let attendee: AttendeeID? = row.idIfAny(1)
            return Fault(.keyDiffers, row.idIfAny(0), ["attendee": attendee?.text ?? "–"])
        }
        return Array(found.compactMap { $0 }.prefix(Self.most))
    }
}
