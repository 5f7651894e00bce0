package import Meetings

/// Changes what is not nil, within the rules: until the end the start and the late limit may move, and until feedback closes the end may.
package struct EditSession: Command {
    package let id: SessionID
    package let startsAt: Instant?
    package let endsAt: Instant?
    package let lateAfterMinutes: Int?
    package let checkInOpensMinutesBefore: Int?
    package let feedbackClosesHoursAfter: Int?
    package let plannedCount: Int?
    package let codeKind: CodeKind?
    package let codeAcceptedSeconds: Int?
    /// A new check-in code and join code; the old ones are refused from then on, grants stay.
    package let renewsCode: Bool
    package let allowOverlap: Bool
    package let expected: ExpectedVersion
    package let actor: AccountID

    package struct Outcome: Sendable {
        package let record: SessionRecord
        /// Sessions that the edit made to overlap, where that is a warning: a session that has started may overrun.
        package let overlaps: [Overlap]
    }

    package init(
        id: SessionID, startsAt: Instant? = nil, endsAt: Instant? = nil, lateAfterMinutes: Int? = nil,
        checkInOpensMinutesBefore: Int? = nil,
        feedbackClosesHoursAfter: Int? = nil, plannedCount: Int? = nil, codeKind: CodeKind? = nil, codeAcceptedSeconds: Int? = nil,
        renewsCode: Bool = false,
        allowOverlap: Bool = false, expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.id = id
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.lateAfterMinutes = lateAfterMinutes
        self.checkInOpensMinutesBefore = checkInOpensMinutesBefore
        self.feedbackClosesHoursAfter = feedbackClosesHoursAfter
        self.plannedCount = plannedCount
        self.codeKind = codeKind
        self.codeAcceptedSeconds = codeAcceptedSeconds
        self.renewsCode = renewsCode
        self.allowOverlap = allowOverlap
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let record = try transaction.session(id)
        try transaction.requireHost(actor, of: record.meeting.id)
        try expected.check(record.session.version)
        let before = record.session
        var session = before
        session.startsAt = startsAt ?? before.startsAt
        session.endsAt = endsAt ?? before.endsAt
        session.lateAfterMinutes = lateAfterMinutes ?? before.lateAfterMinutes
        session.checkInOpensMinutesBefore = checkInOpensMinutesBefore ?? before.checkInOpensMinutesBefore
        session.feedbackClosesHoursAfter = feedbackClosesHoursAfter ?? before.feedbackClosesHoursAfter
        session.plannedCount = plannedCount ?? before.plannedCount
        session.codeKind = codeKind ?? before.codeKind
        session.codeAcceptedSeconds = codeAcceptedSeconds ?? before.codeAcceptedSeconds
        if renewsCode {
            session.codeVersion += 1
            session.joinCode = try transaction.freeJoinCode(first: JoinCode.random())
        }
        let fields = changedFields(from: before, to: session)
        guard !fields.isEmpty else { return Outcome(record: record, overlaps: []) }

        try requireTimely(before, session, now: transaction.now)
        let overlaps = try overlaps(before, session, in: transaction)
        session.version += 1
        try transaction.update(session)
        let recomputed = session.lateAfter == before.lateAfter ? nil : try recompute(session, in: transaction)
        try transaction.record(.edited, in: id, by: .account(actor), EventData(fields: fields, recomputed: recomputed))
        return Outcome(record: try transaction.session(id), overlaps: overlaps)
    }

    private func changedFields(from before: Session, to after: Session) -> [String] {
        let fields: [(String, Bool)] = [
            ("startsAt", before.startsAt != after.startsAt), ("endsAt", before.endsAt != after.endsAt),
            ("lateAfterMinutes", before.lateAfterMinutes != after.lateAfterMinutes),
            ("checkInOpensMinutesBefore", before.checkInOpensMinutesBefore != after.checkInOpensMinutesBefore),
            ("feedbackClosesHoursAfter", before.feedbackClosesHoursAfter != after.feedbackClosesHoursAfter),
            ("plannedCount", before.plannedCount != after.plannedCount), ("codeKind", before.codeKind != after.codeKind),
            ("codeAcceptedSeconds", before.codeAcceptedSeconds != after.codeAcceptedSeconds),
            ("code", before.codeVersion != after.codeVersion),
        ]
        return fields.filter(\.1).map(\.0)
    }

    private func requireTimely(_ before: Session, _ after: Session, now: Instant) throws(JournalError) {
        let movesStart = before.startsAt != after.startsAt || before.lateAfterMinutes != after.lateAfterMinutes
        if movesStart, before.isOver(at: now) { throw .refused(.sessionOver) }
        if before.endsAt != after.endsAt, now > before.feedbackClosesAt { throw .refused(.sessionOver) }
        if let error = SessionTimes.error(startsAt: after.startsAt, endsAt: after.endsAt) {
            throw .refused(.invalid([FieldError("/endsAt", error)]))
        }
    }

    private func overlaps(_ before: Session, _ after: Session, in transaction: Transaction) throws(JournalError) -> [Overlap] {
        guard before.startsAt != after.startsAt || before.endsAt != after.endsAt, !allowOverlap else { return [] }
        let others = try transaction.rows.sessionsOverlapping(after.startsAt, after.endsAt, ownedBy: actor, except: id, limit: 5)
            .map { Overlap($0.session, meetingName: $0.meeting.name) }
        if !others.isEmpty, transaction.now < before.startsAt { throw .refused(.sessionOverlap(others)) }
        return others
    }

    private func recompute(_ session: Session, in transaction: Transaction) throws(JournalError) -> Int {
        let (changed, headCount) = try transaction.rows.recomputeStatuses(of: id, lateAfter: session.lateAfter)
        try transaction.count(in: id) { $0 = headCount }
        transaction.change(id) { $0.changed.append(contentsOf: changed) }
        return changed.count
    }
}

/// Deletes a session, and its meeting with it where it is the only one. With check-ins, the meeting's name must be given as confirmation.
package struct DeleteSession: Command {
    package let id: SessionID
    package let confirmation: String?
    package let actor: AccountID

    package init(id: SessionID, confirmation: String?, actor: AccountID) {
        self.id = id
        self.confirmation = confirmation
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let record = try transaction.session(id)
        try transaction.requireHost(actor, of: record.meeting.id)
        let checkIns = record.headCount.present + record.headCount.late
        if checkIns > 0, confirmation != record.meeting.name {
            throw .refused(.confirmationNeeded(name: record.meeting.name, checkIns: checkIns))
        }
        if try transaction.rows.sessionCount(of: record.meeting.id) == 1 {
            try transaction.requireOwner(actor, of: record.meeting.id)
            try transaction.deleteMeeting(record.meeting.id)
        } else {
            transaction.forget(id)
            try transaction.rows.delete(id)
        }
    }
}
