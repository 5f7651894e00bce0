package import Meetings

/// The request that invites an e-mail address to a role in a meeting.
package struct InviteMemberRequest: Readable, Sendable {
    package let email: String
    package let role: Role
    /// Whether the server sends the invitation to the address.
    package let sendMail: Bool

    package init(reading fields: Fields) {
        email = fields.email("email", required: true) ?? ""
        role = fields.choice("role", of: Role.self, required: true) ?? .viewer
        sendMail = fields.bool("sendMail") ?? false
    }
}

/// The request that changes a member's role.
package struct ChangeRoleRequest: Readable, Sendable {
    package let role: Role

    package init(reading fields: Fields) {
        role = fields.choice("role", of: Role.self, required: true) ?? .viewer
    }
}

/// The request that accepts an invitation. `invitation` is the invitation's link, or its id if the invitation
/// is for the caller's address.
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
    /// The version for `If-Match`. It changes only with the role.
    package let version: Int

    package init(_ account: Account, role: Role) {
        accountId = account.id
        name = account.name
        email = account.email
        self.role = role
        version = role.version
    }
}

/// A meeting's members, owners first, and its pending invitations.
package struct MembersBody: Codable, Hashable, Sendable {
    package let items: [MemberBody]
    /// The pending invitations, which only owners see.
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
    /// The meeting's name, for the invited person, who cannot see other data of the meeting yet.
    package var meetingName: String?
    package let email: String
    package let role: Role
    package let expiresAt: Instant
    /// The name of the account with this address. Its owner can accept without the link. Nil if there is no
    /// such account, or if the caller may not know its name.
    package var accountName: String?
    /// The link to give to the invited person. The link works only for an account with this address. Only the
    /// inviter sees it, and only once.
    package var invitation: String?
    /// Whether the server sends the invitation by mail, if the address accepts mails. False if the inviter
    /// has reached the limit of a day. Nil unless a mail was wanted.
    package var mailed: Bool?

    package init(_ invitation: MeetingInvitation) {
        id = invitation.id
        meetingId = invitation.meetingID
        email = invitation.email
        role = invitation.role
        expiresAt = invitation.expiresAt
    }
}
