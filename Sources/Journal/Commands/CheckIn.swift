package import Meetings

/// Checks a person in. A repeat is no error: it changes nothing, and its outcome says that it is one.
package struct CheckIn: Command {
    package let session: SessionID
    /// When the code was exchanged. The check-in is judged by this moment.
    package let moment: Instant
    package let method: CheckInMethod
    /// The age of the code when it was exchanged, in seconds; nil if codes do not rotate.
    package let codeAge: Int?
    /// The id of the grant, which one person has; nil if the request had the code itself.
    package let grant: [UInt8]?
    /// The attendee whose receipt came with the request.
    package let receiptHolder: AttendeeID?
    /// Normalized.
    package let name: String
    /// As written. The field by which the meeting identifies attendees is required; the other is ignored.
    package let email: String?
    package let number: String?
    /// The answers to the questions that are asked with the check-in.
    package let answers: Answers
    package let unusable: UnusableAnswers
    package let evidence: CheckInEvidence?
    /// What has judged the answers already (`Storage.judged`); nil to ask the engine itself.
    package let patterns: (any PatternMatching)?

    package enum Outcome: Sendable {
        /// `again` if the same grant or receipt had checked in the same attendee before.
        case checkedIn(Attendee, SessionRecord, again: Bool)
        /// The person had checked in another way. The outcome tells nothing about that record.
        case elsewhere(SessionRecord)
        /// By an answer, the session is not meant for this person. Nothing was stored.
        case ended(Rule, SessionRecord)
    }

    /// A grant lasts until check-in closes, and at least this long after its exchange, so that a person who
    /// scans at the last moment can still type.
    package static let shortestGrant = Duration.minutes(10)
    package static let mostAttendees = 100_000

    package init(
        session: SessionID, moment: Instant, method: CheckInMethod, codeAge: Int? = nil, grant: [UInt8]?,
        receiptHolder: AttendeeID? = nil, name: String, email: String? = nil, number: String? = nil,
        answers: Answers = [:], unusable: UnusableAnswers = .none, evidence: CheckInEvidence? = nil,
        patterns: (any PatternMatching)? = nil
    ) {
        self.session = session
        self.moment = moment
        self.method = method
        self.codeAge = codeAge
        self.grant = grant
        self.receiptHolder = receiptHolder
        self.name = name
        self.email = email
        self.number = number
        self.answers = answers
        self.unusable = unusable
        self.evidence = evidence
        self.patterns = patterns
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let record = try transaction.session(session)
        if let known = try earlier(in: transaction) { return .checkedIn(known, record, again: true) }
        if let refusal = refusal(record.session, now: transaction.now) { throw .refused(refusal) }

        let kind = record.meeting.identifyBy
        let identity = try identity(by: kind)
        let key: IdentityKey? =
            kind == .name ? IdentityKey(name) : identity.isEmpty ? nil : IdentityKey(identity)
        var awaited: Attendee?
        if let key { awaited = try transaction.attendees.known(by: key, in: session) }
        if let found = awaited, found.checkedInAt != nil || found.status.countsAsCheckedIn {
            // Several people may have one name: the second to come with it is another person.
            guard kind == .name else { return .elsewhere(record) }
            awaited = nil
        }
        let walkIn =
            if let awaited { awaited.walkIn } else { try transaction.rows.hasRoster(record.meeting.id) }
        if awaited == nil, record.headCount.known >= Self.mostAttendees {
            throw .refused(.limitReached(.attendee, limit: Self.mostAttendees))
        }

        let asked = try asked(in: transaction)
        if let asked, let ending = asked.set.ending(for: asked.answers, by: patterns ?? transaction.patterns)
        {
            return .ended(ending, record)
        }

        let status = record.session.status(ofArrivalAt: moment)
        let id = awaited?.id ?? AttendeeID.make(at: transaction.now)
        let event = try transaction.record(
            .checkedIn, in: session, attendee: id, by: .attendee,
            EventData(
                status: status, before: awaited?.status, method: method, walkIn: walkIn ? true : nil,
                codeAge: codeAge))
        let attendee = Attendee(
            id: id, sessionID: session, name: awaited?.name ?? name, identity: awaited?.identity ?? identity,
            status: status, walkIn: walkIn, checkedInAt: moment, method: method,
            arrivalSequence: event.sequence, version: (awaited?.version ?? 0) + 1, note: awaited?.note ?? "",
            evidence: evidence)
        if let awaited {
            try transaction.rows.update(attendee)
            if let grant { try transaction.rows.setGrant(grant, of: attendee) }
            try transaction.count(in: session) {
                $0.remove(awaited)
                $0.add(attendee)
            }
        } else {
            try transaction.attendees.insert(attendee, key: kind == .name ? nil : key, grant: grant)
        }
        transaction.publish(.arrived(attendee), at: event)
        if var asked, !asked.answers.isEmpty {
            try transaction.responses.store(asked.answers, of: id, to: &asked.set, in: session)
        }
        return .checkedIn(attendee, try transaction.session(session), again: false)
    }

    /// The questions of the check-in with the answers; nil if none are asked. If all are optional, all may be
    /// left out.
    private func asked(in transaction: Transaction) throws(JournalError) -> (
        set: QuestionSet, answers: Answers
    )? {
        let responses = transaction.responses
        guard let set = try transaction.rows.questionSet(QuestionSet.checkIn, of: session),
            set.openByHand != false, !set.asked.isEmpty
        else {
            // No question is asked, so every answer is one to an unknown question.
            if !answers.isEmpty || !unusable.isEmpty {
                _ = try responses.checked(answers, besides: unusable, to: QuestionSet(), by: NoPatterns())
            }
            return nil
        }
        if answers.isEmpty, unusable.isEmpty, !set.asked.contains(where: \.required) { return (set, [:]) }
        return (
            set,
            try responses.checked(answers, besides: unusable, to: set, by: patterns ?? transaction.patterns)
        )
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

    /// The attendee whom the same receipt or grant has checked in before.
    private func earlier(in transaction: Transaction) throws(JournalError) -> Attendee? {
        // A pending attendee may check in again: a host has undone the check-in.
        if let receiptHolder, let attendee = try transaction.rows.attendee(behind: receiptHolder),
            attendee.sessionID == session, attendee.status != .pending
        {
            return attendee
        }
        guard let grant else { return nil }
        if let attendee = try transaction.rows.attendee(in: session, grant: grant) { return attendee }
        guard let trace = try transaction.rows.trace(in: session, grant: grant),
            let attendee = try transaction.rows.attendee(behind: trace.id),
            attendee.status != .pending
        else { return nil }
        return attendee
    }

    private func refusal(_ session: Session, now: Instant) -> Refusal? {
        if moment < session.checkInOpensAt { return .checkInNotOpen(opensAt: session.checkInOpensAt) }
        if moment > session.checkInClosesAt { return .checkInClosed(closedAt: session.checkInClosesAt) }
        if now > max(session.checkInClosesAt, moment + Self.shortestGrant) {
            return .checkInClosed(closedAt: session.checkInClosesAt)
        }
        return nil
    }
}

/// An attendee corrects the name in their own record.
package struct CorrectOwnName: Command {
    package let attendee: AttendeeID
    /// Normalized.
    package let name: String

    package init(attendee: AttendeeID, name: String) {
        self.attendee = attendee
        self.name = name
    }

    /// - Throws: `receiptNotValid`.
    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        guard var record = try transaction.rows.attendee(behind: attendee) else {
            throw .refused(.receiptNotValid)
        }
        if record.name != name {
            let (before, grant) = (record.withoutEvidence, try transaction.rows.keys(of: record.id).grant)
            record.name = name
            record.version += 1
            try transaction.rows.update(record)
            let event = try transaction.record(
                .renamed, in: record.sessionID, attendee: record.id, by: .attendee)
            transaction.publish(.changed(record), at: event)
            try transaction.rows.save(
                CorrectionRecord(
                    sessionID: record.sessionID, sequence: event.sequence, attendeeID: record.id,
                    before: .corrected(before, grant: grant), versionAfter: record.version))
        }
        return (record, try transaction.session(record.sessionID))
    }
}

/// An attendee withdraws the check-in: the command erases the record, and all that the journal's events could
/// be joined to. The receipts of the record, and of those merged into it, end.
package struct WithdrawCheckIn: Command {
    package let attendee: AttendeeID

    package init(attendee: AttendeeID) { self.attendee = attendee }

    /// - Throws: `receiptNotValid`.
    package func run(in transaction: Transaction) throws(JournalError) {
        guard let record = try transaction.rows.attendee(behind: attendee) else {
            throw .refused(.receiptNotValid)
        }
        let person = try transaction.rows.person(inSlotOf: record.id)
        try transaction.attendees.endReceipts(of: record.id)
        try transaction.attendees.remove(record)
        try transaction.corrections.erase(of: record.id)
        let event = try transaction.record(
            .withdrawn, in: record.sessionID, attendee: record.id, by: .attendee,
            EventData(before: record.status))
        transaction.publish(.removed(record.id), at: event)
        if let person {
            try transaction.roster.awaitAgain(person, in: try transaction.session(record.sessionID))
        }
    }
}
