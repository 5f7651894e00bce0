package import Meetings

/// A session as members, presenters and attendees see it.
package struct SessionBody: Codable, Hashable, Sendable {
    package let id: SessionID
    package let meetingId: MeetingID
    package let meetingName: String
    /// The meeting's colour; nil for the product's own.
    package let meetingAccent: Accent?
    package let round: Int
    /// The session's own title; nil if the host gave none.
    package let title: String?
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
    /// The seconds for which the server accepts a rotating code after the code was first shown.
    package let codeAcceptedSeconds: Int
    /// The people who may record that an attendee leaves; nil if nobody may.
    package let checkOut: CheckOut?
    /// The minimum time for full presence, in minutes or as a percentage of the session's length; nil if
    /// there is none.
    package let minimumMinutes: Int?
    package let minimumPercent: Int?
    /// The join code, which only members and presenters see.
    package var joinCode: String?
    /// The check-in URL, which only members and presenters see.
    package var checkInUrl: String?
    package internal(set) var attendance: Attendance
    package var feedback: Feedback
    /// The moment at which the server deleted the names of the attendees; nil if they are still stored.
    package let namesDeletedAt: Instant?
    /// The moment at which the server is going to delete them, which only members see; nil if the names are
    /// stored as long as the session.
    package var namesUntil: Instant?
    /// The version, which is also in the entity tag.
    package let version: Int
    /// The sessions that this session overlaps after an edit, if the overlap is only a warning.
    package var overlaps: [OverlapBody]?

    /// The state of the session's feedback set.
    package struct Feedback: Codable, Hashable, Sendable {
        package let questions: Int
        package let responses: Int
        /// Whether answers are anonymous. Nil for attendees while a host can still change it.
        package let anonymous: Bool?
        /// What the form promises about names. Nil for attendees while a host can still change it.
        package let promise: AnswerPromise?
        package let shared: Bool

        package init(_ summary: FeedbackSummary, tellsAnonymity: Bool = true) {
            questions = summary.questions
            responses = summary.responses
            anonymous = tellsAnonymity ? summary.anonymous : nil
            promise = tellsAnonymity ? summary.promise : nil
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
        meetingAccent = meeting.accent
        round = session.round
        title = session.title.isEmpty ? nil : session.title
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
            headCount, planned: session.plannedCount, sessionIsOver: session.isOver(at: now),
            recordsLeaving: session.recordsLeaving)
        checkOut = session.recordsLeaving ? session.checkOut : nil
        minimumMinutes = session.minimumMinutes > 0 ? session.minimumMinutes : nil
        minimumPercent = session.minimumPercent > 0 ? session.minimumPercent : nil
        feedback = Feedback(summary)
        namesDeletedAt = session.namesDeletedAt
        version = session.version
    }
}

/// The sessions that a session at the requested time would overlap.
package struct OverlapsBody: Codable, Hashable, Sendable {
    package let overlaps: [OverlapBody]

    package init(_ overlaps: [Overlap]) { self.overlaps = overlaps.map(OverlapBody.init) }
}
