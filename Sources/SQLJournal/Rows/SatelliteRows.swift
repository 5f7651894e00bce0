package import Journal
package import Meetings

enum SatelliteColumn: Int32, Columns {
    case id, session, name, door, hasNames, hasNumbers, sealingKey, createdAt, createdBy, codeHash, tokenHash
    case publicKey, joinedAt, seenAt, clockAhead, revokedAt, received

    static let table = "satellites"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        case .session, .name, .door, .hasNames, .hasNumbers, .sealingKey, .createdAt, .createdBy: .once
        default: .always
        }
    }

    func bind(_ satellite: Satellite, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(satellite.id)
        case .session: parameters.bind(satellite.session)
        case .name: parameters.bind(satellite.name)
        case .door: parameters.bind(satellite.door)
        case .hasNames: parameters.bind(satellite.hasNames)
        case .hasNumbers: parameters.bind(satellite.hasNumbers)
        case .sealingKey: parameters.bind(satellite.sealingKey)
        case .createdAt: parameters.bind(satellite.createdAt)
        case .createdBy: parameters.bind(satellite.createdBy)
        case .codeHash: parameters.bind(satellite.codeHash)
        case .tokenHash: parameters.bind(satellite.tokenHash)
        case .publicKey: parameters.bind(satellite.publicKey)
        case .joinedAt: parameters.bind(satellite.joinedAt)
        case .seenAt: parameters.bind(satellite.seenAt)
        case .clockAhead: parameters.bind(satellite.offset)
        case .revokedAt: parameters.bind(satellite.revokedAt)
        case .received: parameters.bind(satellite.received)
        }
    }
}

enum DoorEntryColumn: Int32, Columns {
    case satellite, number, session, attendee, content, receivedAt, state

    static let table = "door_entries"

    var writing: ColumnWriting {
        switch self {
        case .satellite, .number: .key
        case .session, .content, .receivedAt: .once
        case .state, .attendee: .always
        }
    }

    func bind(_ stored: StoredDoorEntry, to parameters: inout Parameters) {
        switch self {
        case .satellite: parameters.bind(stored.entry.satellite)
        case .number: parameters.bind(stored.entry.number)
        case .session: parameters.bind(stored.session)
        case .attendee: parameters.bind(stored.attendee)
        case .content: parameters.bind(stored.entry.bytes)
        case .receivedAt: parameters.bind(stored.receivedAt)
        case .state: parameters.bind(stored.state.code)
        }
    }
}

enum DoorRecordColumn: Int32, Columns {
    case attendee, session, moves, method, door, settled, doubles

    static let table = "door_records"

    var writing: ColumnWriting {
        switch self {
        case .attendee: .key
        case .session: .once
        default: .always
        }
    }

    func bind(_ record: DoorRecord, to parameters: inout Parameters) {
        switch self {
        case .attendee: parameters.bind(record.attendee)
        case .session: parameters.bind(record.session)
        case .moves: parameters.bind(Stays.stored(record.moves))
        case .method: parameters.bind(record.method?.code)
        case .door: parameters.bind(record.door)
        case .settled: parameters.bind(Stays.stored(record.settled))
        case .doubles: parameters.bind(record.doubles)
        }
    }
}

extension StoredDoorEntry.State: Coded {
    package static let cases: [StoredDoorEntry.State] = [.merged, .overruled, .held, .rejected]
    package var code: Int {
        switch self {
        case .merged: 0
        case .overruled: 1
        case .held: 2
        case .rejected: 3
        }
    }
}

extension Writing where Column == SatelliteColumn {
    fileprivate static let insertSatellite = insert("insert offline door")
    fileprivate static let updateSatellite = update("update offline door")
}

extension Writing where Column == DoorEntryColumn {
    fileprivate static let insertDoorEntry = insert("insert entry of an offline door")
    fileprivate static let updateDoorEntry = update("update entry of an offline door")
}

extension Writing where Column == DoorRecordColumn {
    fileprivate static let saveDoorRecord = save("save record of offline doors")
}

extension Query {
    private static let satellites = "SELECT \(SatelliteColumn.selected()) FROM satellites"
    private static let entries = "SELECT \(DoorEntryColumn.selected()) FROM door_entries"
    private static let records = "SELECT \(DoorRecordColumn.selected()) FROM door_records"

