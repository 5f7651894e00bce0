package import Meetings

/// Checks a person in. If the person is already checked in, the command changes nothing and is no error; its
/// outcome tells the caller.
/// - Throws: `checkInNotOpen` or `checkInClosed` if `moment` is outside the check-in window; `grantExpired`
///   or `checkInClosed` if the grant has expired, or a host has revoked the meeting's codes since;
///   `grantUsedUp` if `repeats` refuses; `invalid` if the field by which the meeting identifies attendees is
///   missing, if the attendee has not agreed to the meeting's `consent`, or if the questions do not accept
///   the answers; `limitReached` if the session has
///   `mostAttendees`, or its check-in questions have `QuestionSet.mostResponses` responses.
///
/// It is an object, because the writer's closures hold it, and a copy would cost more than the reference.
package final class CheckIn: Command {
    package let session: SessionID
    /// The moment at which the client exchanged the code. The check-in window and the late rule use this
    /// moment.
    package let moment: Instant
    package let method: CheckInMethod
    /// The age of the code when the client exchanged it, in seconds; nil if codes do not rotate.
    package let codeAge: Int?
    /// The last renewal of all codes when the client exchanged the code (`Meeting.codesRevokedAt`).
    package let revocation: Instant?
    /// The id of the grant, which belongs to one person; nil if the request contained the code itself.
    package let grant: [UInt8]?
    /// The receipt in the request, if there is one.
    package let receipt: Receipt?
    /// The person's name, normalized.
    package let name: String
    /// The e-mail address as the person typed it. The meeting identifies attendees by e-mail address, by
    /// number or by name. The field that the meeting uses is required, and the other is ignored.
    package let email: String?
    package let number: String?
    /// The answers to the questions of the check-in.
    package let answers: Answers
    package let unusable: UnusableAnswers
    package let evidence: CheckInEvidence?
    /// The number of the text that the attendee agreed to; nil if there is none.
    package let consentNumber: Int?
    /// The cached verdicts from `Storage.judged`; nil to call the pattern engine.
    package let patterns: (any PatternMatching)?
    /// The counts that limit what one grant may try; nil for no limit.
    package let repeats: CheckInRepeats?

    /// The result of a check-in that was not refused. It is indirect, because it is passed through several
    /// layers, and a copy of the record would cost more than the reference.
    package indirect enum Outcome: Sendable {
        /// The person is checked in. `again` is true if the same grant or receipt had already checked this
        /// attendee in.
        case checkedIn(Attendee, SessionRecord, again: Bool)
        /// The person was already checked in, but not with this grant or receipt. The outcome reveals nothing
        /// about that record.
        case elsewhere(SessionRecord)
        /// An answer shows that the session is not meant for this person. The command has stored nothing.
        case ended(Rule, SessionRecord)
    }

    /// The most attendees of one session, including the awaited ones.
    package static let mostAttendees = 100_000

    package init(
        session: SessionID, moment: Instant, method: CheckInMethod, codeAge: Int? = nil,
        revocation: Instant? = nil, grant: [UInt8]?, receipt: Receipt? = nil, name: String,
        email: String? = nil, number: String? = nil,
        answers: Answers = [:], unusable: UnusableAnswers = .none, evidence: CheckInEvidence? = nil,
        consentNumber: Int? = nil, patterns: (any PatternMatching)? = nil, repeats: CheckInRepeats? = nil
    ) {
        self.session = session
        self.moment = moment
        self.method = method
        self.codeAge = codeAge
        self.revocation = revocation
        self.grant = grant
        self.receipt = receipt
        self.name = name
        self.email = email
        self.number = number
        self.answers = answers
        self.unusable = unusable
        self.evidence = evidence
        self.consentNumber = consentNumber
        self.patterns = patterns
        self.repeats = repeats
    }

    package var checksIn: Bool { true }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let record = try transaction.session(session)
        if let known = try earlier(in: transaction) { return .checkedIn(known, record, again: true) }
        if let refusal = refusal(record, now: transaction.now) { throw .refused(refusal) }

        if let error = record.meeting.consent?.refusal(of: consentNumber) {
            throw .refused(.invalid([error]))
        }

        let kind = record.meeting.identifyBy
        let identity = try identity(by: kind)
        let key = key(of: identity, by: kind)
        let person = key.map {
            CheckInRepeats.Named(session: session, key: $0)
        }
        if let person, let refusal = repeats?.refusal(of: person, by: grant) { throw .refused(refusal) }
        // The answers are checked before the person is looked up. Otherwise an empty form, or an answer that
        // ends the form, would reveal whether somebody has this number, without leaving a trace.
        let asked = try asked(in: transaction)
        if let asked, let ending = asked.set.ending(for: asked.answers, by: patterns ?? transaction.patterns)
        {
            return .ended(ending, record)
        }

        var awaited: Attendee?
        if let key { awaited = try transaction.attendees.known(by: key, in: session) }
        if let found = awaited, found.checkedInAt != nil || found.status.countsAsCheckedIn {
            // Several people may have the same name, so a second check-in with this name is another person.
            guard kind == .name else {
                if let person { repeats?.named(person, by: grant, on: evidence?.device) }
                try transaction.mailings.noteTriedElsewhere(found, in: record)
                return .elsewhere(record)
            }
            awaited = nil
        }
        let walkIn =
            if let awaited { awaited.walkIn } else { try transaction.hasRoster(record.meeting.id) }
        let firstTime =
            if let awaited { awaited.firstTime } else {
                try transaction.isNewcomer(key, named: name, to: record)
            }
        if awaited == nil, record.headCount.known >= Self.mostAttendees {
            throw .refused(.limitReached(.attendee, limit: Self.mostAttendees))
        }

        let status = record.session.status(ofArrivalAt: moment)
        let id = awaited?.id ?? transaction.newAttendeeID()
        let event = try transaction.record(
            .checkedIn, in: session, attendee: id, by: .attendee,
            EventData(
                status: status, before: awaited?.status, method: method, walkIn: walkIn ? true : nil,
                codeAge: codeAge,
                grantAge: record.session.codeKind == .rotating
                    ? max(0, Int(transaction.now.since(moment).components.seconds)) : nil))
        var attendee = Attendee(
            id: id, sessionID: session, name: awaited?.name ?? name, identity: awaited?.identity ?? identity,
            status: status, walkIn: walkIn, firstTime: firstTime, checkedInAt: moment, method: method,
            arrivalSequence: event.sequence, receiptsEndedAt: awaited?.receiptsEndedAt,
            version: (awaited?.version ?? 0) + 1, note: awaited?.note ?? "", evidence: evidence,
            consentNumber: record.meeting.consent?.number)
        if let awaited {
            attendee.setTyped(TypedDetails(name: name, identity: identity))
            try transaction.rows.update(attendee)
            if let grant { try transaction.rows.setGrant(grant, of: attendee) }
            try transaction.attendees.count(awaited, as: attendee)
        } else {
            try transaction.attendees.insert(attendee, key: kind == .name ? nil : key, grant: grant)
        }
        transaction.publish(.arrived(attendee), at: event)
        try transaction.presence.leaveOthers(than: attendee, in: record, by: .attendee)
        if var asked, !asked.answers.isEmpty {
            try transaction.responses.storeAtCheckIn(asked.answers, of: id, to: &asked.set, in: session)
        }
        return .checkedIn(attendee, try transaction.session(session), again: false)
    }

    package func lookAhead(in transaction: Transaction) throws(JournalError) {
        let (rows, meeting) = (transaction.rows, try transaction.session(session).meeting)
        if let receipt { _ = try rows.attendee(holding: receipt) }
        if let grant {
            _ = try rows.attendee(in: session, grant: grant)
            _ = try rows.trace(in: session, grant: grant)
        }
        if let key = key(of: try identity(by: meeting.identifyBy), by: meeting.identifyBy) {
            _ = try rows.attendee(in: session, key: key)
        }
        _ = try rows.questionSet(QuestionSet.checkIn, of: session)
        _ = try rows.hasTraces(in: session)
        _ = try rows.hasRoster(meeting.id)
    }

    /// Returns the questions of the check-in with the checked answers; nil if the check-in has no questions.
    private func asked(in transaction: Transaction) throws(JournalError) -> (
        set: QuestionSet, answers: Answers
    )? {
        let responses = transaction.responses
        let known = try transaction.find(.checkInQuestions(session)) { () throws(JournalError) in
            try transaction.rows.questionSet(QuestionSet.checkIn, of: session)
        }
        guard let set = known, set.openByHand != false, !set.asked.isEmpty
        else {
            // The check-in has no questions, so every answer is rejected as an answer to an unknown question.
            if !answers.isEmpty || !unusable.isEmpty {
                _ = try responses.checked(answers, besides: unusable, to: QuestionSet(), by: NoPatterns())
            }
            return nil
        }
        return (
            set,
            try responses.checked(
                answers, besides: unusable, to: set, by: patterns ?? transaction.patterns, mayBeEmpty: true)
        )
    }

    private func key(of identity: String, by kind: IdentifyBy) -> IdentityKey? {
        kind == .name ? IdentityKey(name) : identity.isEmpty ? nil : IdentityKey(identity)
    }

    private func identity(by kind: IdentifyBy) throws(JournalError) -> String {
        let (given, field) =
            switch kind {
            case .name: ("" as String?, "")
            case .email: (email, "/email")
            case .number: (number, "/number")
            }
        guard let given else { throw .refused(.invalid([FieldError(field, .missing)])) }
        return given
    }

    /// Returns the attendee whom the same receipt or grant has already checked in; nil if there is none.
    private func earlier(in transaction: Transaction) throws(JournalError) -> Attendee? {
        // A pending attendee may check in again, because a host has undone the check-in.
        if let receipt, let attendee = try transaction.rows.attendee(holding: receipt),
            attendee.sessionID == session, attendee.status != .pending
        {
            return attendee
        }
        guard let grant else { return nil }
        if let attendee = try transaction.rows.attendee(in: session, grant: grant) { return attendee }
        guard let trace = try transaction.rows.trace(in: session, grant: grant),
            let attendee = try transaction.rows.attendee(behind: trace.id),
            attendee.status != .pending, attendee.receiptsEndedAt == nil
        else { return nil }
        return attendee
    }

    /// Returns the receipt of this check-in; nil if it was not this command that checked the attendee in. If
    /// the record has absorbed the record of this grant or receipt, the receipt is that of the absorbed
    /// record: both lead to the same record, but each has its own questions and votes.
    package func receipt(for outcome: Outcome, in rows: any ReadableRows) throws(JournalError) -> Receipt? {
        guard case .checkedIn(let attendee, _, let again) = outcome else { return nil }
        guard again else { return Receipt(for: attendee) }
        if let receipt, try rows.attendee(holding: receipt)?.id == attendee.id { return receipt }
        if let grant, let trace = try rows.trace(in: session, grant: grant),
            try rows.attendee(behind: trace.id)?.id == attendee.id
        {
            return Receipt(for: trace.id, arrival: attendee.arrivalSequence)
        }
        return Receipt(for: attendee)
    }

    private func refusal(_ record: SessionRecord, now: Instant) -> Refusal? {
        let session = record.session
        if let refusal = session.refusal(ofCheckInAt: moment) { return refusal }
        if now > session.grantExpiresAt(exchangedAt: moment)
            || !record.meeting.accepts(grantSince: revocation)
        {
            // While check-in is open, the attendee can scan again.
            return now <= session.checkInClosesAt
                ? .grantExpired : .checkInClosed(closedAt: session.checkInClosesAt)
        }
        return nil
    }
}

/// A check-in with the receipt for its answer.
package struct CheckInWithReceipt: Command {
    package let checkIn: CheckIn

    package init(_ checkIn: CheckIn) { self.checkIn = checkIn }

    package var checksIn: Bool { true }

    package func run(in transaction: Transaction) throws(JournalError) -> (
        outcome: CheckIn.Outcome, receipt: Receipt?
    ) {
        let outcome = try checkIn.run(in: transaction)
        return (outcome, try checkIn.receipt(for: outcome, in: transaction.rows))
    }

    package func lookAhead(in transaction: Transaction) throws(JournalError) {
        try checkIn.lookAhead(in: transaction)
    }
}
