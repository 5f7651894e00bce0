package import Journal
package import Meetings

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
    package func events(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError)
        -> [Event]
    {
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

    package func append(_ event: Event) throws(JournalError) {
        let data = event.data
        let changes: String? = if let changes = data.changes { try JSONText.of(changes) } else { nil }
        try connection.runLater(.appendEvent) {
            $0.bind(event.sessionID)
            $0.bind(event.sequence)
            $0.bind(event.at)
            $0.bind(event.kind.code)
            $0.bind(event.attendeeID)
            $0.bind(event.actor)
            $0.bind(data.status?.code)
            $0.bind(data.before?.code)
            $0.bind(data.method?.code)
            $0.bind(data.walkIn)
            $0.bind(data.codeAge)
            $0.bind(data.set)
            $0.bind(data.fields?.joined(separator: "\n"))
            $0.bind(data.recomputed)
            $0.bind(data.into)
            $0.bind(data.undoes)
            $0.bind(changes)
            $0.bind(data.link)
            $0.bind(data.grantAge)
            $0.bind(data.question)
            $0.bind(data.intoQuestion)
        }
    }

    private static func fields(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}
