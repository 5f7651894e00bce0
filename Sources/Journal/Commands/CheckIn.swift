package import Meetings

/// Checks a person in. If the person is already checked in, the command changes nothing and is no error; its
/// outcome tells the caller.
/// - Throws: `checkInNotOpen` or `checkInClosed` if `moment` is outside the check-in window; `grantExpired`
///   or `checkInClosed` if the grant has expired, or a host has revoked the meeting's codes since;
///   `grantUsedUp` if `repeats` refuses; `invalid` if the field by which the meeting identifies attendees is
///   missing, or if the questions do not accept the answers; `limitReached` if the session has
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
        patterns: (any PatternMatching)? = nil, repeats: CheckInRepeats? = nil
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
        self.patterns = patterns
        self.repeats = repeats
    }

    package var checksIn: Bool { true }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let record = try transaction.session(session)
        if let known = try earlier(in: transaction) { return .checkedIn(known, record, again: true) }
        if let refusal = refusal(record, now: transaction.now) { throw .refused(refusal) }

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
            version: (awaited?.version ?? 0) + 1, note: awaited?.note ?? "", evidence: evidence)
        if let awaited {
            attendee.setTyped(TypedDetails(name: name, identity: identity))
            try transaction.rows.update(attendee)
            if let grant { try transaction.rows.setGrant(grant, of: attendee) }
            try transaction.attendees.count(awaited, as: attendee)
        } else {
            try transaction.attendees.insert(attendee, key: kind == .name ? nil : key, grant: grant)
        }
        transaction.publish(.arrived(attendee), at: event)
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
        if moment < session.checkInOpensAt { return .checkInNotOpen(opensAt: session.checkInOpensAt) }
        if moment > session.checkInClosesAt { return .checkInClosed(closedAt: session.checkInClosesAt) }
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

/// Changes the name in an attendee's own record, at the attendee's request. If the attendee has a roster
/// slot, the record keeps the roster's name, and the new name is stored as the typed one.
/// - Throws: `receiptNotValid` if the receipt has ended; `renamedTooOften` if the attendee
///   has changed their name `most` times.
package struct CorrectOwnName: Command {
    package let receipt: Receipt
    /// The new name, normalized.
    package let name: String

    /// The largest number of times that an attendee can change their own name in a session. Each change adds
    /// an event that is never deleted.
    package static let most = 20

    package init(receipt: Receipt, name: String) {
        self.receipt = receipt
        self.name = name
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        guard var record = try transaction.rows.attendee(holding: receipt) else {
            throw .refused(.receiptNotValid)
        }
        let seen = record.seenByAttendee
        if seen.name != name {
            let earlier = try transaction.rows.renames(of: record.id, in: record.sessionID)
            guard earlier.count < Self.most else { throw .refused(.renamedTooOften(limit: Self.most)) }
            let (before, grant) = (record.withoutEvidence, try transaction.rows.keys(of: record.id).grant)
            var hasSlot = record.typed != nil
            if !hasSlot { hasSlot = try transaction.rows.person(inSlotOf: record.id) != nil }
            if hasSlot {
                record.setTyped(TypedDetails(name: name, identity: seen.identity))
            } else {
                record.name = name
            }
            record.version += 1
            try transaction.rows.update(record)
            let event = try transaction.record(
                .renamed, in: record.sessionID, attendee: record.id, by: .attendee)
            transaction.publish(.changed(record), at: event)
            // Successive changes of the name are one correction, which an undo reverts as a whole. Otherwise
            // each of them would store a copy of the record.
            var stored = RecordBefore.corrected(before, grant: grant)
            if var last = earlier.last, last.versionAfter == before.version, let first = last.before {
                stored = first
                last.before = nil
                try transaction.rows.save(last)
            }
            try transaction.rows.save(
                CorrectionRecord(
                    sessionID: record.sessionID, sequence: event.sequence, attendeeID: record.id,
                    before: stored, versionAfter: record.version))
        }
        return (record, try transaction.session(record.sessionID))
    }
}

