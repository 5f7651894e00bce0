package import Meetings

/// Opts in to groups of interest, or changes the nickname and the keywords.
/// - Throws: `receiptNotValid`; `matchingClosed`; `matchExcluded`; `matchPromiseChanged` if the form showed
///   another promise; `limitReached` if the session has too many people, or if the attendee has opted in too
///   often.
package struct JoinMatching: Command {
    package let session: SessionID
    package let receipt: Receipt
    /// The nickname and the keywords, normalized.
    package let nickname: String
    package let keywords: [String]
    package let ages: MatchAges?
    /// The promise that the form showed; nil if the request does not contain this field.
    package let promise: AudienceQuestion.Promise?

    package init(
        session: SessionID, receipt: Receipt, nickname: String, keywords: [String],
        ages: MatchAges? = nil, promise: AudienceQuestion.Promise? = nil
    ) {
        self.session = session
        self.receipt = receipt
        self.nickname = nickname
        self.keywords = MatchPerson.distinct(keywords)
        self.ages = ages
        self.promise = promise
    }

    package func run(in transaction: Transaction) throws(JournalError) -> MatchPerson {
        let caller = try transaction.matching.openCaller(holding: receipt, in: session)
        var person = caller.person
        if let profile = person.profile {
            guard profile.nickname != nickname || profile.keywords != keywords || profile.ages != ages else {
                return person
            }
            person.profile?.nickname = nickname
            person.profile?.keywords = keywords
            person.profile?.ages = ages
        } else {
            if let promise, promise != caller.settings.promise {
                throw .refused(.matchPromiseChanged(caller.settings.promise))
            }
            guard person.joins < MatchPerson.mostJoins else {
                throw .refused(.limitReached(.matchOptIn, limit: MatchPerson.mostJoins))
            }
            guard try transaction.rows.matchPeopleCount(of: session) < MatchPerson.mostInSession else {
                throw .refused(.limitReached(.matchPerson, limit: MatchPerson.mostInSession))
            }
            person.joins += 1
            person.profile = MatchPerson.Profile(
                id: .makeTimeless(), nickname: nickname, keywords: keywords,
                promise: caller.settings.promise, ages: ages)
        }
        try transaction.rows.save(person)
        let match = try transaction.matching.requests(of: person.attendeeID).match(of: person.attendeeID)
        let others = match.map { [$0.from, $0.to] } ?? [person.attendeeID]
        transaction.publishMatching(of: session, to: Set(others), people: true)
        return person
    }
}

/// A request, as the attendee whose command it was sees it.
package struct SeenMatchRequest: Sendable {
    package let request: MatchRequest
    /// Whether this attendee made the request.
    package let isOwn: Bool
}

/// Asks another person of the session to meet.
/// - Throws: `receiptNotValid`; `matchingClosed`; `matchExcluded`; `matchNotJoined`; `notFound` if there is
///   no such person, or if one has blocked the other; `matchRequestsTooFast`; and what `MatchRequests.ask`
///   refuses.
package struct AskToMeet: Command {
    package let session: SessionID
    package let receipt: Receipt
    package let to: MatchProfileID

    package init(session: SessionID, receipt: Receipt, to: MatchProfileID) {
        self.session = session
        self.receipt = receipt
        self.to = to
    }

    package func run(in transaction: Transaction) throws(JournalError) -> SeenMatchRequest {
        let matching = transaction.matching
        var caller = try matching.openCaller(holding: receipt, in: session)
        guard caller.person.profile != nil else { throw .refused(.matchNotJoined) }
        let other = try matching.person(to, for: caller)
        var requests = try matching.requests(of: caller.id, other.attendeeID)
        let place = try matching.freePlace(caller.settings, in: session)
        let request: MatchRequest
        do throws(Refusal) {
            request = try requests.ask(
                other.attendeeID, by: caller.id, in: session, id: .makeTimeless(), place: place,
                at: transaction.now)
            // A repeated request changes nothing, and is not counted.
            if requests.changes.contains(.save(request)) {
                try caller.person.countRequest(at: transaction.now)
            }
        } catch { throw .refused(error) }
        if !requests.changes.isEmpty {
            try transaction.rows.save(caller.person)
            try matching.write(requests, in: session)
            // The two have asked each other, and the other one was first.
            if request.state == .matched {
                try transaction.devices.queue(.matched, to: request.from, in: session)
            }
        }
        return SeenMatchRequest(request: request, isOwn: request.from == caller.id)
    }
}

/// Answers a request, or withdraws the attendee's own request.
/// - Throws: `receiptNotValid`; `matchingClosed`; `matchExcluded`; `matchNotJoined`; `matchRequestOver`.
package struct AnswerMatchRequest: Command {
    package let session: SessionID
    package let receipt: Receipt
    package let request: MatchRequestID
    package let accepts: Bool

    package init(session: SessionID, receipt: Receipt, request: MatchRequestID, accepts: Bool) {
        self.session = session
        self.receipt = receipt
        self.request = request
        self.accepts = accepts
    }

    package func run(in transaction: Transaction) throws(JournalError) -> SeenMatchRequest {
        let matching = transaction.matching
        let caller = try matching.openCaller(holding: receipt, in: session)
        guard caller.person.profile != nil else { throw .refused(.matchNotJoined) }
        let attendee = caller.id
        guard let found = try transaction.rows.matchRequest(request), found.involves(attendee) else {
            throw .refused(.matchRequestOver)
        }
        var requests = try matching.requests(of: found.from, found.to)
        let place = try matching.freePlace(caller.settings, in: session)
        let answered: MatchRequest
        do throws(Refusal) {
            answered = try requests.answer(
                request, by: attendee, accepts: accepts, place: place, at: transaction.now)
        } catch { throw .refused(error) }
        if !requests.changes.isEmpty {
            try matching.write(requests, in: session)
            switch answered.state {
            case .matched: try transaction.devices.queue(.matched, to: answered.from, in: session)
            case .declined: try transaction.devices.queue(.declined, to: answered.from, in: session)
            // The attendee who asked has withdrawn the request.
            case .pending: break
            }
        }
        return SeenMatchRequest(request: answered, isOwn: answered.from == attendee)
    }
}

