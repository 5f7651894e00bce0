package import Meetings

/// An entry of an offline door as it is stored.
package struct StoredDoorEntry: Hashable, Sendable {
    package let entry: DoorEntry
    package let session: SessionID
    /// The attendee whom the entry is about; nil if the entry names a pass that opens nothing here. If the
    /// attendee's record was merged into another one, it still has the former id.
    package var attendee: AttendeeID?
    package let receivedAt: Instant
    package var state: State

    package enum State: String, Hashable, Sendable, CaseIterable {
        /// The entry counts.
        case merged
        /// A host has corrected the attendee's record since, so the record no longer follows the entry.
        case overruled
        /// The entry arrived after the offline door was revoked, and waits for a host's decision.
        case held
        /// A host has rejected the held entry, or its pass was revoked before the entry's time.
        case rejected
    }

    package init(
        _ entry: DoorEntry, session: SessionID, attendee: AttendeeID?, receivedAt: Instant, state: State
    ) {
        (self.entry, self.session, self.attendee) = (entry, session, attendee)
        (self.receivedAt, self.state) = (receivedAt, state)
    }
}

/// What the server itself knows of an attendee with entries of offline doors.
package struct DoorRecord: Hashable, Sendable {
    package let attendee: AttendeeID
    package let session: SessionID
    /// The moves that are no entries: in, out, in, and so on.
    package var moves: [Instant]
    /// The way and the door of the first of them; nil if there is none.
    package var method: CheckInMethod?
    package var door: Int?
    /// The moves that the record had after the last entries, so that a later change of it is noticed.
    package var settled: [Instant]
    /// The number of doubles.
    package var doubles: Int

    package init(
        of attendee: AttendeeID, in session: SessionID, moves: [Instant], method: CheckInMethod?, door: Int?,
        settled: [Instant] = [], doubles: Int = 0
    ) {
        (self.attendee, self.session, self.moves) = (attendee, session, moves)
        (self.method, self.door, self.settled, self.doubles) = (method, door, settled, doubles)
    }

    package var doorMoves: [DoorMove] {
        moves.enumerated().map { DoorMove($0.offset.isMultiple(of: 2), at: $0.element) }
    }
}

/// The queries for offline doors and their entries.
package protocol SatelliteReading: AnyObject {
    func satellite(_ id: SatelliteID) throws(JournalError) -> Satellite?
    func satellite(codeHash: [UInt8]) throws(JournalError) -> Satellite?
    func satellite(tokenHash: [UInt8]) throws(JournalError) -> Satellite?
    /// Returns the offline doors of the session, ordered by id, which is their age; at most
    /// `Satellite.mostOfSession`.
    func satellites(of session: SessionID) throws(JournalError) -> [Satellite]
    func doorEntry(_ number: Int64, of satellite: SatelliteID) throws(JournalError) -> StoredDoorEntry?
    /// Returns entries in the order of their numbers.
    func doorEntries(of satellite: SatelliteID, after number: Int64, limit: Int) throws(JournalError)
        -> [StoredDoorEntry]
    /// Returns the first merged and overruled entries that are stored with this id of an attendee, by offline
    /// door and number.
    func doorEntries(of attendee: AttendeeID, limit: Int) throws(JournalError) -> [StoredDoorEntry]
    /// Returns the first entries in any state that are stored with this id of an attendee, by offline door
    /// and number.
    func allDoorEntries(of attendee: AttendeeID, limit: Int) throws(JournalError) -> [StoredDoorEntry]
    func heldDoorEntries(of satellite: SatelliteID, limit: Int) throws(JournalError) -> [StoredDoorEntry]
    func heldDoorEntryCount(of satellite: SatelliteID) throws(JournalError) -> Int
    /// Returns the entries of the session that no longer count: the overruled ones, and then the rejected
    /// ones, of which a stolen laptop can make very many.
    func overruledDoorEntries(of session: SessionID, limit: Int) throws(JournalError) -> [StoredDoorEntry]
    func doorRecord(of attendee: AttendeeID) throws(JournalError) -> DoorRecord?
    /// Returns the records of the session, ordered by attendee.
    func doorRecords(of session: SessionID, after attendee: AttendeeID?, limit: Int) throws(JournalError)
        -> [DoorRecord]
    /// Returns the records with doubles, ordered by attendee; nil begins with the first one.
    func doorRecordsWithDoubles(of session: SessionID, from attendee: AttendeeID?, limit: Int)
        throws(JournalError) -> [DoorRecord]
    func doubleCount(of session: SessionID) throws(JournalError) -> Int
    /// Returns the passes of the people who have a slot in the session, with the attendees, of a range of
    /// attendees, ordered by attendee.
    func passes(inSlotsOf session: SessionID, after first: AttendeeID?, through last: AttendeeID)
        throws(JournalError) -> [(attendee: AttendeeID, pass: Pass)]
    /// Returns the public keys of the meeting's passes, the first one first.
    func passKeys(of meeting: MeetingID) throws(JournalError) -> [PassKey]
}

/// The writes of offline doors and their entries, which are deleted with their session. A door record is
/// deleted with its attendee. Entries stay, as events do, because other doors have them, too.
package protocol SatelliteWriting: AnyObject {
    func insert(_ satellite: Satellite) throws(JournalError)
    func update(_ satellite: Satellite) throws(JournalError)
    func insert(_ entry: StoredDoorEntry) throws(JournalError)
    /// Writes the entry's state and attendee.
    func update(_ entry: StoredDoorEntry) throws(JournalError)
    func save(_ record: DoorRecord) throws(JournalError)
}
