package import Meetings

package struct MeetingBody: Codable, Hashable, Sendable {
    package let id: MeetingID
    package let name: String
    package let description: String?
    package let place: String?
    package let timeZone: String
    package let identifyBy: IdentifyBy
    package let plannedCount: Int
    /// The caller's.
    package let role: Role
    /// For the poster.
    package var meetingUrl: String?
    /// Whether there is a picture at `/image`; absent in lists.
    package var hasImage: Bool?
    package let createdAt: Instant
    package let version: Int
    package var latestSession: SessionBody?
    /// The running or next one; nil where none is to come.
    package var nearestSession: SessionBody?

    package init(_ meeting: Meeting, role: Role, latest: Session) {
        id = meeting.id
        name = meeting.name
        description = meeting.description.isEmpty ? nil : meeting.description
        place = meeting.venue.isEmpty ? nil : meeting.venue
        timeZone = meeting.timeZone.name
        identifyBy = meeting.identifyBy
        plannedCount = latest.plannedCount
        self.role = role
        createdAt = meeting.createdAt
        version = meeting.version
    }
}

/// The answer to the creation of a meeting.
package struct NewMeetingBody: Codable, Hashable, Sendable {
    package let meeting: MeetingBody
    package let session: SessionBody

    package init(meeting: MeetingBody, session: SessionBody) {
        self.meeting = meeting
        self.session = session
    }
}

package struct OverlapsBody: Codable, Hashable, Sendable {
    package let overlaps: [OverlapBody]

    package init(_ overlaps: [Overlap]) { self.overlaps = overlaps.map(OverlapBody.init) }
}

/// One page of a list; `nextCursor` is null on the last.
package struct Page<Item: Codable & Sendable>: Codable, Sendable {
    package let items: [Item]
    package let nextCursor: String?

    package init(items: [Item], nextCursor: String?) {
        self.items = items
        self.nextCursor = nextCursor
    }

    private enum CodingKeys: String, CodingKey { case items, nextCursor }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(items, forKey: .items)
        // Null is said, so that a script need not tell "absent" from "last".
        if let nextCursor {
            try container.encode(nextCursor, forKey: .nextCursor)
        } else {
            try container.encodeNil(forKey: .nextCursor)
        }
    }
}
