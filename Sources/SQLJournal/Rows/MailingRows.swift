package import Journal
package import Meetings

enum MailingColumn: Int32, Columns {
    case session, kind, last, mailed, isDone

    static let table = "mailings"
    var writing: ColumnWriting { self == .session || self == .kind ? .key : .always }

    func bind(_ mailing: Mailing, to parameters: inout Parameters) {
        switch self {
        case .session: parameters.bind(mailing.session)
        case .kind: parameters.bind(mailing.kind.code)
        case .last: parameters.bind(mailing.last)
        case .mailed: parameters.bind(mailing.mailed)
        case .isDone: parameters.bind(mailing.isDone)
        }
    }
}

extension Writing where Column == MailingColumn {
    fileprivate static let saveMailing = save("save mailing")
}

extension Query {
    private static func sessionsToMail(
        _ operation: String, _ column: String, _ index: String,
        of meetings: String = "meetings_with_reminders", where isSwitchedOn: String = "m.reminders > 0"
    ) -> Query {
        Query(
            operation,
            """
            SELECT s.id, m.id FROM meetings m INDEXED BY \(meetings)
            CROSS JOIN sessions s INDEXED BY \(index) ON s.meeting = m.id
            WHERE \(isSwitchedOn) AND m.id >= ?5 AND (m.id > ?5 OR s.id > ?6)
                AND s.\(column) >= ?2 AND s.\(column) < ?3
                AND NOT EXISTS (SELECT 1 FROM mailings d
                    WHERE d.session = s.id AND d.kind = ?1 AND d.is_done = 1)
                AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = m.id)
            ORDER BY m.id, s.id LIMIT ?4
            """)
    }
    fileprivate static let sessionsStarting = sessionsToMail(
        "list sessions to announce", "starts_at", "sessions_by_start_and_round")
    fileprivate static let sessionsEnding = sessionsToMail(
        "list sessions with feedback to announce", "ends_at", "sessions_by_end")
    fileprivate static let sessionsWithAbsences = sessionsToMail(
        "list sessions whose absences to mail", "ends_at", "sessions_by_end",
        of: "meetings_with_absence_mails", where: "m.absence_mail = 1")
    fileprivate static let sessionsChanged = Query(
        "list sessions whose mailing has begun",
        """
        SELECT d.session, s.meeting FROM mailings d INDEXED BY mailings_begun
        CROSS JOIN sessions s ON s.id = d.session
        WHERE d.kind = ?1 AND d.is_done = 0 AND d.session > ?3
            AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = d.session)
        ORDER BY d.session LIMIT ?2
        """)
    fileprivate static let mailing = Query(
        "find mailing", "SELECT \(MailingColumn.selected()) FROM mailings WHERE session = ? AND kind = ?")
    fileprivate static let cancellations = Query(
        "list cancellations", "SELECT announced, language, last FROM cancellations WHERE session > ? LIMIT ?")
    fileprivate static let cancellationsOfMeeting = Query(
        "list a meeting's cancellations",
        """
        SELECT announced, language, last FROM cancellations INDEXED BY cancellations_by_meeting
        WHERE meeting = ? LIMIT ?
        """)
    fileprivate static let saveCancellation = Query(
        "save cancellation",
        """
        INSERT INTO cancellations (session, meeting, announced, language, last) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (session) DO UPDATE SET last = excluded.last
        """)
    fileprivate static let unsubscriptions = Query(
        "list unsubscriptions",
        "SELECT meeting FROM unsubscriptions WHERE recipient_key = ? ORDER BY meeting NULLS FIRST LIMIT 10000"
    )
    fileprivate static let deleteCancellation = Query(
        "delete cancellation", "DELETE FROM cancellations WHERE session = ?")
    static let peopleToMail = Query(
        "list people to mail",
        """
        SELECT \(rosterPersonColumns) FROM people INDEXED BY people_to_mail
        WHERE meeting = ? AND id > ? AND archived = 0 AND email_key IS NOT NULL ORDER BY id LIMIT ?
        """)
    fileprivate static let isUnsubscribed = Query(
        "find unsubscription",
        """
        SELECT 1 FROM unsubscriptions INDEXED BY unsubscriptions_by_recipient
        WHERE recipient_key = ?1 AND (meeting IS NULL OR meeting = ?2) LIMIT 1
        """)
    fileprivate static let unsubscribe = Query(
        "unsubscribe", "INSERT INTO unsubscriptions VALUES (?, ?, ?)")
    fileprivate static let forgetUnsubscription = Query(
        "forget unsubscription", "DELETE FROM unsubscriptions WHERE recipient_key = ? AND meeting = ?")
    fileprivate static let forgetUnsubscriptions = Query(
        "forget unsubscriptions", "DELETE FROM unsubscriptions WHERE recipient_key = ?")
}

