/// A page of a list. `nextCursor` is null on the last page.
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
        // The last page has an explicit null, so that scripts need not distinguish an absent cursor from
        // null.
        if let nextCursor {
            try container.encode(nextCursor, forKey: .nextCursor)
        } else {
            try container.encodeNil(forKey: .nextCursor)
        }
    }
}

/// An answer that describes an editable value. The server sends its version as an `ETag`, which clients
/// return in `If-Match`.
package protocol Versioned: Encodable {
    /// The version; nil if the caller may not edit the value.
    var taggedVersion: Int? { get }
}

extension AccountBody: Versioned { package var taggedVersion: Int? { version } }

extension MeetingBody: Versioned { package var taggedVersion: Int? { version } }

extension SessionBody: Versioned { package var taggedVersion: Int? { version } }

extension QuestionSetBody: Versioned { package var taggedVersion: Int? { version } }

extension AttendeeBody: Versioned { package var taggedVersion: Int? { version } }

extension PersonBody: Versioned { package var taggedVersion: Int? { version } }

extension MemberBody: Versioned { package var taggedVersion: Int? { version } }

extension RosterImportBody: Versioned { package var taggedVersion: Int? { version } }
