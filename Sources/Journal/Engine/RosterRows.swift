package import Meetings

/// The queries for the people on rosters and for their slots in sessions.
package protocol RosterReading {
    func person(_ id: PersonID) throws(JournalError) -> Person?
    func person(of meeting: MeetingID, email: IdentityKey) throws(JournalError) -> Person?
    func person(of meeting: MeetingID, number: IdentityKey) throws(JournalError) -> Person?
    /// Returns the people with this name who are not archived, ordered by id.
    func people(of meeting: MeetingID, named name: IdentityKey) throws(JournalError) -> [Person]
    /// Returns the people after `cursor`, ordered by name (`RosterPosition`). `text` matches a part of the
    /// name, e-mail address or number, case-insensitively.
    func people(
        of meeting: MeetingID, archived: Bool, text: String?, after cursor: RosterPosition?, limit: Int
    ) throws(JournalError) -> [Person]
    /// Whether the roster has at least one person who is not archived. Costs one index probe.
    func hasRoster(_ meeting: MeetingID) throws(JournalError) -> Bool
    /// Returns the number of people on the roster, including the archived people.
    func personCount(of meeting: MeetingID) throws(JournalError) -> Int
    /// Returns the roster's version, which is also its entity tag. Each change of the roster raises the
    /// version by one; before the first change, the version is 0.
    func rosterVersion(of meeting: MeetingID) throws(JournalError) -> Int

    /// Returns people whom only check-ins added to the roster (`joinedByCheckIn`), and who have no slot in
    /// any session.
    func peopleWithoutSlots(of meeting: MeetingID, limit: Int) throws(JournalError) -> [Person]
    /// Returns the person whose slot this attendee is; nil for an attendee without a slot.
    func person(inSlotOf attendee: AttendeeID) throws(JournalError) -> PersonID?
    func attendee(of person: PersonID, in session: SessionID) throws(JournalError) -> Attendee?
    /// Returns the person's totals over all sessions of the meeting. Finds the attendee by the person's slot.
    /// In sessions from before the person was on the roster, finds the attendee by `key`. Costs one probe for
    /// each session.
    func seriesTotals(of person: Person, key: IdentityKey?, at now: Instant) throws(JournalError)
        -> SeriesTotals
    /// Returns the totals of an attendee without a slot, who is found by `key` in all sessions of the
    /// meeting.
    func seriesTotals(of meeting: MeetingID, key: IdentityKey, at now: Instant) throws(JournalError)
        -> SeriesTotals
    /// Returns the person's statuses in the last ended sessions in which the person has a slot, newest first.
    /// Skips the sessions from which the person was excused.
    func latestStatuses(of person: Person, at now: Instant, limit: Int) throws(JournalError)
        -> [RecordedStatus]

    /// Returns what the person did in the meeting's sessions that start at `since` or later and end at
    /// `until` or earlier, the latest end first; at most `limit` of them. Finds the attendees as
    /// `seriesTotals` does.
    /// - Parameter since: nil for all sessions.
    func pastAttendance(
        of person: Person, key: IdentityKey?, since: Instant?, until: Instant, limit: Int
    ) throws(JournalError) -> [PastAttendance]

    /// Returns at most `limit` attendees of the session who have this name, ignoring case, and no key,
    /// ordered by id.
    func attendeesWithoutKey(in session: SessionID, named name: String, limit: Int) throws(JournalError)
        -> [Attendee]
    /// Whether the previous round has no attendee who checked in with this key or with this name. The
    /// previous round is the last one before the session to which anybody came, among the
    /// `Regulars.mostRoundsSkipped` rounds before it; false if there is none, or if its names were deleted.
    /// Costs a few probes.
    /// - Parameter name: the attendee's name, if names identify attendees; otherwise nil.
    func isNewcomer(_ key: IdentityKey, named name: String?, to session: Session) throws(JournalError) -> Bool

    /// Returns the ids of the meeting's sessions that have not ended, ordered by round. Commands use it,
    /// because a meeting may have 2,000 sessions.
    func idsOfSessionsNotOver(of meeting: MeetingID, at now: Instant) throws(JournalError) -> [SessionID]
    /// Returns the running session that started last. If no session is running, returns the next session to
    /// start.
    func nearestSession(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord?
    func session(of meeting: MeetingID, round: Int) throws(JournalError) -> SessionRecord?
    /// Returns the rounds of the meeting's sessions that have a title of their own, the newest round first.
    func sessionTitles(of meeting: MeetingID) throws(JournalError) -> [(round: Int, title: String)]
    /// Returns the sessions that start in `range`, the latest first. Sessions with the same start are ordered
    /// by round, the highest first.
    func sessions(
        of meeting: MeetingID, starting range: Range<Instant>, before cursor: RoundCursor?, limit: Int
    ) throws(JournalError) -> [SessionRecord]
}

/// The position after which the next page of found sessions begins.
package struct RoundCursor: Hashable, Sendable {
    package let startsAt: Instant
    package let round: Int

    package init(startsAt: Instant, round: Int) {
        self.startsAt = startsAt
        self.round = round
    }
}

/// The writes of people and slots.
package protocol RosterWriting {
    func insert(_ person: Person) throws(JournalError)
    func update(_ person: Person) throws(JournalError)
    /// Deletes the person and the person's slots; the attendees stay. Also deletes the mails about absences
    /// in the meeting that have ended.
    func delete(_ person: PersonID) throws(JournalError)
    func setRosterVersion(_ version: Int, of meeting: MeetingID) throws(JournalError)
    /// Makes the attendee the person's slot in the session. Replaces an earlier slot of the person.
    func setSlot(of person: PersonID, to attendee: AttendeeID, in session: SessionID) throws(JournalError)
    /// Ends the link between an attendee and the person whose slot it is. Both stay.
    func removeSlot(of attendee: AttendeeID) throws(JournalError)
    /// Sets the key that identifies the attendee; nil removes the key.
    func setKey(_ key: IdentityKey?, of attendee: Attendee) throws(JournalError)
}

extension ReadableRows {
    /// Returns the person's totals over all sessions of the meeting.
    package func seriesTotals(of person: Person, in meeting: Meeting, at now: Instant) throws(JournalError)
        -> SeriesTotals
    {
        try seriesTotals(
            of: person, key: IdentityKey(ifAny: person.identity(by: meeting.identifyBy)), at: now)
    }

    /// Returns an attendee's totals over all sessions of the meeting. Finds the other sessions by the
    /// attendee's roster slot, or else by the attendee's key. If the attendee has neither, the totals count
    /// this session only.
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
            totals.add(attendee, of: record.session, at: now)
        }
        return totals
    }

    /// Whether the person was absent from each of the last `count` sessions in which the person has a slot.
    /// Sessions from which the person was excused are not counted.
    package func wasAbsent(_ person: Person, inARow count: Int, at now: Instant) throws(JournalError) -> Bool
    {
        let latest = try latestStatuses(of: person, at: now, limit: count)
        return latest.count == count && latest.allSatisfy { $0 == .pending || $0 == .absent }
    }
}