    fileprivate static let satellite = Query("find offline door", "\(satellites) WHERE id = ?")
    fileprivate static let satelliteByCode = Query(
        "find offline door by code", "\(satellites) WHERE code_hash = ?")
    fileprivate static let satelliteByToken = Query(
        "find offline door by token", "\(satellites) WHERE token_hash = ?")
    fileprivate static let satellitesOfSession = Query(
        "list offline doors",
        "\(satellites) WHERE session = ? ORDER BY id LIMIT \(Satellite.mostOfSession)")
    fileprivate static let doorEntry = Query(
        "find entry of an offline door", "\(entries) WHERE satellite = ? AND number = ?")
    fileprivate static let doorEntries = Query(
        "list entries of an offline door",
        "\(entries) WHERE satellite = ? AND number > ? ORDER BY number LIMIT ?")
    // The codes of the states are 0 (merged), 1 (overruled), 2 (held) and 3 (rejected).
    fileprivate static let doorEntriesOfAttendee = Query(
        "list entries of an attendee",
        "\(entries) WHERE attendee = ? AND state IN (0, 1) ORDER BY satellite, number LIMIT ?")
    fileprivate static let allDoorEntriesOfAttendee = Query(
        "list all entries of an attendee",
        "\(entries) WHERE attendee = ? ORDER BY satellite, number LIMIT ?")
    fileprivate static let heldDoorEntries = Query(
        "list held entries", "\(entries) WHERE satellite = ? AND state = 2 ORDER BY number LIMIT ?")
    fileprivate static let heldDoorEntryCount = Query(
        "count held entries", "SELECT count(*) FROM door_entries WHERE satellite = ? AND state = 2")
    fileprivate static let overruledDoorEntries = Query(
        "list overruled entries",
        "\(entries) WHERE session = ? AND state IN (1, 3) AND state = ? ORDER BY satellite, number LIMIT ?")
    fileprivate static let doorRecord = Query(
        "find record of offline doors", "\(records) WHERE attendee = ?")
    fileprivate static let doorRecords = Query(
        "list records of offline doors",
        "\(records) WHERE session = ? AND attendee > ? ORDER BY attendee LIMIT ?")
    fileprivate static let doorRecordsWithDoubles = Query(
        "list doubles",
        "\(records) WHERE session = ? AND attendee >= ? AND doubles > 0 ORDER BY attendee LIMIT ?")
    fileprivate static let doubleCount = Query(
        "count doubles",
        "SELECT CAST(coalesce(sum(doubles), 0) AS bigint) FROM door_records WHERE session = ? AND doubles > 0"
    )
}

extension SQLRows {
    package func satellite(_ id: SatelliteID) throws(JournalError) -> Satellite? {
        try connection.first(.satellite, id) { row throws(JournalError) in try row.satellite() }
    }

    package func satellite(codeHash: [UInt8]) throws(JournalError) -> Satellite? {
        try connection.first(.satelliteByCode, codeHash) { row throws(JournalError) in try row.satellite() }
    }

    package func satellite(tokenHash: [UInt8]) throws(JournalError) -> Satellite? {
        try connection.first(.satelliteByToken, tokenHash) { row throws(JournalError) in
            try row.satellite()
        }
    }

    package func satellites(of session: SessionID) throws(JournalError) -> [Satellite] {
        try connection.all(.satellitesOfSession, session) { row throws(JournalError) in try row.satellite() }
    }

    package func doorEntry(_ number: Int64, of satellite: SatelliteID) throws(JournalError)
        -> StoredDoorEntry?
    {
        try connection.first(.doorEntry, satellite, number) { row throws(JournalError) in
            try row.doorEntry()
        }
    }

    package func doorEntries(of satellite: SatelliteID, after number: Int64, limit: Int)
        throws(JournalError) -> [StoredDoorEntry]
    {
        try connection.all(.doorEntries, satellite, number, limit) { row throws(JournalError) in
            try row.doorEntry()
        }
    }

    package func doorEntries(of attendee: AttendeeID, limit: Int) throws(JournalError) -> [StoredDoorEntry] {
        try connection.all(.doorEntriesOfAttendee, attendee, limit) { row throws(JournalError) in
            try row.doorEntry()
        }
    }

    package func allDoorEntries(of attendee: AttendeeID, limit: Int) throws(JournalError)
        -> [StoredDoorEntry]
    {
        try connection.all(.allDoorEntriesOfAttendee, attendee, limit) { row throws(JournalError) in
            try row.doorEntry()
        }
    }

    package func heldDoorEntries(of satellite: SatelliteID, limit: Int) throws(JournalError)
        -> [StoredDoorEntry]
    {
        try connection.all(.heldDoorEntries, satellite, limit) { row throws(JournalError) in
            try row.doorEntry()
        }
    }