/// The type of the ids of rows in `unsubscriptions`.
private enum Unsubscription {}

extension SQLRows {
    package func sessionsToMail(
        _ kind: Mailing.Kind, in range: Range<Instant>?, after last: SessionToMail?, limit: Int
    ) throws(JournalError) -> [SessionToMail] {
        func session(_ row: Row) throws(JournalError) -> SessionToMail {
            SessionToMail(try row.id(0), of: try row.id(1))
        }
        let id = last?.id ?? SessionID(high: 0, low: 0)
        guard let range else {
            return try connection.all(.sessionsChanged, kind.code, limit, id, read: session)
        }
        let query: Query =
            switch kind {
            case .feedback: .sessionsEnding
            case .absences: .sessionsWithAbsences
            case .dayBefore, .hourBefore, .moved: .sessionsStarting
            }
        return try connection.all(
            query, kind.code, range.lowerBound,
            range.upperBound, limit, last?.meeting ?? MeetingID(high: 0, low: 0), id, read: session)
    }

    package func mailing(_ kind: Mailing.Kind, of session: SessionID) throws(JournalError) -> Mailing? {
        try connection.first(.mailing, session, kind.code) { row throws(JournalError) in
            let cells = Cells<MailingColumn>(row)
            return Mailing(
                of: try cells.id(.session), try cells.code(.kind), last: cells.idIfAny(.last),
                mailed: cells.int(.mailed), isDone: cells.bool(.isDone))
        }
    }

    package func cancellations(of meeting: MeetingID?, limit: Int) throws(JournalError) -> [Cancellation] {
        func cancellation(_ row: Row) throws(JournalError) -> Cancellation {
            Cancellation(of: try row.json(0), in: row.text(1), last: row.idIfAny(2))
        }
        guard let meeting else {
            return try connection.all(
                .cancellations, SessionID(high: 0, low: 0), limit, read: cancellation)
        }
        return try connection.all(.cancellationsOfMeeting, meeting, limit, read: cancellation)
    }

    package func peopleToMail(of meeting: MeetingID, after last: PersonID?, limit: Int) throws(JournalError)
        -> [Person]
    {
        try connection.all(
            .peopleToMail, meeting, last ?? PersonID(high: 0, low: 0), limit, read: Self.person)
    }

    package func isUnsubscribed(_ recipient: IdentityKey, from meeting: MeetingID) throws(JournalError)
        -> Bool
    {
        try connection.first(.isUnsubscribed, recipient, meeting) { _ in true } ?? false
    }

    package func unsubscriptions(of recipient: IdentityKey) throws(JournalError) -> [MeetingID?] {
        try connection.all(.unsubscriptions, recipient) { $0.idIfAny(0) }
    }

    package func save(_ mailing: Mailing) throws(JournalError) {
        try connection.run(.saveMailing, mailing)
    }

    package func save(_ cancellation: Cancellation) throws(JournalError) {
        let announced = cancellation.announced
        try connection.run(
            .saveCancellation, announced.session, announced.meeting, try JSONText.of(announced),
            cancellation.language, cancellation.last)
    }

    package func deleteCancellation(of session: SessionID) throws(JournalError) {
        try connection.run(.deleteCancellation, session)
    }

    package func unsubscribe(_ recipient: IdentityKey, from meeting: MeetingID?) throws(JournalError) {
        if let meeting, try isUnsubscribed(recipient, from: meeting) { return }
        if meeting == nil { try connection.run(.forgetUnsubscriptions, recipient) }
        try connection.run(.unsubscribe, ID<Unsubscription>.makeTimeless(), recipient, meeting)
    }

    package func forgetUnsubscription(_ recipient: IdentityKey, from meeting: MeetingID?) throws(JournalError)
    {
        let count =
            if let meeting {
                try connection.run(.forgetUnsubscription, recipient, meeting)
            } else {
                try connection.run(.forgetUnsubscriptions, recipient)
            }
        if count > 0 { try noteErasure() }
    }
}

extension Mailing.Kind: Coded {
    package static let cases = allCases
    package var code: Int { rawValue }
}
