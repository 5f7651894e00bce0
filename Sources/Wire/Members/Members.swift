package import Meetings

/// Invites an e-mail address to a role in a meeting.
package struct InviteMemberRequest: Readable, Sendable {
    package let email: String
    package let role: Role

    package init(reading fields: Fields) {
        email = fields.email("email", required: true) ?? ""
        role = fields.choice("role", of: Role.self, required: true) ?? .viewer
    }
}

/// Changes a member's role.
package struct ChangeRoleRequest: Readable, Sendable {
    package let role: Role

    package init(reading fields: Fields) {
        role = fields.choice("role", of: Role.self, required: true) ?? .viewer
    }
}

/// Accepts an invitation by its link, or by its id if it is for the caller's address.
package struct AcceptInvitationRequest: Readable, Sendable {
    package let invitation: String

    package init(reading fields: Fields) {
        invitation = fields.text("invitation", required: true, 1...200) ?? ""
    }
}

/// A member of a meeting.
package struct MemberBody: Codable, Hashable, Sendable {
    package let accountId: AccountID
    package let name: String
    package let email: String
    package let role: Role
    /// For `If-Match`; it represents the role alone.
    package let version: Int

    package init(_ account: Account, role: Role) {
        accountId = account.id
        name = account.name
        email = account.email
        self.role = role
        version = role.version
    }
}

/// Members, owners first, and pending invitations.
package struct MembersBody: Codable, Hashable, Sendable {
    package let items: [MemberBody]
    /// For owners only.
    package let invitations: [MeetingInvitationBody]?

    package init(items: [MemberBody], invitations: [MeetingInvitationBody]?) {
        self.items = items
        self.invitations = invitations
    }
}

/// An invitation to a meeting.
package struct MeetingInvitationBody: Codable, Hashable, Sendable {
    package let id: MeetingInvitationID
    package let meetingId: MeetingID
    /// For the invited person, who cannot see anything else of the meeting yet.
    package var meetingName: String?
    package let email: String
    package let role: Role
    package let expiresAt: Instant
    /// The name of the account with this address, which can accept without the link; nil if there is none, or
    /// if the caller may not know.
    package var accountName: String?
    /// The link to give to the invited person. It works only for an account with this address, and only the
    /// inviter sees it, once.
    package var invitation: String?

    package init(_ invitation: MeetingInvitation) {
        id = invitation.id
        meetingId = invitation.meetingID
        email = invitation.email
        role = invitation.role
        expiresAt = invitation.expiresAt
    }
}
