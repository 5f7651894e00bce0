package import Meetings

/// The next sessions of a meeting by a rule, all or none. Each is as if the one before it had been continued.
package struct RepeatMeeting: Command {
    package let meeting: MeetingID
    package let rule: SeriesRule
    /// 1 to `SeriesRule.most`.
    package let count: Int
    /// Of the first of them; nil where the rule goes on from the latest session.
    package let first: (startsAt: Instant, endsAt: Instant)?
    package let settings: SessionSettings
    package let allowOverlap: Bool
    package let actor: AccountID

    package init(
        meeting: MeetingID, rule: SeriesRule, count: Int, first: (startsAt: Instant, endsAt: Instant)? = nil,
        settings: SessionSettings = SessionSettings(), allowOverlap: Bool = false, actor: AccountID
    ) {
        self.meeting = meeting
        self.rule = rule
        self.count = count
        self.first = first
        self.settings = settings
        self.allowOverlap = allowOverlap
        self.actor = actor
    }

    /// In the order of their rounds. Refused with the session that is in the way of the first that cannot be.
    package func run(in transaction: Transaction) throws(JournalError) -> [SessionRecord] {
        let (meeting, latest) = try transaction.meetingToContinue(meeting, with: count, for: actor)
        try transaction.requireRoom(for: try transaction.everybody(on: meeting.id).count, in: count)
        var records: [SessionRecord] = []
        for (number, times) in times(after: latest, in: meeting.timeZone).enumerated() {
            if let error = SessionTimes.error(startsAt: times.startsAt, endsAt: times.endsAt) {
                throw .refused(.invalid([FieldError("/endsAt", error)]))
            }
            let session = latest.next(
                id: .make(at: transaction.now), round: latest.round + 1 + number, startsAt: times.startsAt,
                endsAt: times.endsAt, settings)
            // Copied for each: question ids are a session's own.
            let sets = try transaction.setsForNextSession(after: latest.id, questions: nil)
            records.append(
                try transaction.add(session, to: meeting, sets: sets, by: actor, allowOverlap: allowOverlap))
        }
        return records
    }

    private func times(after latest: Session, in zone: Zone) -> [(startsAt: Instant, endsAt: Instant)] {
        guard let first else {
            return rule.times(after: latest.startsAt, endsAt: latest.endsAt, count: count, in: zone)
        }
        return [first] + rule.times(after: first.startsAt, endsAt: first.endsAt, count: count - 1, in: zone)
    }
}
