/// What a host sets of a session beside its times. What is nil stays as it is: the default of a first
/// session, the latest session's value when a meeting goes on, or what stands when a session is edited.
package struct SessionSettings: Hashable, Sendable {
    package var lateAfterMinutes: Int?
    package var checkInOpensMinutesBefore: Int?
    package var feedbackClosesHoursAfter: Int?
    package var plannedCount: Int?
    package var codeKind: CodeKind?
    package var codeAcceptedSeconds: Int?

    package init(
        lateAfterMinutes: Int? = nil, checkInOpensMinutesBefore: Int? = nil,
        feedbackClosesHoursAfter: Int? = nil,
        plannedCount: Int? = nil, codeKind: CodeKind? = nil, codeAcceptedSeconds: Int? = nil
    ) {
        self.lateAfterMinutes = lateAfterMinutes
        self.checkInOpensMinutesBefore = checkInOpensMinutesBefore
        self.feedbackClosesHoursAfter = feedbackClosesHoursAfter
        self.plannedCount = plannedCount
        self.codeKind = codeKind
        self.codeAcceptedSeconds = codeAcceptedSeconds
    }
}

extension Session {
    package mutating func take(_ settings: SessionSettings) {
        lateAfterMinutes = settings.lateAfterMinutes ?? lateAfterMinutes
        checkInOpensMinutesBefore = settings.checkInOpensMinutesBefore ?? checkInOpensMinutesBefore
        feedbackClosesHoursAfter = settings.feedbackClosesHoursAfter ?? feedbackClosesHoursAfter
        plannedCount = settings.plannedCount ?? plannedCount
        codeKind = settings.codeKind ?? codeKind
        codeAcceptedSeconds = settings.codeAcceptedSeconds ?? codeAcceptedSeconds
    }

    /// The one behind this in its meeting's series, with these settings and everything else as here. It needs
    /// a join code of its own.
    package func next(
        id: SessionID, round: Int, startsAt: Instant, endsAt: Instant, _ settings: SessionSettings
    ) -> Session {
        var session = Session(
            id: id, meetingID: meetingID, round: round, startsAt: startsAt, endsAt: endsAt,
            lateAfterMinutes: lateAfterMinutes,
            checkInOpensMinutesBefore: checkInOpensMinutesBefore,
            feedbackClosesHoursAfter: feedbackClosesHoursAfter,
            plannedCount: plannedCount, codeKind: codeKind, codeAcceptedSeconds: codeAcceptedSeconds,
            joinCode: JoinCode.random())
        session.take(settings)
        return session
    }
}
