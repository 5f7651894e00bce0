/// A series of sessions.
package struct Meeting: Hashable, Sendable {
    package let id: MeetingID
    /// 1–100 characters, NFC.
    package var name: String
    /// At most 2,000 characters; empty where there is none.
    package var description: String
    /// At most 200 characters; empty where there is none.
    package var place: String
    package var timeZone: Zone
    package var identifyBy: IdentifyBy
    /// What the meeting code's MAC is bound to; one more whenever a host renews it.
    package var codeVersion: Int
    package let createdAt: Instant
    /// One more with every edit: the entity tag.
    package var version: Int

    package init(
        id: MeetingID, name: String, description: String = "", place: String = "", timeZone: Zone = .utc,
        identifyBy: IdentifyBy = .email,
        codeVersion: Int = 1, createdAt: Instant, version: Int = 1
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.place = place
        self.timeZone = timeZone
        self.identifyBy = identifyBy
        self.codeVersion = codeVersion
        self.createdAt = createdAt
        self.version = version
    }
}

/// What an attendee tells to be told apart from others.
package enum IdentifyBy: String, Sendable, Codable, CaseIterable {
    case email
    /// A staff or student number.
    case number
    case name
}

/// What an account may do with a meeting. Later cases may do less.
package enum Role: String, Sendable, Codable, CaseIterable {
    case owner, host, viewer

    /// Owners and hosts run a meeting; a viewer only sees it.
    package var isHost: Bool { self != .viewer }

    /// A member's version, for `If-Match`: the role is all there is to edit, so the same role is the same
    /// version.
    package var version: Int {
        switch self {
        case .viewer: 1
        case .host: 2
        case .owner: 3
        }
    }
}
