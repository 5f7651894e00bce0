package import Meetings

/// Finding the people of meetings, and their places in sessions.
package protocol RosterReading {
    func person(_ id: PersonID) throws(JournalError) -> Person?
    func person(of meeting: MeetingID, email: IdentityKey) throws(JournalError) -> Person?
    func person(of meeting: MeetingID, number: IdentityKey) throws(JournalError) -> Person?
    /// Those with this name who are not archived, by id.
    func people(of meeting: MeetingID, named name: IdentityKey) throws(JournalError) -> [Person]
    /// By name (`RosterPosition`), from behind `cursor`. `text` matches a part of the name, e-mail address or
    /// number, case-insensitively.
    func people(
        of meeting: MeetingID, archived: Bool, text: String?, after cursor: RosterPosition?, limit: Int
    ) throws(JournalError) -> [Person]
    /// Whether anybody is on the roster who is not archived: one probe.
    func hasRoster(_ meeting: MeetingID) throws(JournalError) -> Bool
    /// Archived people included.
    func personCount(of meeting: MeetingID) throws(JournalError) -> Int
    /// One more with every change of the roster; 0 before the first: its entity tag.
    func rosterVersion(of meeting: MeetingID) throws(JournalError) -> Int

    /// Who has which attendee's place; nil for walk-ins.
    func person(inPlaceOf attendee: AttendeeID) throws(JournalError) -> PersonID?
    func attendee(of person: PersonID, in session: SessionID) throws(JournalError) -> Attendee?
    /// Of all sessions of the person's meeting: by the person's place, and where they have none, by `key`
    /// (sessions of before they came to the roster). Costs as many probes as there are sessions.
    func seriesTotals(of person: Person, key: IdentityKey?, at now: Instant) throws(JournalError)
        -> SeriesTotals
    /// The same for somebody who has no place.
    func seriesTotals(of meeting: MeetingID, key: IdentityKey, at now: Instant) throws(JournalError)
        -> SeriesTotals
    /// What the person was in the last ended sessions that they have a place in, newest first; those they
    /// were excused from are left out.
    func latestStatuses(of person: Person, at now: Instant, limit: Int) throws(JournalError)
        -> [RecordedStatus]

    /// Those that have not ended, by round.
    func sessionsNotOver(of meeting: MeetingID, at now: Instant) throws(JournalError) -> [SessionRecord]
    /// The running one that started last, else the next to start.
    func nearestSession(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord?
    func session(of meeting: MeetingID, round: Int) throws(JournalError) -> SessionRecord?
    /// Those that start in `range`, the latest first; of one moment the highest round first.
    func sessions(
        of meeting: MeetingID, starting range: Range<Instant>, before cursor: RoundCursor?, limit: Int
    ) throws(JournalError) -> [SessionRecord]
}

/// Where a page of found rounds goes on.
package struct RoundCursor: Hashable, Sendable {
    package let startsAt: Instant
    package let round: Int

    package init(startsAt: Instant, round: Int) {
        self.startsAt = startsAt
        self.round = round
    }
}

/// Keeping them.
package protocol RosterWriting {
    func insert(_ person: Person) throws(JournalError)
    func update(_ person: Person) throws(JournalError)
    /// With their places; the attendees in them stay.
    func delete(_ person: PersonID) throws(JournalError)
    func setRosterVersion(_ version: Int, of meeting: MeetingID) throws(JournalError)
    /// Gives the person the attendee's place; one a session.
    func setPlace(of person: PersonID, to attendee: AttendeeID, in session: SessionID) throws(JournalError)
    /// What tells the attendee apart; nil where nothing does.
    func setKey(_ key: IdentityKey?, of attendee: Attendee) throws(JournalError)
}
