/// A series of sessions with one name, one roster and one time zone.
package struct Meeting: Hashable, Sendable {
    package let id: MeetingID
    /// The meeting's name: 1–100 characters, NFC.
    package var name: String
    /// The meeting's description: at most 2,000 characters; empty if the host gave none.
    package var description: String
    /// The venue: at most 200 characters; empty if the host gave none. The API calls this field `place`.
    package var venue: String
    /// The time zone for the meeting's wall-clock times.
    package var timeZone: Zone
    package var identifyBy: IdentifyBy
    package var regulars: Regulars
    /// The number of the last round whose attendees have joined the roster because of `regulars`, together
    /// with the attendees of all rounds before it. 0 if there is no such round.
    package var joinedRound: Int
    package var reminders: Reminders
    /// The tag (BCP 47) of the language for attendees who request no language of the product, and for texts
    /// that all of them read; nil if the host chose none.
    package var language: String?
    /// The meeting's colour; nil for the product's own.
    package var accent: Accent?
    /// The text that attendees must agree to when they check in; nil if the check-in asks for no consent.
    package var consent: Consent?
    /// The absences of which hosts want to know; nil if they want to know of none.
    package var absenceRule: AbsenceRule?
    /// The types of events that at least one web hook of the meeting wants. So a check-in knows, without a
    /// query, that nobody wants it.
    package var hooked: WebhookEvents
    /// A number that the MAC of the meeting code covers. It increases by one when a host renews the code, so
    /// that the old code becomes invalid.
    package var codeVersion: Int
    /// The moment of the last renewal of all codes; nil if there was none. Each renewal has a later moment
    /// than the one before (`revokeCodes`), so a grant with an earlier one belongs to an old code.
    package private(set) var codesRevokedAt: Instant?
    package let createdAt: Instant
    /// The meeting's version number, which is also its entity tag. Every edit increases it by one.
    package var version: Int

    package init(
        id: MeetingID, name: String, description: String = "", venue: String = "", timeZone: Zone = .utc,
        identifyBy: IdentifyBy = .email, regulars: Regulars = .kept, joinedRound: Int = 0,
        reminders: Reminders = .off, language: String? = nil, accent: Accent? = nil,
        consent: Consent? = nil, absenceRule: AbsenceRule? = nil, hooked: WebhookEvents = [],
        codeVersion: Int = 1,
        codesRevokedAt: Instant? = nil, createdAt: Instant, version: Int = 1
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.venue = venue
        self.timeZone = timeZone
        self.identifyBy = identifyBy
        self.regulars = regulars
        self.joinedRound = joinedRound
        self.reminders = reminders
        self.language = language
        self.accent = accent
        self.consent = consent
        self.absenceRule = absenceRule
        self.hooked = hooked
        self.codeVersion = codeVersion
        self.codesRevokedAt = codesRevokedAt
        self.createdAt = createdAt
        self.version = version
    }

    /// Ends all grants that the codes gave until now.
    package mutating func revokeCodes(at now: Instant) {
        codesRevokedAt = codesRevokedAt.map { max(now, $0 + .milliseconds(1)) } ?? now
    }

    /// Whether no renewal of all codes has ended a grant.
    /// - Parameter revocation: `codesRevokedAt` when the code was exchanged for the grant. The moment of the
    ///   exchange does not tell: an old code may be exchanged while the renewal is being stored.
    package func accepts(grantSince revocation: Instant?) -> Bool {
        guard let codesRevokedAt else { return true }
        return revocation.map { $0 >= codesRevokedAt } ?? false
    }
}

/// The field that identifies the attendees of a meeting.
package enum IdentifyBy: String, Sendable, Codable, CaseIterable {
    case email
    /// The staff or student number.
    case number
    /// The name. Two attendees with the same name are then the same person.
    case name
}

/// The people whom the next round of a meeting expects. The setting applies when a round is made, and never
/// at a check-in.
package enum Regulars: String, Sendable, Codable, CaseIterable {
    /// Everybody who came: the attendees of the earlier rounds join the roster.
    case everybody
    /// The people whom hosts keep on the roster.
    case kept
    /// Nobody: a new round has no slots for the people on the roster.
    case nobody

    /// The number of rounds before a session in which the server looks for the previous round to which
    /// anybody came. Newcomers are compared with that round.
    package static let mostRoundsSkipped = 8
}

/// The values of a meeting that a new session changes. Nil values do not change.
package struct MeetingValues: Hashable, Sendable {
    package var identifyBy: IdentifyBy?
    package var description: String?
    package var venue: String?

    package init(identifyBy: IdentifyBy? = nil, description: String? = nil, venue: String? = nil) {
        self.identifyBy = identifyBy
        self.description = description
        self.venue = venue
    }

    /// Replaces each value of the meeting that is not nil.
    package func apply(to meeting: inout Meeting) {
        meeting.identifyBy = identifyBy ?? meeting.identifyBy
        meeting.description = description ?? meeting.description
        meeting.venue = venue ?? meeting.venue
    }
}
