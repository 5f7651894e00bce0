package import Meetings

/// A session as members, presenters and attendees see it.
package struct SessionBody: Codable, Hashable, Sendable {
    package let id: SessionID
    package let meetingId: MeetingID
    package let meetingName: String
    package let round: Int
    package let startsAt: Instant
    package let endsAt: Instant
    package let timeZone: String
    package let place: String?
    package let lateAfterMinutes: Int
    package let checkInOpensAt: Instant
    package let checkInClosesAt: Instant
    package let feedbackOpensAt: Instant
    package let feedbackClosesAt: Instant
    package let phase: Phase
    package let checkInOpen: Bool
    package let feedbackOpen: Bool
    package let identifyBy: IdentifyBy
    package let codeKind: CodeKind
    /// The time for which a rotating code is accepted after it was first shown.
    package let codeAcceptedSeconds: Int
    /// For members and presenters only.
    package var joinCode: String?
    /// For members and presenters only.
    package var checkInUrl: String?
    package let attendance: Attendance
    package var feedback: Feedback
    /// The number in the entity tag.
    package let version: Int
    /// The sessions that an edit made this one overlap, if that is only a warning.
    package var overlaps: [OverlapBody]?

    /// The state of the session's feedback set.
    package struct Feedback: Codable, Hashable, Sendable {
        package let questions: Int
        package let responses: Int
        /// Nil for attendees while it may still change.
        package let anonymous: Bool?
        package let shared: Bool

        package init(_ summary: FeedbackSummary, tellsAnonymity: Bool = true) {
            questions = summary.questions
            responses = summary.responses
            anonymous = tellsAnonymity ? summary.anonymous : nil
            shared = summary.shared
        }
    }

    package init(
        _ session: Session, of meeting: Meeting, headCount: HeadCount, feedback summary: FeedbackSummary,
        at now: Instant
    ) {
        id = session.id
        meetingId = meeting.id
        meetingName = meeting.name
        round = session.round
        startsAt = session.startsAt
        endsAt = session.endsAt
        timeZone = meeting.timeZone.name
        place = meeting.venue.isEmpty ? nil : meeting.venue
        lateAfterMinutes = session.lateAfterMinutes
        checkInOpensAt = session.checkInOpensAt
        checkInClosesAt = session.checkInClosesAt
        feedbackOpensAt = session.feedbackOpensAt
        feedbackClosesAt = session.feedbackClosesAt
        phase = session.phase(at: now)
        checkInOpen = session.checkInIsOpen(at: now)
        feedbackOpen = summary.isOpen(in: session, at: now)
        identifyBy = meeting.identifyBy
        codeKind = session.codeKind
        codeAcceptedSeconds = session.codeAcceptedSeconds
        attendance = Attendance(
            headCount, planned: session.plannedCount, sessionIsOver: session.isOver(at: now))
        feedback = Feedback(summary)
        version = session.version
    }
}

/// The sessions that a time would overlap.
package struct OverlapsBody: Codable, Hashable, Sendable {
    package let overlaps: [OverlapBody]

    package init(_ overlaps: [Overlap]) { self.overlaps = overlaps.map(OverlapBody.init) }
}
