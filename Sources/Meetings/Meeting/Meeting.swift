/// A series of sessions with one name, one roster and one time zone.
package struct Meeting: Hashable, Sendable {
    package let id: MeetingID
    /// 1–100 characters, NFC.
    package var name: String
    /// At most 2,000 characters; empty if the host gave none.
    package var description: String
    /// The venue: at most 200 characters; empty if the host gave none. The API calls this field `place`.
    package var venue: String
    /// The zone in which the meeting's wall-clock times are read.
    package var timeZone: Zone
    package var identifyBy: IdentifyBy
    /// Part of the meeting code's MAC. It increases by one when a host renews the code, which invalidates the
    /// old code.
    package var codeVersion: Int
    package let createdAt: Instant
    /// Increases by one with every edit; the entity tag.
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
    /// A staff or student number.
    case number
    /// The name itself; two attendees with one name are then the same person.
    case name
}
