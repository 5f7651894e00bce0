package import Meetings
package import Wire

/// The request body of a named token.
package struct NewNamedToken: Encodable, Hashable, Sendable {
    package var name: String
    package var access: TokenLimits.Access
    package var meetingId: MeetingID?
    package var expiresAt: Instant?

    package init(
        name: String, access: TokenLimits.Access, meetingId: MeetingID? = nil, expiresAt: Instant? = nil
    ) {
        self.name = name
        self.access = access
        self.meetingId = meetingId
        self.expiresAt = expiresAt
    }
}

extension APIClient {
    /// Creates a named token. Only this answer contains the token itself.
    package func createToken(_ token: NewNamedToken) async throws(APIError) -> NamedTokenBody {
        try await post("/api/v1/tokens/named", token)
    }
}
