import Journal
import Meetings

extension Query {
    private static let columns = """
        session, sequence, at, kind, attendee, actor, status, status_before, method, walk_in, code_age,
            set_name, fields, recomputed,
        into_attendee, undoes, changes, presenter_link, grant_age, audience_question, into_question
        """

    fileprivate static let events = Query(
        "list events",
        "SELECT \(columns) FROM events WHERE session = ? AND sequence > ? ORDER BY sequence LIMIT ?")
    fileprivate static let appendEvent = Query(
        "append event",
        "INSERT INTO events (\(columns)) VALUES ("
            + "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
}

extension SQLRows {
    func events(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Event] {
        try connection.all(.events, session, sequence, limit) { row throws(JournalError) in
            let data = EventData(
                status: try row.codeIfAny(6), before: try row.codeIfAny(7), method: try row.codeIfAny(8),
                walkIn: row.boolIfAny(9),
                codeAge: row.intIfAny(10), grantAge: row.intIfAny(18), set: row.textIfAny(11),
                fields: row.textIfAny(12).map(Self.fields),
                recomputed: row.intIfAny(13),
                into: row.idIfAny(14),
                undoes: row.isNull(15) ? nil : row.int64(15),
                changes: row.isNull(16) ? nil : try row.json(16), link: row.idIfAny(17),
                question: row.idIfAny(19), intoQuestion: row.idIfAny(20))
            return Event(
                sessionID: session, sequence: row.int64(1), at: row.instant(2), kind: try row.code(3),
                attendeeID: row.idIfAny(4),
                actor: try row.actor(5), data: data)
        }
    }

    func append(_ event: Event) throws(JournalError) {
        let data = event.data
        let changes: String? = if let changes = data.changes { try JSONText.of(changes) } else { nil }
        try connection.run(
            .appendEvent, event.sessionID, event.sequence, event.at, event.kind.code, event.attendeeID,
            event.actor, data.status?.code,
            data.before?.code, data.method?.code, data.walkIn, data.codeAge, data.set,
            data.fields?.joined(separator: "\n"),
            data.recomputed,
            data.into, data.undoes, changes, data.link, data.grantAge, data.question, data.intoQuestion)
    }

    private static func fields(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}
