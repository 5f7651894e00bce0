/// Whether the server sends mails about a meeting that nobody requested, and their language: reminders,
/// changed and cancelled times, "feedback is open", and attempts to check in with another phone.
package enum Reminders: String, Sendable, Codable, CaseIterable {
    case off
    /// In the meeting's language for attendees; in English if it has none.
    case on
    case english = "en"
    case korean = "ko"
}

extension Meeting {
    /// The tag of the language of the mails to the people on the roster; nil if the server sends none.
    package var mailLanguage: String? {
        switch reminders {
        case .off: nil
        case .on: language ?? Reminders.english.rawValue
        case .english, .korean: reminders.rawValue
        }
    }
}

/// The progress of the mails of one kind about one session. The people on the roster get them in the order
/// of their ids, in slices. The progress is stored with each slice, so a crash repeats no mail.
package struct Mailing: Hashable, Sendable {
    /// The order of the cases is part of the file format.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        case dayBefore, hourBefore, feedback
        /// The session has other times than those that a reminder has announced.
        case moved
        /// People newly meet the meeting's absence rule. The mails go to the owners and hosts.
        case absences

        /// The kinds whose mails go to the people of the roster.
        package static let toRosters: [Kind] = [.dayBefore, .hourBefore, .feedback, .moved]

        /// Whether the clock begins the mailing by the end of the session, and not by its start.
        package var followsEnd: Bool { self == .feedback || self == .absences }
    }

    package let session: SessionID
    package let kind: Kind
    /// The last person of whom the mailing has decided; nil at its beginning.
    package var last: PersonID?
    /// The number of mails that were queued, also before the session moved.
    package var mailed: Int
    package var isDone: Bool

    package init(
        of session: SessionID, _ kind: Kind, last: PersonID? = nil, mailed: Int = 0, isDone: Bool = false
    ) {
        self.session = session
        self.kind = kind
        self.last = last
        self.mailed = mailed
        self.isDone = isDone
    }
}

extension Mailing.Kind {
    /// The most people of one slice.
    package static let slice = 100

    /// The time between the session's start, or for feedback its end, and the mailing. Nil for mailings that
    /// a change begins, and not the clock.
    package var lead: Duration? {
        switch self {
        case .dayBefore: .hours(24)
        case .hourBefore: .hours(1)
        case .feedback, .absences: .zero
        case .moved: nil
        }
    }

    /// The time after which a mailing by the clock is too late, so that its mails are discarded.
    package var lateness: Duration {
        switch self {
        case .dayBefore, .feedback, .absences: .hours(6)
        case .hourBefore: .minutes(30)
        case .moved: .hours(24)
        }
    }

    /// Returns the moment at which the clock begins the mailing; nil if a change begins it.
    package func moment(for session: Session) -> Instant? {
        lead.map { (followsEnd ? session.endsAt : session.startsAt) - $0 }
    }

    /// Returns the range of starts, or of ends if the kind follows the end, of the sessions whose mailing is
    /// due at `now`.
    package func due(at now: Instant) -> Range<Instant>? {
        lead.map { now + $0 - lateness + .milliseconds(1)..<now + $0 + .milliseconds(1) }
    }

    /// Returns the moment from which on a mail is no longer sent.
    package func expiry(for session: Session, at now: Instant) -> Instant {
        guard let moment = moment(for: session) else { return min(now + lateness, session.endsAt) }
        switch self {
        case .feedback: return min(moment + lateness, session.feedbackClosesAt)
        // A mail server that is down for a night delays the mail.
        case .absences: return now + .hours(24)
        case .dayBefore, .hourBefore, .moved: return min(moment + lateness, session.startsAt)
        }
    }
}

/// The facts of a session that mails and their calendar entries contain. The mail about a deleted session
/// stores them.
package struct AnnouncedSession: Hashable, Sendable, Codable {
    package let session: SessionID
    package let meeting: MeetingID
    package let meetingName: String
    package let venue: String
    /// The name of the meeting's time zone.
    package let timeZone: String
    package let round: Int
    package let title: String
    package let startsAt: Instant
    package let endsAt: Instant
    /// The `SEQUENCE` of the calendar entry (RFC 5545 §3.8.7.4), which grows with each change.
    package let sequence: Int

    package init(_ session: Session, of meeting: Meeting) {
        self.session = session.id
        self.meeting = meeting.id
        meetingName = meeting.name
        venue = meeting.venue
        timeZone = meeting.timeZone.name
        round = session.round
        title = session.title
        startsAt = session.startsAt
        endsAt = session.endsAt
        sequence = session.version - 1
    }

    package var zone: Zone { Zone(timeZone) ?? .utc }
    /// The name of the meeting, with the title of the session.
    package var fullTitle: String { title.isEmpty ? meetingName : "\(meetingName) – \(title)" }
}

/// A deleted session whose people must learn that it does not take place.
package struct Cancellation: Hashable, Sendable {
    package let announced: AnnouncedSession
    /// The tag of the mails' language.
    package let language: String
    /// The last person whose mail is queued; nil at the beginning.
    package var last: PersonID?

    package init(of announced: AnnouncedSession, in language: String, last: PersonID? = nil) {
        self.announced = announced
        self.language = language
        self.last = last
    }
}
