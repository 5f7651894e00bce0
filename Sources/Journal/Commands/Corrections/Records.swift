import Meetings

/// How long what was removed or merged can be put back; then what is kept of it goes.
let undoWindow = Duration.hours(24)

extension Transaction {
    /// The attendee, the session, and the right of who corrects.
    func correcting(_ id: AttendeeID, by actor: AccountID) throws(JournalError) -> (Attendee, SessionRecord) {
        guard let attendee = try rows.attendee(id) else { throw .refused(.notFound(.attendee)) }
        let record = try session(attendee.sessionID)
        try requireHost(actor, of: record.meeting.id)
        return (attendee, record)
    }

    /// Writes a changed attendee, counts it and publishes it: as an arrival if the person comes in by this
    /// event. Returns the attendee as written.
    @discardableResult
    func replace(_ before: Attendee, with after: Attendee, at event: Event) throws(JournalError) -> Attendee {
        var written = after
        let arrives = after.status.countsAsCheckedIn && after.arrivalSequence == 0
        if arrives { written.arrivalSequence = event.sequence }
        try rows.update(written)
        try count(in: before.sessionID) {
            $0.remove(before)
            $0.add(written)
        }
        publish(arrives ? .arrived(written) : .changed(written), at: event)
        return written
    }

    /// Ends the receipt of an attendee who is about to go, and those of the records that were merged into it.
    func endReceipts(of attendee: AttendeeID) throws(JournalError) {
        endRights(of: .attendee(attendee))
        for trace in try rows.traces(into: attendee) { try endReceipts(of: trace.id) }
    }

    /// Takes an attendee out of rows, tallies and counts. The journal's events stay.
    func takeOut(_ attendee: Attendee) throws(JournalError) {
        try takeBackNamedResponses(of: attendee)
        try rows.delete(attendee.id)
        try count(in: attendee.sessionID) { $0.remove(attendee) }
    }

    /// Puts an attendee back as they were, under the next version, and into their place. Returns the attendee
    /// as written.
    /// - Throws: `changedSince` if somebody else has their key or place by now, or if the questions that they
    ///   answered have changed.
    func putBack(_ whole: WholeAttendee) throws(JournalError) -> Attendee {
        var attendee = whole.attendee
        let keys = whole.keys
        try makeRoom(for: whole)
        if let key = keys.key, try rows.attendee(in: attendee.sessionID, key: key) != nil {
            throw .refused(.changedSince)
        }
        if let grant = keys.grant, try rows.attendee(in: attendee.sessionID, grant: grant) != nil {
            throw .refused(.changedSince)
        }
        attendee.version += 1
        attendee.followRule(of: try session(attendee.sessionID).session)
        try rows.insert(attendee, key: keys.key, grant: keys.grant)
        try count(in: attendee.sessionID) { $0.add(attendee) }
        for set in whole.answered { _ = try rows.markAnswered(attendee.id, set: set) }
        for response in whole.namedResponses { try putBack(response) }
        return try takePlace(whole.person, as: attendee, knownAs: whole.personVersion)
    }

    func putBack(_ response: Response) throws(JournalError) {
        guard var set = try rows.questionSet(response.set, of: response.sessionID), !set.anonymous,
            set.takes(response.answers)
        else {
            throw .refused(.changedSince)
        }
        try rows.insert(response, published: true)
        try count(response.answers, in: &set, of: response.sessionID)
    }

    /// Erases what corrections keep of somebody, and of all who were merged into them.
    func eraseCorrections(of attendee: AttendeeID) throws(JournalError) {
        try rows.deleteCorrections(of: attendee)
        for trace in try rows.traces(into: attendee) {
            try eraseCorrections(of: trace.id)
            try rows.deleteTrace(of: trace.id)
        }
    }
}

extension QuestionSet {
    fileprivate func takes(_ answers: Answers) -> Bool {
        do throws(Refusal) { return try checked(answers) == answers } catch { return false }
    }
}

extension Attendee {
    /// The session's times may have moved since this was written.
    mutating func followRule(of session: Session) {
        guard !statusIsByHost, status.countsAsCheckedIn, let checkedInAt else { return }
        status = session.status(ofArrivalAt: checkedInAt)
    }
}
