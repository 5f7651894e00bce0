/// What an account may do with a meeting. Each case may do less than the case before it.
package enum Role: String, Sendable, Codable, CaseIterable {
    case owner, host, viewer

    /// Whether the role may change the meeting; a viewer only reads.
    package var isHost: Bool { self != .viewer }

    /// A member's entity tag, for `If-Match`. Only the role can be edited, so one role is one version.
    package var version: Int {
        switch self {
        case .viewer: 1
        case .host: 2
        case .owner: 3
        }
    }
}

/// An invitation by which one e-mail address can accept a role in a meeting. It works once, until
/// `expiresAt`, while the account `invitedBy` owns the meeting. A meeting has at most one invitation for an
/// address.
package struct MeetingInvitation: Hashable, Sendable {
    package let id: MeetingInvitationID
    package let meetingID: MeetingID
    /// As written.
    package let email: String
    package let role: Role
    /// The account that had the address when it was invited; nil if no account had it. This account sees the
    /// invitation and needs no link to accept it.
    package let accountID: AccountID?
    package let invitedBy: AccountID
    package let createdAt: Instant
    package let expiresAt: Instant

    /// How long an invitation can be accepted.
    package static let lifetime = Duration.hours(24 * 14)

    package init(
        id: MeetingInvitationID, meetingID: MeetingID, email: String, role: Role, accountID: AccountID?,
        invitedBy: AccountID,
        createdAt: Instant, expiresAt: Instant
    ) {
        self.id = id
        self.meetingID = meetingID
        self.email = email
        self.role = role
        self.accountID = accountID
        self.invitedBy = invitedBy
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

package typealias MeetingInvitationID = ID<MeetingInvitation>

/// The right to show one session on a projector: its code and counts, but no names. It ends with the session,
/// if it is revoked, or if its creator loses the role that allowed its creation.
package struct PresenterLink: Hashable, Sendable {
    package let id: PresenterLinkID
    package let sessionID: SessionID
    /// The hash of the link's token; 32 bytes.
    package let hash: [UInt8]
    package let createdAt: Instant
    package let createdBy: AccountID

    package init(
        id: PresenterLinkID, sessionID: SessionID, hash: [UInt8], createdAt: Instant, createdBy: AccountID
    ) {
        self.id = id
        self.sessionID = sessionID
        self.hash = hash
        self.createdAt = createdAt
        self.createdBy = createdBy
    }
}
