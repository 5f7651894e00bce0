import Meetings

/// Finds the people of groups of interest, applies their requests, and erases their data.
///
/// What attendees do here leaves no event in the journal, because members see the journal, and nobody may
/// see who wants to meet whom.
struct Matching {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// The holder of a receipt who takes part, or may take part.
    struct Caller {
        /// The id in the receipt.
        let id: AttendeeID
        let settings: MatchSettings
        /// The caller's part; an empty one if the caller has never opted in.
        var person: MatchPerson
    }

    func settings(of session: SessionID) throws(JournalError) -> MatchSettings {
        try rows.matchSettings(of: session) ?? .initial
    }

    /// Returns the holder of the receipt, even if the groups are closed.
    /// - Throws: `receiptNotValid` if the receipt has ended or belongs to another session.
    func caller(holding receipt: Receipt, in session: SessionID) throws(JournalError) -> Caller {
        _ = try transaction.audience.attendee(holding: receipt, in: session)
        let id = receipt.attendeeID
        let person = try rows.matchPerson(id) ?? MatchPerson(attendeeID: id, sessionID: session)
        return Caller(id: id, settings: try settings(of: session), person: person)
    }

    /// Returns the holder of the receipt.
    /// - Throws: also `matchingClosed` if nobody can take part now; `matchExcluded` if a host has excluded
    ///   the attendee.
    func openCaller(holding receipt: Receipt, in session: SessionID) throws(JournalError) -> Caller {
        let caller = try caller(holding: receipt, in: session)
        let record = try transaction.session(session)
        guard caller.settings.takesPart(in: record.session, at: transaction.now) else {
            throw .refused(.matchingClosed)
        }
        guard !caller.person.isExcluded else { throw .refused(.matchExcluded) }
        return caller
    }

    /// Returns the person of the session whom others name by this profile.
    /// - Throws: `notFound` if there is none, if one of the two has blocked the other one, or if their ages
    ///   do not fit.
    func person(_ profile: MatchProfileID, for caller: Caller) throws(JournalError) -> MatchPerson {
        guard let person = try rows.matchPerson(with: profile),
            person.sessionID == caller.person.sessionID,
            MatchAges.fit(person.profile?.ages, caller.person.profile?.ages)
        else { throw .refused(.notFound(.matchPerson)) }
        let blocks = try rows.matchBlocks(of: caller.id)
        guard !blocks.own.union(blocks.others).contains(person.attendeeID) else {
            throw .refused(.notFound(.matchPerson))
        }
        return person
    }

    /// Returns the rules over the requests of these attendees.
    func requests(of attendees: AttendeeID...) throws(JournalError) -> MatchRequests {
        var found: [MatchRequest] = []
        for attendee in attendees { found += try rows.matchRequests(of: attendee) }
        return MatchRequests(found)
    }

    /// Returns the place for a new pair.
    func freePlace(_ settings: MatchSettings, in session: SessionID) throws(JournalError) -> String {
        guard settings.places.count > 1 else { return settings.places.first ?? "" }
        let pairs = try rows.matches(of: session).reduce(into: [String: Int]()) {
            $0[$1.place, default: 0] += 1
        }
        return settings.freestPlace(pairs)
    }

    /// Writes the changes of requests, and notifies the phones of all attendees concerned.
    /// - Parameter attendees: further attendees to notify.
    func write(
        _ requests: MatchRequests, in session: SessionID, alsoNotifying attendees: Set<AttendeeID> = []
    ) throws(JournalError) {
        var concerned = attendees
        var hasNewState = false
        for change in requests.changes {
            switch change {
            case .save(let request):
                try rows.save(request)
                concerned.formUnion([request.from, request.to])
                hasNewState = hasNewState || request.state == .matched
            case .delete(let request):
                try rows.delete(request.id)
                concerned.formUnion([request.from, request.to])
                hasNewState = hasNewState || request.state == .matched
            }
        }
        if !concerned.isEmpty || hasNewState {
            transaction.publishMatching(of: session, to: concerned, people: hasNewState)
        }
    }

    // MARK: The end of a part

    // A part belongs to the id in the receipt by which the attendee opted in, as questions and votes do
    // (`AudienceQuestions`). If a count or a list changed at the moment of a host's removal, merge or undo, a
    // host could see what a single attendee had written. If a part moved to another record, its holder could
    // see it.

    /// Ends the attendee's part, at the attendee's or a host's decision: others no longer see or meet the
    /// attendee. Blocks, declined requests and a host's exclusion stay.
    func leave(_ attendee: AttendeeID) throws(JournalError) {
        guard var person = try rows.matchPerson(attendee), person.profile != nil else { return }
        person.profile = nil
        try rows.save(person)
        var requests = try requests(of: attendee)
        requests.leave(attendee)
        try write(requests, in: person.sessionID, alsoNotifying: [attendee])
        transaction.publishMatching(of: person.sessionID, people: true)
    }

    /// Ends the requests that wait for an answer, because a receipt with this id ends. The person whom the
    /// attendee meets learns that the attendee has left.
    func endReceipts(of attendee: AttendeeID) throws(JournalError) {
        guard let person = try rows.matchPerson(attendee) else { return }
        var requests = try requests(of: attendee)
        let met = requests.match(of: attendee)?.other(than: attendee)
        requests.endPending(of: attendee)
        try write(requests, in: person.sessionID, alsoNotifying: Set([attendee, met].compactMap { $0 }))
    }

    /// Makes everything of one id that of another id, which has nothing. Returns whether there was anything.
    func handOver(from attendee: AttendeeID, to other: AttendeeID) throws(JournalError) -> Bool {
        guard try rows.matchPerson(attendee) != nil else { return false }
        try endReceipts(of: attendee)
        try rows.moveMatching(of: attendee, to: other)
        return true
    }

    /// Cuts the link between a deleted attendee and the keywords, blocks and reports, which stay. Erases the
    /// nickname, the line of text, and the reports that show the attendee's name.
    func forget(_ attendee: AttendeeID) throws(JournalError) {
        guard var person = try rows.matchPerson(attendee) else { return }
        person.profile?.nickname = ""
        try rows.save(person)
        var requests = try requests(of: attendee)
        if requests.match(of: attendee) != nil {
            do throws(Refusal) { try requests.write("", by: attendee) } catch { throw .refused(error) }
        }
        try write(requests, in: person.sessionID)
        try rows.deleteNamedMatchReports(about: attendee)
        _ = try handOver(from: attendee, to: .makeTimeless())
    }

    /// Erases everything that names the attendee, at the attendee's request.
    func erase(_ attendee: AttendeeID) throws(JournalError) {
        guard let person = try rows.matchPerson(attendee) else { return }
        try leave(attendee)
        try rows.eraseMatching(of: attendee)
        transaction.publishMatching(of: person.sessionID, people: true)
    }
}

extension Transaction {
    var matching: Matching { Matching(transaction: self) }
}