/// Sends a line of text to the person whom the attendee meets; an empty text deletes the line.
/// - Throws: `receiptNotValid`; `matchingClosed`; `matchExcluded`; `matchRequestOver` if the attendee meets
///   nobody; `matchRequestsTooFast`, because lines and requests share one limit.
package struct WriteToMatch: Command {
    package let session: SessionID
    package let receipt: Receipt
    /// The line, normalized.
    package let line: String

    package init(session: SessionID, receipt: Receipt, line: String) {
        self.session = session
        self.receipt = receipt
        self.line = line
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let matching = transaction.matching
        var caller = try matching.openCaller(holding: receipt, in: session)
        var requests = try matching.requests(of: caller.id)
        do throws(Refusal) {
            try requests.write(line, by: caller.id)
            try caller.person.countRequest(at: transaction.now)
        } catch { throw .refused(error) }
        try transaction.rows.save(caller.person)
        try matching.write(requests, in: session)
    }
}

/// Blocks a person: neither of the two sees or asks the other one again in the session. A repeated command
/// changes nothing. A report does the same, and notifies the hosts.
/// - Throws: `receiptNotValid`; `matchingClosed`; `matchNotJoined`; `notFound` if there is no such person;
///   `invalid` for the attendee's own profile; `limitReached`.
package struct BlockPerson: Command {
    package let session: SessionID
    package let receipt: Receipt
    package let person: MatchProfileID
    /// The attendee's text for the hosts, normalized; nil for a block without a report.
    package let report: String?

    package init(session: SessionID, receipt: Receipt, person: MatchProfileID, report: String? = nil) {
        self.session = session
        self.receipt = receipt
        self.person = person
        self.report = report
    }

    /// Returns the number of people whom the attendee has blocked.
    package func run(in transaction: Transaction) throws(JournalError) -> Int {
        let (matching, rows) = (transaction.matching, transaction.rows)
        let caller = try matching.caller(holding: receipt, in: session)
        let attendee = caller.id
        guard caller.person.profile != nil else { throw .refused(.matchNotJoined) }
        guard let other = try rows.matchPerson(with: person), other.sessionID == session,
            let profile = other.profile
        else { throw .refused(.notFound(.matchPerson)) }
        guard other.attendeeID != attendee else {
            throw .refused(.invalid([FieldError("/person", .unknownPerson)]))
        }
        let blocks = try rows.matchBlocks(of: attendee)
        if !blocks.own.contains(other.attendeeID) {
            guard blocks.own.count < MatchPerson.mostBlocked else {
                throw .refused(.limitReached(.blockedPerson, limit: MatchPerson.mostBlocked))
            }
            _ = try rows.insertMatchBlock(by: attendee, of: other.attendeeID, in: session)
            var requests = try matching.requests(of: attendee, other.attendeeID)
            requests.separate(attendee, from: other.attendeeID)
            try matching.write(requests, in: session, alsoNotifying: [attendee, other.attendeeID])
        }
        if let report { try save(report, of: profile, other.attendeeID, by: attendee, in: transaction) }
        return try rows.matchBlocks(of: attendee).own.count
    }

    private func save(
        _ text: String, of profile: MatchPerson.Profile, _ other: AttendeeID, by attendee: AttendeeID,
        in transaction: Transaction
    ) throws(JournalError) {
        let all = try transaction.rows.matchReports(of: session)
        // A second report of the same person adds nothing, and hosts have not dealt with the first one yet.
        if all.contains(where: { $0.by == attendee && $0.about == other && !$0.isClosed }) { return }
        let (each, inSession) = MatchPerson.mostReports
        guard all.count(where: { $0.by == attendee }) < each else {
            throw .refused(.limitReached(.matchReport, limit: each))
        }
        guard all.count < inSession else { throw .refused(.limitReached(.matchReport, limit: inSession)) }
        try transaction.rows.save(
            MatchReport(
                id: .makeTimeless(), sessionID: session, by: attendee, about: other, profile: profile,
                text: text, at: transaction.now))
        transaction.publishMatching(of: session, reports: true)
    }
}

/// Ends something of the attendee in the groups of interest. It is allowed at any time. If there is nothing
/// to end, the command does nothing.
/// - Throws: `receiptNotValid`.
package struct EndMatching: Command {
    package let session: SessionID
    package let receipt: Receipt
    package let subject: Subject

    package enum Subject: Sendable {
        /// The attendee's part: others no longer see or meet the attendee.
        case part
        /// The attendee's meeting, so that both can be asked again.
        case match
        /// All blocks by the attendee.
        case blocks
    }

    package init(_ subject: Subject, session: SessionID, receipt: Receipt) {
        self.subject = subject
        self.session = session
        self.receipt = receipt
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let matching = transaction.matching
        let attendee = try matching.caller(holding: receipt, in: session).id
        switch subject {
        case .part: try matching.leave(attendee)
        case .match:
            var requests = try matching.requests(of: attendee)
            if requests.endMatch(of: attendee) { try matching.write(requests, in: session) }
        case .blocks:
            if try transaction.rows.deleteMatchBlocks(by: attendee) > 0 {
                transaction.publishMatching(of: session, to: [attendee])
            }
        }
    }
}
