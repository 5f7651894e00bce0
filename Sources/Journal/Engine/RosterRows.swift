package import Meetings

/// The people of meetings, and their slots in sessions.
package protocol RosterReading {
    func person(_ id: PersonID) throws(JournalError) -> Person?
    func person(of meeting: MeetingID, email: IdentityKey) throws(JournalError) -> Person?
    func person(of meeting: MeetingID, number: IdentityKey) throws(JournalError) -> Person?
    /// The people with this name who are not archived, by id.
    func people(of meeting: MeetingID, named name: IdentityKey) throws(JournalError) -> [Person]
    /// By name (`RosterPosition`), after `cursor`. `text` matches a part of the name, e-mail address or
    /// number, case-insensitively.
    func people(
        of meeting: MeetingID, archived: Bool, text: String?, after cursor: RosterPosition?, limit: Int
    ) throws(JournalError) -> [Person]
    /// Whether anybody is on the roster who is not archived: one probe.
    func hasRoster(_ meeting: MeetingID) throws(JournalError) -> Bool
    /// Archived people included.
    func personCount(of meeting: MeetingID) throws(JournalError) -> Int
    /// Rises by one with every change of the roster; 0 before the first. It is the roster's entity tag.
    func rosterVersion(of meeting: MeetingID) throws(JournalError) -> Int

    /// The person whose slot this attendee is; nil for a walk-in.
    func person(inSlotOf attendee: AttendeeID) throws(JournalError) -> PersonID?
    func attendee(of person: PersonID, in session: SessionID) throws(JournalError) -> Attendee?
    /// Over all sessions of the person's meeting: by the person's slot, or by `key` in sessions without one
    /// (those before the person was on the roster). Costs one probe for each session.
    func seriesTotals(of person: Person, key: IdentityKey?, at now: Instant) throws(JournalError)
        -> SeriesTotals
    /// The same for an attendee who has no slot.
    func seriesTotals(of meeting: MeetingID, key: IdentityKey, at now: Instant) throws(JournalError)
        -> SeriesTotals
    /// The person's statuses in the last ended sessions in which they have a slot, newest first, without
    /// those from which they were excused.
    func latestStatuses(of person: Person, at now: Instant, limit: Int) throws(JournalError)
        -> [RecordedStatus]

    /// The sessions that have not ended, by round.
    func sessionsNotOver(of meeting: MeetingID, at now: Instant) throws(JournalError) -> [SessionRecord]
    /// The running session that started last; otherwise the next to start.
    func nearestSession(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord?
    func session(of meeting: MeetingID, round: Int) throws(JournalError) -> SessionRecord?
    /// The sessions that start in `range`, the latest first; of one moment the highest round first.
    func sessions(
        of meeting: MeetingID, starting range: Range<Instant>, before cursor: RoundCursor?, limit: Int
    ) throws(JournalError) -> [SessionRecord]
}

/// Where the next page of found rounds begins: after this one.
package struct RoundCursor: Hashable, Sendable {
    package let startsAt: Instant
    package let round: Int

    package init(startsAt: Instant, round: Int) {
        self.startsAt = startsAt
        self.round = round
    }
}

/// Writing people and slots.
package protocol RosterWriting {
    func insert(_ person: Person) throws(JournalError)
    func update(_ person: Person) throws(JournalError)
    /// Deletes the person with their slots; the attendees stay.
    func delete(_ person: PersonID) throws(JournalError)
    func setRosterVersion(_ version: Int, of meeting: MeetingID) throws(JournalError)
    /// Makes the attendee the person's slot in the session, instead of an earlier one.
    func setSlot(of person: PersonID, to attendee: AttendeeID, in session: SessionID) throws(JournalError)
    /// Sets the key that identifies the attendee; nil for none.
    func setKey(_ key: IdentityKey?, of attendee: Attendee) throws(JournalError)
}

extension ReadableRows {
    /// Returns the person's totals over the sessions of their meeting.
    package func seriesTotals(of person: Person, in meeting: Meeting, at now: Instant) throws(JournalError)
        -> SeriesTotals
    {
        try seriesTotals(
            of: person, key: IdentityKey(ifAny: person.identity(by: meeting.identifyBy)), at: now)
    }

    /// Returns the totals of the person behind an attendee: by the slot on the roster, otherwise by the key.
    /// An attendee who has neither is known in that session only.
    package func seriesTotals(of attendee: Attendee, in meeting: Meeting, at now: Instant)
        throws(JournalError) -> SeriesTotals
    {
        if let holder = try person(inSlotOf: attendee.id), let person = try person(holder) {
            return try seriesTotals(of: person, in: meeting, at: now)
        }
        if let key = IdentityKey(ifAny: attendee.identity) {
            return try seriesTotals(of: meeting.id, key: key, at: now)
        }
        var totals = SeriesTotals()
        if let record = try session(attendee.sessionID) {
            totals.add(attendee.status, sessionIsOver: record.session.isOver(at: now))
        }
        return totals
    }

    /// Whether the person was absent from each of the last `count` sessions in which they have a slot.
    /// Sessions from which they were excused are not counted.
    package func wasAbsent(_ person: Person, inARow count: Int, at now: Instant) throws(JournalError) -> Bool
    {
        let latest = try latestStatuses(of: person, at: now, limit: count)
        return latest.count == count && latest.allSatisfy { $0 == .pending || $0 == .absent }
    }
}
