import Meetings

/// What corrections do to the places of a roster.
extension Transaction {
    /// Who was here and is taken out is awaited again while the session lasts, as who withdraws is. Who was
    /// only expected is expected no more.
    func awaitAgain(_ whole: WholeAttendee) throws(JournalError) {
        guard let person = whole.person, !whole.attendee.wasOnlyExpected else { return }
        try placeAgain(person, in: try session(whole.attendee.sessionID))
    }

    /// Takes away the place in which somebody was awaited meanwhile. Refused where they have come in it, or a
    /// host has said something of it.
    func makeRoom(for whole: WholeAttendee) throws(JournalError) {
        guard let id = whole.person, let person = try rows.person(id) else {
            // Who was only expected, by a roster that knows them no more, is not.
            if whole.person != nil, whole.attendee.wasOnlyExpected { throw .refused(.changedSince) }
            return
        }
        let session = whole.attendee.sessionID
        if person.isArchived, whole.attendee.wasOnlyExpected,
            !(try self.session(session).session.isOver(at: now))
        {
            throw .refused(.changedSince)
        }
        guard let taken = try rows.attendee(of: id, in: session) else { return }
        guard taken.wasOnlyExpected, taken.note.isEmpty else { throw .refused(.changedSince) }
        try takeOut(taken)
    }

    /// Gives the place back to who had it. What the roster has changed meanwhile reaches it as it reaches
    /// every place.
    /// - Parameter version: of the person, when the attendee went; nil where the place is new to them, and
    ///   they keep what they said of themselves.
    func takePlace(_ id: PersonID?, as attendee: Attendee, knownAs version: Int? = nil) throws(JournalError)
        -> Attendee
    {
        guard let id, let person = try rows.person(id) else { return attendee }
        try rows.setPlace(of: id, to: attendee.id, in: attendee.sessionID)
        try catchUp(person, in: attendee.sessionID, isChanged: version.map { $0 != person.version } ?? false)
        return try rows.attendee(attendee.id) ?? attendee
    }

    /// The place of one of two records that are one person's goes to the other, unless that has its own.
    func movePlace(of gone: WholeAttendee, to kept: WholeAttendee) throws(JournalError) {
        guard let person = gone.person, kept.person == nil else { return }
        try rows.setPlace(of: person, to: kept.attendee.id, in: kept.attendee.sessionID)
    }

    /// Two records that were one are apart again, each in its own place. A place that the roster has given to
    /// the one meanwhile goes to whichever of them has that person's key.
    func partPlaces(_ person: PersonID?, of gone: WholeAttendee, and kept: WholeAttendee) throws(JournalError)
    {
        guard let person, person != gone.person, person != kept.person, let found = try rows.person(person)
        else { return }
        let record = try session(kept.attendee.sessionID)
        let key = found.key(by: record.meeting.identifyBy, nameIsUnique: true)
        let isOfGone = gone.person == nil && key != nil && gone.keys.key == key
        guard isOfGone || kept.person == nil else { return try placeAgain(person, in: record) }
        _ = try takePlace(person, as: isOfGone ? gone.attendee : kept.attendee)
    }
}

extension Attendee {
    /// Awaited, and never seen.
    var wasOnlyExpected: Bool { status == .pending && arrivalSequence == 0 && checkedInAt == nil }
}
