internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// A moment of a session that `watch` reports when the clock reaches it.
enum SessionMilestone: String, CaseIterable {
    case checkInOpened = "check_in_opened"
    case started
    case lateLimit = "late_limit"
    case ended

    /// Returns the session's moments after `before` and until `now`, in order. A session without a late limit
    /// has no such moment.
    static func reached(in session: SessionBody, after before: Instant, until now: Instant) -> [Self] {
        allCases.filter { milestone in
            guard let at = milestone.moment(of: session) else { return false }
            return before < at && at <= now
        }
    }

    /// The time of this moment; nil if the session has none.
    func moment(of session: SessionBody) -> Instant? {
        switch self {
        case .checkInOpened: session.checkInOpensAt
        case .started: session.startsAt
        // An arrival at the limit is still on time.
        case .lateLimit:
            session.startsAt + .minutes(session.lateAfterMinutes) < session.endsAt
                ? session.startsAt + .minutes(session.lateAfterMinutes) + .milliseconds(1) : nil
        // A check-in at the end still counts.
        case .ended: session.endsAt + .milliseconds(1)
        }
    }

    var role: Paint.Role {
        switch self {
        case .checkInOpened, .started: .good
        case .lateLimit: .warning
        case .ended: .faint
        }
    }

    var phrase: Phrase {
        switch self {
        case .checkInOpened: Phrase("check-in is open")
        case .started: Phrase("the session has started")
        case .lateLimit: Phrase("arrivals are late from now on")
        case .ended: Phrase("the session has ended")
        }
    }
}