    package func heldDoorEntryCount(of satellite: SatelliteID) throws(JournalError) -> Int {
        try connection.first(.heldDoorEntryCount, satellite) { $0.int(0) } ?? 0
    }

    package func overruledDoorEntries(of session: SessionID, limit: Int) throws(JournalError)
        -> [StoredDoorEntry]
    {
        var found: [StoredDoorEntry] = []
        for state in [StoredDoorEntry.State.overruled, .rejected] {
            found += try connection.all(
                .overruledDoorEntries, session, state.code, limit - found.count
            ) { row throws(JournalError) in try row.doorEntry() }
        }
        return found
    }

    package func doorRecord(of attendee: AttendeeID) throws(JournalError) -> DoorRecord? {
        try connection.first(.doorRecord, attendee) { row throws(JournalError) in try row.doorRecord() }
    }

    package func doorRecords(of session: SessionID, after attendee: AttendeeID?, limit: Int)
        throws(JournalError) -> [DoorRecord]
    {
        let after = attendee ?? AttendeeID(high: 0, low: 0)
        return try connection.all(.doorRecords, session, after, limit) { row throws(JournalError) in
            try row.doorRecord()
        }
    }

    package func doorRecordsWithDoubles(of session: SessionID, from attendee: AttendeeID?, limit: Int)
        throws(JournalError) -> [DoorRecord]
    {
        let first = attendee ?? AttendeeID(high: 0, low: 0)
        return try connection.all(.doorRecordsWithDoubles, session, first, limit) {
            row throws(JournalError) in
            try row.doorRecord()
        }
    }

    package func doubleCount(of session: SessionID) throws(JournalError) -> Int {
        try connection.first(.doubleCount, session) { $0.int(0) } ?? 0
    }

    package func insert(_ satellite: Satellite) throws(JournalError) {
        try connection.run(.insertSatellite, satellite)
    }

    package func update(_ satellite: Satellite) throws(JournalError) {
        try connection.run(.updateSatellite, satellite)
    }

    package func insert(_ entry: StoredDoorEntry) throws(JournalError) {
        try connection.run(.insertDoorEntry, entry)
    }

    package func update(_ entry: StoredDoorEntry) throws(JournalError) {
        try connection.run(.updateDoorEntry, entry)
    }

    package func save(_ record: DoorRecord) throws(JournalError) {
        try connection.run(.saveDoorRecord, record)
    }
}

extension Row {
    fileprivate func satellite() throws(JournalError) -> Satellite {
        let cells = Cells<SatelliteColumn>(self)
        return Satellite(
            id: try cells.id(.id), session: try cells.id(.session), name: cells.text(.name),
            door: cells.int(.door), hasNames: cells.bool(.hasNames), hasNumbers: cells.bool(.hasNumbers),
            sealingKey: cells.bytesIfAny(.sealingKey), createdAt: cells.instant(.createdAt),
            createdBy: try cells.id(.createdBy), codeHash: cells.bytesIfAny(.codeHash),
            tokenHash: cells.bytesIfAny(.tokenHash), publicKey: cells.bytesIfAny(.publicKey),
            joinedAt: cells.instantIfAny(.joinedAt), seenAt: cells.instantIfAny(.seenAt),
            offset: cells.int64IfAny(.clockAhead), revokedAt: cells.instantIfAny(.revokedAt),
            received: cells.int64(.received))
    }

    fileprivate func doorEntry() throws(JournalError) -> StoredDoorEntry {
        let cells = Cells<DoorEntryColumn>(self)
        guard let entry = DoorEntry(bytes: cells.bytes(.content)) else {
            throw damaged("not an entry of an offline door", cells.place(of: .content))
        }
        return StoredDoorEntry(
            entry, session: try cells.id(.session), attendee: cells.idIfAny(.attendee),
            receivedAt: cells.instant(.receivedAt), state: try cells.code(.state))
    }

    fileprivate func doorRecord() throws(JournalError) -> DoorRecord {
        let cells = Cells<DoorRecordColumn>(self)
        return DoorRecord(
            of: try cells.id(.attendee), in: try cells.id(.session),
            moves: Stays.moves(stored: cells.bytes(.moves)), method: try cells.codeIfAny(.method),
            door: cells.intIfAny(.door), settled: Stays.moves(stored: cells.bytes(.settled)),
            doubles: cells.int(.doubles))
    }
}
