/// The changes of one committed batch, for everything live: rooms, home rooms, connections and metrics. The
/// commands that made the changes wrote it; nobody joins it again.
package struct CommittedBatch: Sendable {
    /// One for each session that the batch changed.
    package let sessions: [SessionCommit]
    /// In the order in which the commands ended them. A sign-in or an account belongs to no session, so all
    /// ended rights are listed here.
    package let endedRights: [EndedRight]

    package init(sessions: [SessionCommit], endedRights: [EndedRight] = []) {
        self.sessions = sessions
        self.endedRights = endedRights
    }
}

/// The changes of one committed batch to one session. Names in it come from the rows, not from the journal;
/// nobody stores them.
package struct SessionCommit: Sendable {
    package let id: SessionID
    /// The session after the commit; nil if the batch deleted it.
    package let record: SessionRecord?
    /// In the order of their events.
    package let news: [News]
    /// The sets that have new results, or that a host edited, opened, closed or shared.
    package let sets: Set<String>
    /// Whether the session or its meeting shows other settings now.
    package let isEdited: Bool
    /// How many attendees checked in by themselves.
    package let checkIns: Int
    /// How many responses the forms took. Answers that came with a check-in are not counted.
    package let responses: Int

    package init(
        id: SessionID, record: SessionRecord?, news: [News] = [], sets: Set<String> = [],
        isEdited: Bool = false, checkIns: Int = 0, responses: Int = 0
    ) {
        self.id = id
        self.record = record
        self.news = news
        self.sets = sets
        self.isEdited = isEdited
        self.checkIns = checkIns
        self.responses = responses
    }
}

/// A session with its counters, and the meeting that it belongs to.
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

    /// Returns the counts as everybody sees them at `now`.
    package func attendance(at now: Instant) -> Attendance {
        Attendance(headCount, planned: session.plannedCount, sessionIsOver: session.isOver(at: now))
    }
}

/// What happened to one attendee, with the sequence of the event that says so.
package struct News: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case arrived(Attendee)
        case changed(Attendee)
        case removed(AttendeeID)
    }

    package let sequence: Int64
    package let kind: Kind

    package init(sequence: Int64, kind: Kind) {
        self.sequence = sequence
        self.kind = kind
    }
}

/// A right that a command ended. A connection that was opened by such a right ends after the commit.
package enum EndedRight: Hashable, Sendable {
    /// The receipt of an attendee whose record is gone.
    case attendee(AttendeeID)
    /// A presenter link that was revoked.
    case presenterLink(PresenterLinkID)
    /// An account's membership of a meeting.
    case member(AccountID, of: MeetingID)
    /// All sign-ins of an account, except one if it is given.
    case account(AccountID, except: ID<Token>? = nil)
    /// One sign-in.
    case signIn(ID<Token>)
    /// The rights that end with a session's windows, because its times have moved. A right that the new times
    /// still give is renewed.
    case session(SessionID)
}
