import Journal
import Meetings

extension WatchedRows {
    func person(_ id: PersonID) throws(JournalError) -> Person? { try inner.person(id) }
    func person(of meeting: MeetingID, email: IdentityKey) throws(JournalError) -> Person? {
        try inner.person(of: meeting, email: email)
    }
    func person(of meeting: MeetingID, number: IdentityKey) throws(JournalError) -> Person? {
        try inner.person(of: meeting, number: number)
    }
    func people(of meeting: MeetingID, named name: IdentityKey) throws(JournalError) -> [Person] {
        try inner.people(of: meeting, named: name)
    }
    func people(
        of meeting: MeetingID, archived: Bool, text: String?, after cursor: RosterPosition?, limit: Int
    )
        throws(JournalError) -> [Person]
    { try inner.people(of: meeting, archived: archived, text: text, after: cursor, limit: limit) }
    func hasRoster(_ meeting: MeetingID) throws(JournalError) -> Bool { try inner.hasRoster(meeting) }
    func personCount(of meeting: MeetingID) throws(JournalError) -> Int { try inner.personCount(of: meeting) }
    func rosterVersion(of meeting: MeetingID) throws(JournalError) -> Int {
        try inner.rosterVersion(of: meeting)
    }
    func person(inSlotOf attendee: AttendeeID) throws(JournalError) -> PersonID? {
        try inner.person(inSlotOf: attendee)
    }
    func attendee(of person: PersonID, in session: SessionID) throws(JournalError) -> Attendee? {
        try inner.attendee(of: person, in: session)
    }
    func seriesTotals(of person: Person, key: IdentityKey?, at now: Instant) throws(JournalError)
        -> SeriesTotals
    {
        try inner.seriesTotals(of: person, key: key, at: now)
    }
    func seriesTotals(of meeting: MeetingID, key: IdentityKey, at now: Instant) throws(JournalError)
        -> SeriesTotals
    {
        try inner.seriesTotals(of: meeting, key: key, at: now)
    }
    func latestStatuses(of person: Person, at now: Instant, limit: Int) throws(JournalError)
        -> [RecordedStatus]
    {
        try inner.latestStatuses(of: person, at: now, limit: limit)
    }
    func pastAttendance(
        of person: Person, key: IdentityKey?, since: Instant?, until: Instant, limit: Int
    ) throws(JournalError) -> [PastAttendance] {
        try inner.pastAttendance(of: person, key: key, since: since, until: until, limit: limit)
    }
    func attendeesWithoutKey(in session: SessionID, named name: String, limit: Int) throws(JournalError)
        -> [Attendee]
    {
        try inner.attendeesWithoutKey(in: session, named: name, limit: limit)
    }
    func isNewcomer(_ key: IdentityKey, named name: String?, to session: Session) throws(JournalError)
        -> Bool
    {
        try inner.isNewcomer(key, named: name, to: session)
    }
    func idsOfSessionsNotOver(of meeting: MeetingID, at now: Instant) throws(JournalError) -> [SessionID] {
        try inner.idsOfSessionsNotOver(of: meeting, at: now)
    }
    func nearestSession(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord? {
        try inner.nearestSession(of: meeting, at: now)
    }
    func session(of meeting: MeetingID, round: Int) throws(JournalError) -> SessionRecord? {
        try inner.session(of: meeting, round: round)
    }
    func sessionTitles(of meeting: MeetingID) throws(JournalError) -> [(round: Int, title: String)] {
        try inner.sessionTitles(of: meeting)
    }
    func sessions(
        of meeting: MeetingID, starting range: Range<Instant>, before cursor: RoundCursor?, limit: Int
    )
        throws(JournalError) -> [SessionRecord]
    { try inner.sessions(of: meeting, starting: range, before: cursor, limit: limit) }
    func insert(_ person: Person) throws(JournalError) {
        try inner.insert(person)
        // A constraint of the engine's own tables refuses the second row.
        if watch.refuses(person) { try inner.insert(person) }
    }
    func update(_ person: Person) throws(JournalError) { try inner.update(person) }
    func delete(_ person: PersonID) throws(JournalError) { try inner.delete(person) }
    func setRosterVersion(_ version: Int, of meeting: MeetingID) throws(JournalError) {
        try inner.setRosterVersion(version, of: meeting)
    }
    func setSlot(of person: PersonID, to attendee: AttendeeID, in session: SessionID) throws(JournalError) {
        try inner.setSlot(of: person, to: attendee, in: session)
    }
    func peopleWithoutSlots(of meeting: MeetingID, limit: Int) throws(JournalError) -> [Person] {
        try inner.peopleWithoutSlots(of: meeting, limit: limit)
    }
    func removeSlot(of attendee: AttendeeID) throws(JournalError) { try inner.removeSlot(of: attendee) }
    func setKey(_ key: IdentityKey?, of attendee: Attendee) throws(JournalError) {
        try inner.setKey(key, of: attendee)
    }
}
