package import Meetings
package import Phrases

/// A meeting, as its members see it.
package struct MeetingBody: Codable, Hashable, Sendable {
    package let id: MeetingID
    package let name: String
    package let description: String?
    package let place: String?
    package let timeZone: String
    package let identifyBy: IdentifyBy
    /// The people whom the next round expects.
    package let regulars: Regulars
    /// Whether the server mails the people on the roster: `off`, `on` (in the meeting's `language`), or the
    /// language of the mails.
    package let reminders: Reminders
    /// The language for attendees who request no language of the product; absent if the host chose none.
    package let language: Language?
    /// The meeting's colour; absent if the host chose none.
    package let accent: Accent?
    /// The text that attendees must agree to when they check in; absent if the check-in asks for no consent.
    package let consent: Consent?
    /// The absences of which hosts want to know; absent if they want to know of none.
    package let absenceRule: AbsenceRuleBody?
    package let plannedCount: Int
    /// The caller's role in the meeting.
    package let role: Role
    /// The web address in the poster's code.
    package var meetingUrl: String?
    /// Whether the meeting has an image at `/image`. Absent in the answers to changes.
    package var hasImage: Bool?
    package let createdAt: Instant
    package let version: Int
    package var latestSession: SessionBody?
    /// The running or next session; nil if there is none.
    package var nearestSession: SessionBody?

    package init(_ meeting: Meeting, role: Role, latest: Session) {
        id = meeting.id
        name = meeting.name
        description = meeting.description.isEmpty ? nil : meeting.description
        place = meeting.venue.isEmpty ? nil : meeting.venue
        timeZone = meeting.timeZone.name
        identifyBy = meeting.identifyBy
        regulars = meeting.regulars
        reminders = meeting.reminders
        language = meeting.language.flatMap { Language(rawValue: $0) }
        accent = meeting.accent
        consent = meeting.consent
        absenceRule = meeting.absenceRule.map(AbsenceRuleBody.init)
        plannedCount = latest.plannedCount
        self.role = role
        createdAt = meeting.createdAt
        version = meeting.version
    }
}

/// All texts to which attendees of a meeting had to agree, ordered by number.
package struct ConsentsBody: Codable, Hashable, Sendable {
    package let items: [Item]

    package struct Item: Codable, Hashable, Sendable {
        package let number: Int
        package let text: String
        package let since: Instant
    }

    package init(_ consents: [DatedConsent]) {
        items = consents.map { Item(number: $0.consent.number, text: $0.consent.text, since: $0.since) }
    }
}

/// The answer to creating a meeting.
package struct NewMeetingBody: Codable, Hashable, Sendable {
    package let meeting: MeetingBody
    package let session: SessionBody

    package init(meeting: MeetingBody, session: SessionBody) {
        self.meeting = meeting
        self.session = session
    }
}
