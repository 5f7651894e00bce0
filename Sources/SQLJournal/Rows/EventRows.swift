package import Journal
package import Meetings

/// An event, with its changes as JSON.
struct EventRow {
    let event: Event
    let changes: String?
}

enum EventColumn: Int32, Columns {
    case session, sequence, at, kind, attendee, actor, status, statusBefore, method, walkIn, codeAge, setName
    case fields, recomputed, intoAttendee, undoes, changes, presenterLink, grantAge, audienceQuestion
    case intoQuestion

    static let table = "events"
    /// Events never change.
    var writing: ColumnWriting { .once }

    func bind(_ row: EventRow, to parameters: inout Parameters) {
        switch self {
        case .session: parameters.bind(row.event.sessionID)
        case .sequence: parameters.bind(row.event.sequence)
        case .at: parameters.bind(row.event.at)
        case .kind: parameters.bind(row.event.kind.code)
        case .attendee: parameters.bind(row.event.attendeeID)
        case .actor: parameters.bind(row.event.actor)
        case .status: parameters.bind(row.event.data.status?.code)
        case .statusBefore: parameters.bind(row.event.data.before?.code)
        case .method: parameters.bind(row.event.data.method?.code)
        case .walkIn: parameters.bind(row.event.data.walkIn)
        case .codeAge: parameters.bind(row.event.data.codeAge)
        case .setName: parameters.bind(row.event.data.set)
        case .fields: parameters.bind(row.event.data.fields?.joined(separator: "\n"))
        case .recomputed: parameters.bind(row.event.data.recomputed)
        case .intoAttendee: parameters.bind(row.event.data.into)
        case .undoes: parameters.bind(row.event.data.undoes)
        case .changes: parameters.bind(row.changes)
        case .presenterLink: parameters.bind(row.event.data.link)
        case .grantAge: parameters.bind(row.event.data.grantAge)
        case .audienceQuestion: parameters.bind(row.event.data.question)
        case .intoQuestion: parameters.bind(row.event.data.intoQuestion)
        }
    }
}

extension Writing where Column == EventColumn {
    fileprivate static let appendEvent = insert("append event")
}

extension Query {
    fileprivate static let events = Query(
        "list events",
        """
        SELECT \(EventColumn.selected()) FROM events
        WHERE session = ? AND sequence > ? ORDER BY sequence LIMIT ?
        """)
}

extension SQLRows {
    package func events(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError)
        -> [Event]
    {
        try connection.all(.events, session, sequence, limit) { row throws(JournalError) in
            let cells = Cells<EventColumn>(row)
            let data = EventData(
                status: try cells.codeIfAny(.status), before: try cells.codeIfAny(.statusBefore),
                method: try cells.codeIfAny(.method), walkIn: cells.boolIfAny(.walkIn),
                codeAge: cells.intIfAny(.codeAge), grantAge: cells.intIfAny(.grantAge),
                set: cells.textIfAny(.setName), fields: cells.textIfAny(.fields).map(Self.fields),
                recomputed: cells.intIfAny(.recomputed), into: cells.idIfAny(.intoAttendee),
                undoes: cells.int64IfAny(.undoes), changes: try cells.jsonIfAny(.changes),
                link: cells.idIfAny(.presenterLink), question: cells.idIfAny(.audienceQuestion),
                intoQuestion: cells.idIfAny(.intoQuestion))
            return Event(
                sessionID: session, sequence: cells.int64(.sequence), at: cells.instant(.at),
                kind: try cells.code(.kind), attendeeID: cells.idIfAny(.attendee),
                actor: try cells.actor(.actor), data: data)
        }
    }

    package func append(_ event: Event) throws(JournalError) {
        let changes: String? = if let changes = event.data.changes { try JSONText.of(changes) } else { nil }
        try connection.runLater(.appendEvent, EventRow(event: event, changes: changes))
    }

    private static func fields(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}
