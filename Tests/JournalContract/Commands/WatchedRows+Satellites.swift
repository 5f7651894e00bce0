import Journal
import Meetings

extension WatchedRows {
    func satellite(_ id: SatelliteID) throws(JournalError) -> Satellite? { try inner.satellite(id) }
    func satellite(codeHash: [UInt8]) throws(JournalError) -> Satellite? {
        try inner.satellite(codeHash: codeHash)
    }
    func satellite(tokenHash: [UInt8]) throws(JournalError) -> Satellite? {
        try inner.satellite(tokenHash: tokenHash)
    }
    func satellites(of session: SessionID) throws(JournalError) -> [Satellite] {
        try inner.satellites(of: session)
    }
    func doorEntry(_ number: Int64, of satellite: SatelliteID) throws(JournalError) -> StoredDoorEntry? {
        try inner.doorEntry(number, of: satellite)
    }
    func doorEntries(of satellite: SatelliteID, after number: Int64, limit: Int) throws(JournalError)
        -> [StoredDoorEntry]
    {
        try inner.doorEntries(of: satellite, after: number, limit: limit)
    }
    func doorEntries(of attendee: AttendeeID, limit: Int) throws(JournalError) -> [StoredDoorEntry] {
        try inner.doorEntries(of: attendee, limit: limit)
    }
    func allDoorEntries(of attendee: AttendeeID, limit: Int) throws(JournalError) -> [StoredDoorEntry] {
        try inner.allDoorEntries(of: attendee, limit: limit)
    }
    func heldDoorEntries(of satellite: SatelliteID, limit: Int) throws(JournalError) -> [StoredDoorEntry] {
        try inner.heldDoorEntries(of: satellite, limit: limit)
    }
    func heldDoorEntryCount(of satellite: SatelliteID) throws(JournalError) -> Int {
        try inner.heldDoorEntryCount(of: satellite)
    }
    func overruledDoorEntries(of session: SessionID, limit: Int) throws(JournalError) -> [StoredDoorEntry] {
        try inner.overruledDoorEntries(of: session, limit: limit)
    }
    func doorRecord(of attendee: AttendeeID) throws(JournalError) -> DoorRecord? {
        try inner.doorRecord(of: attendee)
    }
    func doorRecords(of session: SessionID, after attendee: AttendeeID?, limit: Int) throws(JournalError)
        -> [DoorRecord]
    {
        try inner.doorRecords(of: session, after: attendee, limit: limit)
    }
    func doorRecordsWithDoubles(of session: SessionID, from attendee: AttendeeID?, limit: Int)
        throws(JournalError) -> [DoorRecord]
    {
        try inner.doorRecordsWithDoubles(of: session, from: attendee, limit: limit)
    }
    func doubleCount(of session: SessionID) throws(JournalError) -> Int { try inner.doubleCount(of: session) }
    func passes(inSlotsOf session: SessionID, after first: AttendeeID?, through last: AttendeeID)
        throws(JournalError) -> [(attendee: AttendeeID, pass: Pass)]
    {
        try inner.passes(inSlotsOf: session, after: first, through: last)
    }
    func passKeys(of meeting: MeetingID) throws(JournalError) -> [PassKey] { try inner.passKeys(of: meeting) }
    func insert(_ satellite: Satellite) throws(JournalError) { try inner.insert(satellite) }
    func update(_ satellite: Satellite) throws(JournalError) { try inner.update(satellite) }
    func insert(_ entry: StoredDoorEntry) throws(JournalError) { try inner.insert(entry) }
    func update(_ entry: StoredDoorEntry) throws(JournalError) { try inner.update(entry) }
    func save(_ record: DoorRecord) throws(JournalError) { try inner.save(record) }
}
