package import Meetings

/// The request that gives passes to one person, or to the whole roster.
package struct CreatePassesRequest: Readable, Sendable {
    /// The person; nil for everybody on the roster.
    package let personId: PersonID?
    /// The only session that the passes open; nil for all sessions.
    package let sessionId: SessionID?

    package init(reading fields: Fields) {
        personId = fields.id("personId", of: Person.self)
        sessionId = fields.id("sessionId", of: Session.self)
    }
}

/// The result of a request for passes.
package struct PassesCreatedBody: Codable, Hashable, Sendable {
    package let created: Int
    /// The number of people who had a valid pass already.
    package let existing: Int

    package init(created: Int, existing: Int) { (self.created, self.existing) = (created, existing) }
}

/// The request that replaces all passes of a meeting.
package struct RenewPassesRequest: Readable, Sendable {
    /// Only passes from before this moment are replaced; nil for the moment of the request. A repetition with
    /// the same moment replaces no pass twice.
    package let createdBefore: Instant?

    package init(reading fields: Fields) { createdBefore = fields.instant("createdBefore") }
}

/// The result of a request that replaces all passes of a meeting.
package struct PassesRenewedBody: Codable, Hashable, Sendable {
    package let renewed: Int
    /// The number of passes that ended without a new one: of archived people, and for sessions that are over.
    package let revoked: Int
    /// The moment before which the replaced passes were created, for a repetition.
    package let createdBefore: Instant

    package init(renewed: Int, revoked: Int, createdBefore: Instant) {
        (self.renewed, self.revoked, self.createdBefore) = (renewed, revoked, createdBefore)
    }
}

/// A personal pass.
package struct PassBody: Codable, Hashable, Sendable {
    package let id: PassID
    package let personId: PersonID
    package let name: String
    /// The only session that the pass opens; nil for all sessions.
    package let sessionId: SessionID?
    package let createdAt: Instant
    package let revokedAt: Instant?
    /// The content of the QR code; nil if the pass is revoked.
    package let url: String?

    package init(_ pass: Pass, of person: Person, url: String?) {
        id = pass.id
        personId = person.id
        name = person.name
        sessionId = pass.session
        createdAt = pass.createdAt
        revokedAt = pass.revokedAt
        self.url = url
    }
}

/// The key that signs a meeting's next passes.
package struct PassKeyBody: Codable, Hashable, Sendable {
    /// 1 for the meeting's first key.
    package let number: Int

    package init(number: Int) { self.number = number }
}
