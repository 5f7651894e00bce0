/// The changes of one committed batch, for the rooms, the home rooms, the connections and the metrics. The
/// commands that made the changes fill in all values, so no reader has to look anything up.
package struct CommittedBatch: Sendable {
    /// The changes to each session that the batch changed.
    package let sessions: [SessionCommit]
    /// The rights that the commands ended, in the order of the commands. All ended rights are listed here,
    /// because a sign-in or an account belongs to no session.
    package let endedRights: [EndedRight]
    /// Whether the batch may have made a mail due.
    package let hasQueuedMail: Bool
    /// Whether earlier commits are missing, so that everything in memory may be old.
    package let hasGap: Bool

    package init(
        sessions: [SessionCommit], endedRights: [EndedRight] = [], hasQueuedMail: Bool = false,
        hasGap: Bool = false
    ) {
        self.sessions = sessions
        self.endedRights = endedRights
        self.hasQueuedMail = hasQueuedMail
        self.hasGap = hasGap
    }
}

/// The changes of one committed batch to one session. The names in it come from the rows and not from the
/// journal, and no reader stores them.
package struct SessionCommit: Sendable {
    package let id: SessionID
    /// The session after the commit; nil if the batch deleted it.
    package let record: SessionRecord?
    /// The news of attendees, in the order of their events.
    package let news: [News]
    /// The question sets that have new results, or that a host edited, opened, closed or shared.
    package let sets: Set<String>
    /// Whether questions from the audience, their votes or their settings have changed.
    package let hasNewQuestions: Bool
    /// The changes of groups of interest.
    package let matching: MatchingNews
    /// Whether the settings of the session or of its meeting have changed.
    package let isEdited: Bool
    /// The number of attendees who checked in themselves.
    package let checkIns: Int
    /// The number of responses to forms. Answers that came with a check-in are not counted.
    package let responses: Int

    package init(
        id: SessionID, record: SessionRecord?, news: [News] = [], sets: Set<String> = [],
        hasNewQuestions: Bool = false, matching: MatchingNews = .none, isEdited: Bool = false,
        checkIns: Int = 0, responses: Int = 0
    ) {
        self.id = id
        self.record = record
        self.news = news
        self.sets = sets
        self.hasNewQuestions = hasNewQuestions
        self.matching = matching
        self.isEdited = isEdited
        self.checkIns = checkIns
        self.responses = responses
    }
}

/// The changes by a commit to the groups of interest of a session. They contain no nickname and no keyword:
/// each phone reads the values by its own right.
package struct MatchingNews: Codable, Hashable, Sendable {
    /// The attendees whose own requests or state have changed.
    package private(set) var attendees: Set<AttendeeID>
    /// Whether the people who take part have changed.
    package private(set) var people: Bool
    /// Whether the host's settings have changed.
    package private(set) var settings: Bool
    /// Whether a report was made or dealt with.
    package private(set) var reports: Bool

    package static let none = MatchingNews()

    package init(
        attendees: Set<AttendeeID> = [], people: Bool = false, settings: Bool = false, reports: Bool = false
    ) {
        self.attendees = attendees
        self.people = people
        self.settings = settings
        self.reports = reports
    }

    /// Adds the other changes to these.
    package mutating func formUnion(_ other: MatchingNews) {
        attendees.formUnion(other.attendees)
        people = people || other.people
        settings = settings || other.settings
        reports = reports || other.reports
    }
}

/// A session with its counters and its meeting.
package struct SessionRecord: Hashable, Sendable {
    package var session: Session
    package var meeting: Meeting
    package var headCount: HeadCount
    /// The sequence of the session's newest event; 0 before the first.
    package var sequence: Int64
    /// The summary of the set `feedback`.
    package var feedback: FeedbackSummary

    package init(
        session: Session, meeting: Meeting, headCount: HeadCount = HeadCount(), sequence: Int64 = 0,
        feedback: FeedbackSummary = .none
    ) {
        self.session = session
        self.meeting = meeting
        self.headCount = headCount
        self.sequence = sequence
        self.feedback = feedback
    }

    /// Returns the counts as every viewer sees them at `now`.
    package func attendance(at now: Instant) -> Attendance {
        Attendance(
            headCount, planned: session.plannedCount, sessionIsOver: session.isOver(at: now),
            recordsLeaving: session.recordsLeaving)
    }
}

/// The change of one attendee, with the sequence of the event that made the change.
package struct News: Hashable, Sendable {
    /// The change, with the attendee's record after it.
    package enum Kind: Hashable, Sendable {
        /// The attendee has checked in, or a host has recorded that the attendee came.
        case arrived(Attendee)
        /// The record has changed, or a removed record was restored.
        case changed(Attendee)
        /// The record was deleted.
        case removed(AttendeeID)
    }

    package let sequence: Int64
    package let kind: Kind

    package init(sequence: Int64, kind: Kind) {
        self.sequence = sequence
        self.kind = kind
    }
}

/// A right that a command ended. After the commit, the server closes the connections that were opened with
/// that right.
package enum EndedRight: Codable, Hashable, Sendable {
    /// The receipt of an attendee whose record was deleted.
    case attendee(AttendeeID)
    /// A presenter link that was revoked.
    case presenterLink(PresenterLinkID)
    /// The presenter links whose creator has lost the right to give links to the meeting. The server keeps
    /// the connections of the other links.
    case presenters(of: MeetingID)
    /// The grants of a meeting from before this revocation (`Meeting.codesRevokedAt`).
    case grants(of: MeetingID, before: Instant)
    /// The presenter links that a suspended account gave, in every meeting.
    case presentersOfAccount(AccountID)
    /// An account's membership of a meeting.
    case member(AccountID, of: MeetingID)
    /// All sign-ins of an account, except the given sign-in.
    case account(AccountID, except: ID<Token>? = nil)
    /// One sign-in.
    case signIn(ID<Token>)
    /// The rights that end with a session's windows, because the session's times have changed. If the new
    /// times still give the right, the server renews it.
    case session(SessionID)
}
