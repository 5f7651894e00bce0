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

    /// Writes a changed attendee, and counts and tells it. `event` is the one that says so; who comes in with
    /// it is told as an arrival.
    func replace(_ before: Attendee, with after: Attendee, event: Int64) throws(JournalError) {
        var after = after
        let arrives = after.status.countsAsCheckedIn && after.arrivalSequence == 0
        if arrives { after.arrivalSequence = event }
        let written = after
        try rows.update(written)
        try count(in: before.sessionID) {
            $0.remove(before)
            $0.add(written)
        }
        change(before.sessionID) {
            if arrives { $0.arrivals.append(written) } else { $0.changed.append(written) }
        }
    }

    /// Takes an attendee out of rows, tallies and counts. What the journal says stays.
    func takeOut(_ attendee: Attendee) throws(JournalError) {
        try takeBackNamedResponses(of: attendee)
        try rows.delete(attendee.id)
        try count(in: attendee.sessionID) { $0.remove(attendee) }
        change(attendee.sessionID) { change in
            change.arrivals.removeAll { $0.id == attendee.id }
            change.changed.removeAll { $0.id == attendee.id }
            change.removed.append(attendee.id)
        }
    }

    /// Puts an attendee back as they were, under the next version, and into their place. Refused where
    /// somebody else has their key or place by now, or the questions that they answered have changed.
    @discardableResult
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
        let written = attendee
        try count(in: written.sessionID) { $0.add(written) }
        for set in whole.answered { _ = try rows.markAnswered(written.id, set: set) }
        for response in whole.namedResponses { try putBack(response) }
        let told = try takePlace(whole.person, as: written, knownAs: whole.personVersion)
        change(written.sessionID) { change in
            change.removed.removeAll { $0 == told.id }
            change.changed.append(told)
        }
        return told
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
