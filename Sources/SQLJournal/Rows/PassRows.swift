package import Journal
package import Meetings

enum PassColumn: Int32, Columns {
    case id, person, session, createdAt, revokedAt

    static let table = "passes"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        case .person, .session, .createdAt: .once
        case .revokedAt: .always
        }
    }

    func bind(_ pass: Pass, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(pass.id)
        case .person: parameters.bind(pass.person)
        case .session: parameters.bind(pass.session)
        case .createdAt: parameters.bind(pass.createdAt)
        case .revokedAt: parameters.bind(pass.revokedAt)
        }
    }
}

enum PassKeyColumn: Int32, Columns {
    case meeting, number, publicKey, secret, createdAt

    static let table = "pass_keys"

    var writing: ColumnWriting {
        switch self {
        case .meeting, .number: .key
        case .publicKey, .secret, .createdAt: .once
        }
    }

    func bind(_ key: PassKey, to parameters: inout Parameters) {
        switch self {
        case .meeting: parameters.bind(key.meeting)
        case .number: parameters.bind(key.number)
        case .publicKey: parameters.bind(key.publicKey)
        case .secret: parameters.bind(key.secret)
        case .createdAt: parameters.bind(key.createdAt)
        }
    }
}

extension Writing where Column == PassColumn {
    fileprivate static let insertPass = insert("insert pass")
    fileprivate static let updatePass = update("update pass")
}

extension Writing where Column == PassKeyColumn {
    fileprivate static let insertPassKey = insert("insert key of passes")
}

extension Query {
    private static let columns = PassColumn.selected()
    private static let keyColumns = PassKeyColumn.selected()
    // The statuses 1 (present) and 2 (late) count as checked in.
    fileprivate static let admittedCount = Query(
        "count admissions of a door",
        """
        SELECT count(*) FROM attendees INDEXED BY attendees_by_door
        WHERE session = ? AND door = ? AND status IN (1, 2)
        """)
    fileprivate static let pass = Query("find pass", "SELECT \(columns) FROM passes WHERE id = ?")
    fileprivate static let passesOfPerson = Query(
        "list a person's passes",
        "SELECT \(columns) FROM passes WHERE person = ? ORDER BY created_at, id LIMIT \(Pass.mostOfPerson)")
    fileprivate static let deletePass = Query("delete pass", "DELETE FROM passes WHERE id = ?")
    fileprivate static let passKey = Query(
        "find key of passes", "SELECT \(keyColumns) FROM pass_keys WHERE meeting = ? AND number = ?")
    fileprivate static let newestPassKey = Query(
        "find newest key of passes",
        "SELECT \(keyColumns) FROM pass_keys WHERE meeting = ? ORDER BY number DESC LIMIT 1")
    fileprivate static let passKeys = Query(
        "list keys of passes", "SELECT \(keyColumns) FROM pass_keys WHERE meeting = ? ORDER BY number")
    fileprivate static let passesInSlots = Query(
        "list passes of a session",
        """
        SELECT \(PassColumn.selected(of: "p")), a.id
        FROM attendees a CROSS JOIN places o ON o.attendee = a.id CROSS JOIN passes p ON p.person = o.person
        WHERE a.session = ? AND a.id > ? AND a.id <= ? ORDER BY a.id
        """)
}

extension SQLRows {
    package func admittedCount(at door: Int, of session: SessionID) throws(JournalError) -> Int {
        try connection.first(.admittedCount, session, door) { $0.int(0) } ?? 0
    }

    package func pass(_ id: PassID) throws(JournalError) -> Pass? {
        try connection.first(.pass, id) { row throws(JournalError) in try row.pass() }
    }

    package func passes(of person: PersonID) throws(JournalError) -> [Pass] {
        try connection.all(.passesOfPerson, person) { row throws(JournalError) in try row.pass() }
    }

    package func passKey(_ number: Int, of meeting: MeetingID) throws(JournalError) -> PassKey? {
        try connection.first(.passKey, meeting, number) { row throws(JournalError) in try row.passKey() }
    }

    package func newestPassKey(of meeting: MeetingID) throws(JournalError) -> PassKey? {
        try connection.first(.newestPassKey, meeting) { row throws(JournalError) in try row.passKey() }
    }

    package func passKeys(of meeting: MeetingID) throws(JournalError) -> [PassKey] {
        try connection.all(.passKeys, meeting) { row throws(JournalError) in try row.passKey() }
    }

    package func passes(inSlotsOf session: SessionID, after first: AttendeeID?, through last: AttendeeID)
        throws(JournalError) -> [(attendee: AttendeeID, pass: Pass)]
    {
        try connection.all(.passesInSlots, session, first ?? AttendeeID(high: 0, low: 0), last) {
            row throws(JournalError) in (try row.id(PassColumn.selectedCount), try row.pass())
        }
    }

    package func insert(_ pass: Pass) throws(JournalError) { try connection.run(.insertPass, pass) }

    package func update(_ pass: Pass) throws(JournalError) { try connection.run(.updatePass, pass) }

    package func delete(_ pass: PassID) throws(JournalError) { try connection.run(.deletePass, pass) }

    package func insert(_ key: PassKey) throws(JournalError) { try connection.run(.insertPassKey, key) }
}

extension Row {
    fileprivate func pass() throws(JournalError) -> Pass {
        let cells = Cells<PassColumn>(self)
        return Pass(
            id: try cells.id(.id), person: try cells.id(.person), session: cells.idIfAny(.session),
            createdAt: cells.instant(.createdAt), revokedAt: cells.instantIfAny(.revokedAt))
    }

    fileprivate func passKey() throws(JournalError) -> PassKey {
        let cells = Cells<PassKeyColumn>(self)
        return PassKey(
            meeting: try cells.id(.meeting), number: cells.int(.number), publicKey: cells.bytes(.publicKey),
            secret: cells.bytes(.secret), createdAt: cells.instant(.createdAt))
    }
}
