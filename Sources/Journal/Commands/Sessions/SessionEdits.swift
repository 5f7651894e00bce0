import Meetings

extension Transaction {
    /// Writes a session as edited, within the rules, recomputes the statuses that its times gave, and says so
    /// in one event, which can be undone. Nil where nothing differs. `overlaps` are sessions that the edit
    /// made to overlap, where that is a warning.
    func edit(
        _ before: Session, to edited: Session, allowOverlap: Bool, _ kind: Event.Kind = .edited,
        undoes: Int64? = nil, note: String = "",
        by actor: AccountID
    ) throws(JournalError) -> (event: Event?, overlaps: [Overlap]) {
        let changes = edited.changes(since: before)
        let fields = changes.map(\.field) + (edited.codeVersion == before.codeVersion ? [] : ["code"])
        guard !fields.isEmpty else { return (nil, []) }
        try requireTimely(before, edited)
        let overlaps = try overlaps(before, edited, allowed: allowOverlap)
        try settle(before)
        var after = edited
        after.version = before.version + 1
        try update(after)
        let recomputed = after.lateAfter == before.lateAfter ? nil : try recompute(after)
        let event = try record(
            kind, in: before.id, by: .account(actor),
            EventData(
                fields: fields, recomputed: recomputed?.count, undoes: undoes,
                changes: changes.isEmpty ? nil : changes))
        try rows.save(
            CorrectionRecord(
                sessionID: before.id, sequence: event.sequence, attendeeID: nil, note: note,
                before: .edited(before),
                versionAfter: after.version))
        publish(changed: recomputed ?? [], at: event)
        if (before.endsAt, before.feedbackClosesAt) != (after.endsAt, after.feedbackClosesAt) {
            endRights(of: .session(before.id))
        }
        return (event, overlaps)
    }

    /// Stores the effects of the clock before the windows move: final results and opened sets.
    private func settle(_ session: Session) throws(JournalError) {
        guard now >= session.feedbackOpensAt else { return }
        for var set in try rows.questionSets(of: session.id) {
            try publishRest(of: &set, in: session)
            guard !set.anonymityIsFixed, set.hasFixedAnonymity(in: session, at: now) else { continue }
            set.anonymityIsFixed = true
            try saveSettings(of: set, in: session.id)
        }
    }

    private func requireTimely(_ before: Session, _ after: Session) throws(JournalError) {
        let movesStart =
            before.startsAt != after.startsAt || before.lateAfterMinutes != after.lateAfterMinutes
        if movesStart, before.isOver(at: now) { throw .refused(.sessionOver) }
        if before.endsAt != after.endsAt, now > before.feedbackClosesAt { throw .refused(.sessionOver) }
        if let error = SessionTimes.error(startsAt: after.startsAt, endsAt: after.endsAt) {
            throw .refused(.invalid([FieldError("/endsAt", error)]))
        }
    }

    private func overlaps(_ before: Session, _ after: Session, allowed: Bool) throws(JournalError)
        -> [Overlap]
    {
        guard before.startsAt != after.startsAt || before.endsAt != after.endsAt, !allowed else { return [] }
        let others = try sessionsInTheWay(of: after)
        if !others.isEmpty, now < before.startsAt { throw .refused(.sessionOverlap(others)) }
        return others
    }

    /// Of the meetings that the session's owners own, whoever plans it.
    func sessionsInTheWay(of session: Session) throws(JournalError) -> [Overlap] {
        let owners = try rows.members(of: session.meetingID).filter { $0.role == .owner }
        var found: [SessionID: Overlap] = [:]
        for owner in owners {
            for other in try rows.sessionsOverlapping(
                session.startsAt, session.endsAt, ownedBy: owner.account, except: session.id, limit: 5)
            {
                found[other.session.id] = Overlap(other.session, meetingName: other.meeting.name)
            }
        }
        return Array(
            found.values.sorted {
                ($0.session.startsAt, $0.session.id) < ($1.session.startsAt, $1.session.id)
            }.prefix(5))
    }

    /// Returns the attendees whose status changed.
    private func recompute(_ session: Session) throws(JournalError) -> [Attendee] {
        let (changed, headCount) = try rows.recomputeStatuses(of: session.id, lateAfter: session.lateAfter)
        try count(in: session.id) { $0 = headCount }
        return changed
    }
}

extension Session {
    /// What an edit can change and has. A renewed code has no values to tell.
    fileprivate func changes(since before: Session) -> [FieldChange] {
        func values(_ session: Session) -> [(field: String, value: String)] {
            [
                ("startsAt", session.startsAt.rfc3339), ("endsAt", session.endsAt.rfc3339),
                ("lateAfterMinutes", String(session.lateAfterMinutes)),
                ("checkInOpensMinutesBefore", String(session.checkInOpensMinutesBefore)),
                ("feedbackClosesHoursAfter", String(session.feedbackClosesHoursAfter)),
                ("plannedCount", String(session.plannedCount)),
                ("codeKind", session.codeKind.rawValue),
                ("codeAcceptedSeconds", String(session.codeAcceptedSeconds)),
            ]
        }
        return zip(values(before), values(self)).filter { $0.value != $1.value }.map {
            FieldChange($0.field, from: $0.value, to: $1.value)
        }
    }
}
