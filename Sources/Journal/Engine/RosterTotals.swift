package import Meetings

extension ReadableRows {
    /// Over the sessions of the meeting, which is the person's.
    package func seriesTotals(of person: Person, in meeting: Meeting, at now: Instant) throws(JournalError)
        -> SeriesTotals
    {
        try seriesTotals(
            of: person, key: IdentityKey(ifAny: person.identity(by: meeting.identifyBy)), at: now)
    }

    /// Of whoever came as this attendee to a session of the meeting: by their place on the roster, else by
    /// what tells them apart. Who has neither is known in that session alone.
    package func seriesTotals(of attendee: Attendee, in meeting: Meeting, at now: Instant)
        throws(JournalError) -> SeriesTotals
    {
        if let place = try person(inPlaceOf: attendee.id), let person = try person(place) {
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

    /// In each of the last `count` sessions that they had a place in; being excused is no absence, and breaks
    /// no row.
    package func wasAbsent(_ person: Person, inARow count: Int, at now: Instant) throws(JournalError) -> Bool
    {
        let latest = try latestStatuses(of: person, at: now, limit: count)
        return latest.count == count && latest.allSatisfy { $0 == .pending || $0 == .absent }
    }
}
