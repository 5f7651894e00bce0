import Journal
import Meetings

extension MemoryRows {
    func satellite(_ id: SatelliteID) throws(JournalError) -> Satellite? { try tables().satellites[id] }

    func satellite(codeHash: [UInt8]) throws(JournalError) -> Satellite? {
        try tables().satellites.values.first { $0.codeHash == codeHash }
    }

    func satellite(tokenHash: [UInt8]) throws(JournalError) -> Satellite? {
        try tables().satellites.values.first { $0.tokenHash == tokenHash }
    }

    func satellites(of session: SessionID) throws(JournalError) -> [Satellite] {
        Array(
            try tables().satellites.values.filter { $0.session == session }.sorted { $0.id < $1.id }
                .prefix(Satellite.mostOfSession))
    }

    func doorEntry(_ number: Int64, of satellite: SatelliteID) throws(JournalError) -> StoredDoorEntry? {
        try tables().doorEntries[SatelliteNumber(satellite, number)]
    }

    func doorEntries(of satellite: SatelliteID, after number: Int64, limit: Int) throws(JournalError)
        -> [StoredDoorEntry]
    {
        try doorEntries(limit: limit) { $0.entry.satellite == satellite && $0.entry.number > number }
    }

    func doorEntries(of attendee: AttendeeID, limit: Int) throws(JournalError) -> [StoredDoorEntry] {
        try doorEntries(limit: limit) {
            $0.attendee == attendee && [.merged, .overruled].contains($0.state)
        }
    }

    func allDoorEntries(of attendee: AttendeeID, limit: Int) throws(JournalError) -> [StoredDoorEntry] {
        try doorEntries(limit: limit) { $0.attendee == attendee }
    }

    func heldDoorEntries(of satellite: SatelliteID, limit: Int) throws(JournalError) -> [StoredDoorEntry] {
        try doorEntries(limit: limit) { $0.entry.satellite == satellite && $0.state == .held }
    }

    func heldDoorEntryCount(of satellite: SatelliteID) throws(JournalError) -> Int {
        try heldDoorEntries(of: satellite, limit: .max).count
    }

    func overruledDoorEntries(of session: SessionID, limit: Int) throws(JournalError) -> [StoredDoorEntry] {
        let overruled = try doorEntries(limit: limit) { $0.session == session && $0.state == .overruled }
        return try overruled
            + doorEntries(limit: limit - overruled.count) {
                $0.session == session && $0.state == .rejected
            }
    }

    private func doorEntries(limit: Int, _ isWanted: (StoredDoorEntry) -> Bool) throws(JournalError)
        -> [StoredDoorEntry]
    {
        let found = try tables().doorEntries.values.filter(isWanted)
        return Array(
            found.sorted {
                ($0.entry.satellite, $0.entry.number) < ($1.entry.satellite, $1.entry.number)
            }.prefix(limit))
    }

    func doorRecord(of attendee: AttendeeID) throws(JournalError) -> DoorRecord? {
        try tables().doorRecords[attendee]
    }

    func doorRecords(of session: SessionID, after attendee: AttendeeID?, limit: Int) throws(JournalError)
        -> [DoorRecord]
    {
        let after = attendee ?? AttendeeID(high: 0, low: 0)
        return Array(
            try tables().doorRecords.values.filter { $0.session == session && $0.attendee > after }
                .sorted { $0.attendee < $1.attendee }.prefix(limit))
    }

    func doorRecordsWithDoubles(of session: SessionID, from attendee: AttendeeID?, limit: Int)
        throws(JournalError) -> [DoorRecord]
    {
        let first = attendee ?? AttendeeID(high: 0, low: 0)
        return Array(
            try doorRecords(of: session, after: nil, limit: .max).filter {
                $0.doubles > 0 && $0.attendee >= first
            }.prefix(limit))
    }

    func doubleCount(of session: SessionID) throws(JournalError) -> Int {
        try doorRecords(of: session, after: nil, limit: .max).reduce(0) { $0 + $1.doubles }
    }

    func passes(inSlotsOf session: SessionID, after first: AttendeeID?, through last: AttendeeID)
        throws(JournalError) -> [(attendee: AttendeeID, pass: Pass)]
    {
        let tables = try tables()
        let first = first ?? AttendeeID(high: 0, low: 0)
        let slots = tables.slots.filter { attendee, _ in
            tables.attendees[attendee]?.attendee.sessionID == session && attendee <= last && attendee > first
        }
        return slots.sorted { $0.key < $1.key }.flatMap { attendee, slot in
            tables.passes.values.filter { $0.person == slot.person }.map { (attendee, $0) }
        }
    }

    func passKeys(of meeting: MeetingID) throws(JournalError) -> [PassKey] {
        try tables().passKeys[meeting, default: []].sorted { $0.number < $1.number }
    }

    func insert(_ satellite: Satellite) throws(JournalError) {
        try change("insert offline door") { tables throws(JournalError) in
            guard tables.satellites[satellite.id] == nil, tables.sessions[satellite.session] != nil else {
                throw conflict("insert offline door", "not unique, or of no session")
            }
            tables.satellites[satellite.id] = satellite
        }
    }

    func update(_ satellite: Satellite) throws(JournalError) {
        try change("update offline door") { tables in
            if tables.satellites[satellite.id] != nil { tables.satellites[satellite.id] = satellite }
        }
    }

    func insert(_ entry: StoredDoorEntry) throws(JournalError) {
        let key = SatelliteNumber(entry.entry.satellite, entry.entry.number)
        try change("insert entry of an offline door") { tables throws(JournalError) in
            guard tables.doorEntries[key] == nil, tables.satellites[key.satellite] != nil else {
                throw conflict("insert entry of an offline door", "not unique, or of no offline door")
            }
            tables.doorEntries[key] = entry
        }
    }

    func update(_ entry: StoredDoorEntry) throws(JournalError) {
        let key = SatelliteNumber(entry.entry.satellite, entry.entry.number)
        try change("update entry of an offline door") { tables in
            tables.doorEntries[key]?.state = entry.state
            tables.doorEntries[key]?.attendee = entry.attendee
        }
    }

    func save(_ record: DoorRecord) throws(JournalError) {
        try change("save record of offline doors") { tables throws(JournalError) in
            guard tables.attendees[record.attendee] != nil else {
                throw conflict("save record of offline doors", "of no attendee")
            }
            tables.doorRecords[record.attendee] = record
        }
    }
}

/// The key of an entry.
struct SatelliteNumber: Hashable {
    let satellite: SatelliteID
    let number: Int64

    init(_ satellite: SatelliteID, _ number: Int64) { (self.satellite, self.number) = (satellite, number) }
}
