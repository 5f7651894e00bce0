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
    /// A number that the MAC of the meeting code covers. It increases by one when a host renews the code, so
    /// that the old code becomes invalid.
    package var codeVersion: Int
    package let createdAt: Instant
    /// The meeting's version number, which is also its entity tag. Every edit increases it by one.
    package var version: Int

    package init(
        id: MeetingID, name: String, description: String = "", venue: String = "", timeZone: Zone = .utc,
        identifyBy: IdentifyBy = .email,
        codeVersion: Int = 1, createdAt: Instant, version: Int = 1
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.venue = venue
        self.timeZone = timeZone
        self.identifyBy = identifyBy
        self.codeVersion = codeVersion
        self.createdAt = createdAt
        self.version = version
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
