package import Meetings

/// Brings a person into a session. A repeat is not an error: it changes nothing and is answered as what it
/// is.
package struct CheckIn: Command {
    package let session: SessionID
    /// When the code was exchanged: the moment that counts.
    package let moment: Instant
    package let method: CheckInMethod
    /// Of the code when it was exchanged, in seconds; nil where codes do not rotate.
    package let codeAge: Int?
    /// The id of the grant, which is one person's; nil where the code itself was sent.
    package let grant: [UInt8]?
    /// Whose receipt came with the request.
    package let receiptHolder: AttendeeID?
    /// Normalized.
    package let name: String
    /// As written. The one that the meeting identifies by is needed; the other is passed over.
    package let email: String?
    package let number: String?
    /// To the questions that are asked with the check-in.
    package let answers: Answers
    package let unusable: UnusableAnswers
    package let evidence: CheckInEvidence?
    /// What has judged the answers before (`Storage.judged`); the engine itself where nil.
    package let patterns: (any PatternMatching)?

    package enum Outcome: Sendable {
        /// `again` where the same grant or receipt had brought the same person in before.
        case checkedIn(Attendee, SessionRecord, again: Bool)
        /// The person is in already, by another way: nothing about the record is told.
        case elsewhere(SessionRecord)
        /// By an answer, the session is not meant for this person: nothing was kept.
        case ended(Rule, SessionRecord)
    }

    /// A grant lives until check-in closes, and never less than this from its exchange, so that who scans at
    /// the last moment can still type.
    package static let shortestGrant = Duration.minutes(10)
    package static let mostAttendees = 100_000

    package init(
        session: SessionID, moment: Instant, method: CheckInMethod, codeAge: Int? = nil, grant: [UInt8]?,
        receiptHolder: AttendeeID? = nil,
        name: String, email: String? = nil, number: String? = nil, answers: Answers = [:],
        unusable: UnusableAnswers = .none,
        evidence: CheckInEvidence? = nil, patterns: (any PatternMatching)? = nil
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
        var place: Attendee?
        if let key { place = try transaction.attendee(known: key, in: session) }
        if let found = place, found.checkedInAt != nil || found.status.countsAsCheckedIn {
            // A name is nobody's alone: who has the same as somebody who is in is another person.
            guard kind == .name else { return .elsewhere(record) }
            place = nil
        }
        let walkIn = if let place { place.walkIn } else { try transaction.rows.hasRoster(record.meeting.id) }
        if place == nil, record.headCount.known >= Self.mostAttendees {
            throw .refused(.limitReached(.attendee, limit: Self.mostAttendees))
        }

        let asked = try asked(in: transaction)
        if let asked, let ending = asked.set.ending(for: asked.answers, by: patterns ?? transaction.patterns)
        {
            return .ended(ending, record)
        }

        let status = record.session.status(ofArrivalAt: moment)
        let id = place?.id ?? AttendeeID.make(at: transaction.now)
        let event = try transaction.record(
            .checkedIn, in: session, attendee: id, by: .attendee,
            EventData(
                status: status, before: place?.status, method: method, walkIn: walkIn ? true : nil,
                codeAge: codeAge))
        let attendee = Attendee(
            id: id, sessionID: session, name: place?.name ?? name, identity: place?.identity ?? identity,
            status: status,
            walkIn: walkIn, checkedInAt: moment, method: method, arrivalSequence: event.sequence,
            version: (place?.version ?? 0) + 1,
            note: place?.note ?? "", evidence: evidence)
        if let place {
            try transaction.rows.update(attendee)
            if let grant { try transaction.rows.setGrant(grant, of: attendee) }
            try transaction.count(in: session) { $0.remove(place) }
        } else {
            try transaction.rows.insert(attendee, key: kind == .name ? nil : key, grant: grant)
        }
        try transaction.count(in: session) { $0.add(attendee) }
        transaction.publish(.arrived(attendee), at: event)
        if var asked, !asked.answers.isEmpty {
            try transaction.keep(asked.answers, of: id, to: &asked.set, in: session)
        }
        return .checkedIn(attendee, try transaction.session(session), again: false)
    }

    /// The questions of the check-in with what was answered; nil where none are asked. Optional ones may all
    /// be left out.
    private func asked(in transaction: Transaction) throws(JournalError) -> (
        set: QuestionSet, answers: Answers
    )? {
        guard let set = try transaction.rows.questionSet(QuestionSet.checkIn, of: session),
            set.openByHand != false, !set.asked.isEmpty
        else {
            // No question is asked, so every answer is one to an unknown question.
            if !answers.isEmpty || !unusable.isEmpty {
                _ = try transaction.checked(answers, besides: unusable, to: QuestionSet(), by: NoPatterns())
            }
            return nil
        }
        if answers.isEmpty, unusable.isEmpty, !set.asked.contains(where: \.required) { return (set, [:]) }
        return (
            set,
            try transaction.checked(answers, besides: unusable, to: set, by: patterns ?? transaction.patterns)
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

    private func earlier(in transaction: Transaction) throws(JournalError) -> Attendee? {
        // Whose check-in a host has taken back, may come in afresh.
        if let receiptHolder, let attendee = try transaction.rows.attendee(behind: receiptHolder),
            attendee.sessionID == session,
            attendee.status != .pending
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
