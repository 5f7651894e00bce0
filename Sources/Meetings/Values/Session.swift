/// One round of a meeting.
package struct Session: Hashable, Sendable, Codable {
    package let id: SessionID
    package let meetingID: MeetingID
    /// 1 for the meeting's first session.
    package let round: Int
    package var startsAt: Instant
    package var endsAt: Instant
    /// Minutes after the start at which an attendee is still on time; 0–1,440.
    package var lateAfterMinutes: Int
    /// Minutes before the start at which check-in opens; 0–1,440.
    package var checkInOpensMinutesBefore: Int
    /// Hours after the end at which feedback closes; 0–720.
    package var feedbackClosesHoursAfter: Int
    /// The head count the host plans with; 0 where there is no plan.
    package var plannedCount: Int
    package var codeKind: CodeKind
    /// What the check-in code's MAC is bound to; one more whenever a host renews it.
    package var codeVersion: Int
    /// How long a rotating code is accepted after it was first shown; 20–120.
    package var codeAcceptedSeconds: Int
    /// Six characters that can be typed; unique among sessions.
    package var joinCode: String
    /// One more with every edit: the entity tag.
    package var version: Int

    package init(
        id: SessionID, meetingID: MeetingID, round: Int, startsAt: Instant, endsAt: Instant,
        lateAfterMinutes: Int = 10,
        checkInOpensMinutesBefore: Int = 60, feedbackClosesHoursAfter: Int = 24, plannedCount: Int = 0,
        codeKind: CodeKind = .static,
        codeVersion: Int = 1, codeAcceptedSeconds: Int = 30, joinCode: String, version: Int = 1
    ) {
        self.id = id
        self.meetingID = meetingID
        self.round = round
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.lateAfterMinutes = lateAfterMinutes
        self.checkInOpensMinutesBefore = checkInOpensMinutesBefore
        self.feedbackClosesHoursAfter = feedbackClosesHoursAfter
        self.plannedCount = plannedCount
        self.codeKind = codeKind
        self.codeVersion = codeVersion
        self.codeAcceptedSeconds = codeAcceptedSeconds
        self.joinCode = joinCode
        self.version = version
    }
}

package enum CodeKind: String, Sendable, Codable, CaseIterable {
    case `static`, rotating
}
