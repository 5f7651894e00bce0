package import Meetings

/// The request that creates a named token.
package struct NamedTokenRequest: Readable, Sendable {
    /// The name that tells the token apart in the list of sign-ins.
    package let name: String
    package let access: TokenLimits.Access
    package let meetingId: MeetingID?
    /// The end of the token; nil for the standard lifetime.
    package let expiresAt: Instant?

    package init(reading fields: Fields) {
        name = fields.name("name", required: true) ?? ""
        access = fields.choice("access", of: TokenLimits.Access.self, required: true) ?? .read
        meetingId = fields.id("meetingId", of: Meeting.self)
        expiresAt = fields.instant("expiresAt")
    }
}

/// A new named token. Only this answer contains the token itself.
package struct NamedTokenBody: Codable, Hashable, Sendable {
    package let id: String
    /// The bearer token.
    package let token: String
    package let name: String
    package let access: TokenLimits.Access
    /// The only meeting that the token opens; nil for all meetings of the account.
    package let meetingId: MeetingID?
    package let expiresAt: Instant

    package init(_ token: Token, secret: String) {
        id = token.signIn.text
        self.token = secret
        name = token.client
        access = token.limits?.access ?? .read
        meetingId = token.limits?.meeting
        expiresAt = token.expiresAt
    }
}
