package import Meetings

package struct InviteMemberRequest: Readable, Sendable {
    package let email: String
    package let role: Role

    package init(reading fields: Fields) {
        email = fields.email("email", required: true) ?? ""
        role = fields.choice("role", of: Role.self, required: true) ?? .viewer
    }
}

package struct ChangeRoleRequest: Readable, Sendable {
    package let role: Role

    package init(reading fields: Fields) {
        role = fields.choice("role", of: Role.self, required: true) ?? .viewer
    }
}

/// What was handed over, or the id of an invitation that is the account's own.
package struct AcceptInvitationRequest: Readable, Sendable {
    package let invitation: String

    package init(reading fields: Fields) {
        invitation = fields.text("invitation", required: true, 1...200) ?? ""
    }
}

package struct MemberBody: Codable, Hashable, Sendable {
    package let accountId: AccountID
    package let name: String
    package let email: String
    package let role: Role
    /// For `If-Match`; it says the role alone.
    package let version: Int

    package init(_ account: Account, role: Role) {
        accountId = account.id
        name = account.name
        email = account.email
        self.role = role
        version = role.version
    }
}

/// Members, owners first, and who is invited.
package struct MembersBody: Codable, Hashable, Sendable {
    package let items: [MemberBody]
    /// For owners alone.
    package let invitations: [MeetingInvitationBody]?

    package init(items: [MemberBody], invitations: [MeetingInvitationBody]?) {
        self.items = items
        self.invitations = invitations
    }
}

package struct MeetingInvitationBody: Codable, Hashable, Sendable {
    package let id: MeetingInvitationID
    package let meetingId: MeetingID
    /// For who was invited: they may see no more of the meeting yet.
    package var meetingName: String?
    package let email: String
    package let role: Role
    package let expiresAt: Instant
    /// Of the account that has the address, and needs nothing else to accept; nil where there is none, or it
    /// is not for the caller.
    package var accountName: String?
    /// What to hand over: it is good with an account of this address alone. Said once, to who invited.
    package var invitation: String?

    package init(_ invitation: MeetingInvitation) {
        id = invitation.id
        meetingId = invitation.meetingID
        email = invitation.email
        role = invitation.role
        expiresAt = invitation.expiresAt
    }
}