/// Changes the e-mail address or the number in an attendee's own record, at the attendee's request. The
/// check-in and the answers stay. If the attendee has a roster slot, the record keeps the roster's address,
/// and the new one is stored as the typed one. The journal stores no copy of the old address, so a host
/// cannot undo this. Does nothing if the meeting identifies attendees by name.
/// - Throws: `receiptNotValid` if the attendee's record no longer exists; `attendeeExists` if another
///   attendee of the session, also an awaited one, has this address; `grantUsedUp` if `repeats` refuses;
///   `renamedTooOften` as for `CorrectOwnName`, with which it shares the limit.
package struct CorrectOwnAddress: Command {
    package let receipt: Receipt
    /// The new address or number, normalized.
    package let identity: String
    /// The counts that limit for how many people one grant may be used; nil for no limit.
    package let repeats: CheckInRepeats?

    package init(receipt: Receipt, identity: String, repeats: CheckInRepeats? = nil) {
        self.receipt = receipt
        self.identity = identity
        self.repeats = repeats
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        guard var record = try transaction.rows.attendee(holding: receipt) else {
            throw .refused(.receiptNotValid)
        }
        let (seen, session) = (record.seenByAttendee, try transaction.session(record.sessionID))
        guard session.meeting.identifyBy != .name, seen.identity != identity else { return (record, session) }
        let keys = try transaction.rows.keys(of: record.id)
        let person = CheckInRepeats.Named(session: record.sessionID, key: IdentityKey(identity))
        if let refusal = repeats?.refusal(of: person, by: keys.grant ?? record.id.bytes) {
            throw .refused(refusal)
        }
        let known = try transaction.attendees.known(by: person.key, in: record.sessionID)
        if let known, known.id != record.id {
            repeats?.named(person, by: keys.grant ?? record.id.bytes, on: record.evidence?.device)
            throw .refused(.attendeeExists(known.id))
        }
        let earlier = try transaction.rows.renames(of: record.id, in: record.sessionID)
        guard earlier.count < CorrectOwnName.most else {
            throw .refused(.renamedTooOften(limit: CorrectOwnName.most))
        }
        var hasSlot = record.typed != nil
        if !hasSlot { hasSlot = try transaction.rows.person(inSlotOf: record.id) != nil }
        if hasSlot {
            record.setTyped(TypedDetails(name: seen.name, identity: identity))
        } else {
            record.identity = identity
        }
        record.version += 1
        try transaction.rows.update(record)
        if !hasSlot {
            try transaction.rows.setKeys(
                AttendeeKeys(identity: person.key.text, grant: keys.grant), of: record)
        }
        let event = try transaction.record(
            .renamed, in: record.sessionID, attendee: record.id, by: .attendee)
        transaction.publish(.changed(record), at: event)
        // Only the number of these records matters. Without a copy, the old address is gone.
        try transaction.rows.save(
            CorrectionRecord(
                sessionID: record.sessionID, sequence: event.sequence, attendeeID: record.id, before: nil,
                versionAfter: record.version))
        return (record, try transaction.session(record.sessionID))
    }
}

/// Changes the name and the address in an attendee's own record, as `CorrectOwnName` and `CorrectOwnAddress`
/// do. If one of them is refused, nothing changes.
package struct CorrectOwnDetails: Command {
    package let receipt: Receipt
    /// The new name, normalized; nil to keep it.
    package let name: String?
    /// The new address and number, normalized; nil or empty to keep them. The meeting identifies attendees by
    /// one of them at most, and the other is ignored.
    package let email: String?
    package let number: String?
    /// The counts that limit for how many people one grant may be used; nil for no limit.
    package let repeats: CheckInRepeats?

    package init(
        receipt: Receipt, name: String?, email: String? = nil, number: String? = nil,
        repeats: CheckInRepeats? = nil
    ) {
        self.receipt = receipt
        self.name = name
        self.email = email
        self.number = number
        self.repeats = repeats
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (Attendee, SessionRecord) {
        guard let known = try transaction.rows.attendee(holding: receipt) else {
            throw .refused(.receiptNotValid)
        }
        var changed = (known, try transaction.session(known.sessionID))
        let identity =
            switch changed.1.meeting.identifyBy {
            case .name: nil as String?
            case .email: email
            case .number: number
            }
        if let identity, !identity.isEmpty {
            changed = try CorrectOwnAddress(receipt: receipt, identity: identity, repeats: repeats)
                .run(in: transaction)
        }
        if let name { changed = try CorrectOwnName(receipt: receipt, name: name).run(in: transaction) }
        return changed
    }
}

/// Withdraws an attendee's check-in at the attendee's request. Erases the record and all data by which the
/// journal's events could be connected to the person. The receipts of the record, and of the records merged
/// into it, end. If only check-ins brought the person onto the roster and this was the last one, the person
/// leaves the roster with all slots in which the person never checked in.
/// - Throws: `receiptNotValid` if the receipt has ended.
package struct WithdrawCheckIn: Command {
    package let receipt: Receipt
    /// The counts that limit repeated check-ins; nil for no limit.
    package let repeats: CheckInRepeats?

    package init(receipt: Receipt, repeats: CheckInRepeats? = nil) {
        self.receipt = receipt
        self.repeats = repeats
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        guard let record = try transaction.rows.attendee(holding: receipt) else {
            throw .refused(.receiptNotValid)
        }
        let person = try transaction.rows.person(inSlotOf: record.id)
        var leaving: Person?
        if let person { leaving = try transaction.roster.leaves(person, withdrawing: record) }
        if let repeats {
            let isByName = try transaction.session(record.sessionID).meeting.identifyBy == .name
            let typed = record.seenByAttendee
            repeats.withdrew(
                record.id,
                CheckInRepeats.Named(
                    session: record.sessionID, key: IdentityKey(isByName ? typed.name : typed.identity)),
                by: try transaction.rows.keys(of: record.id).grant, on: record.evidence?.device)
        }
        let whole = try transaction.rows.whole(record)
        try transaction.attendees.endReceipts(of: record.id)
        try transaction.attendees.remove(record)
        try transaction.corrections.erase(of: whole, by: .attendee)
        let event = try transaction.record(
            .withdrawn, in: record.sessionID, attendee: record.id, by: .attendee,
            EventData(before: record.status))
        transaction.publish(.removed(record.id), at: event)
        try transaction.note(
            .erased, by: .attendee, in: try transaction.session(record.sessionID).meeting.id)
        if let leaving {
            try transaction.roster.remove(leaving)
        } else if let person {
            try transaction.roster.awaitAgain(person, in: try transaction.session(record.sessionID))
        }
    }
}
