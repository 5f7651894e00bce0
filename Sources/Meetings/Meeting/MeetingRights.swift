/// An account's role in a meeting.
package enum Role: String, Sendable, Codable, CaseIterable {
    case owner, host, viewer
    /// Lets people in and out at the door, and sees only the person in front of it.
    case steward

    /// Whether the role may change the meeting.
    package var isHost: Bool { self == .owner || self == .host }

    /// Whether the role may read the meeting's sessions, attendees and results. A steward may not.
    package var isReader: Bool { self != .steward }

    /// Whether the role may let people in and out at the door. A viewer may not.
    package var isAtDoor: Bool { isHost || self == .steward }

    /// The entity tag of a member, for `If-Match`. Only the role of a member can change, so each role has its
    /// own version number.
    package var version: Int {
        switch self {
        case .viewer: 1
        case .host: 2
        case .owner: 3
        case .steward: 4
        }
    }
}

/// An invitation by which one e-mail address can accept a role in a meeting. The invitation works once and
/// before `expiresAt`, while the account `invitedBy` owns the meeting. A meeting has at most one invitation
/// for each address.
package struct MeetingInvitation: Hashable, Sendable {
    package let id: MeetingInvitationID
    package let meetingID: MeetingID
    /// The invited e-mail address, as the owner wrote it.
    package let email: String
    package let role: Role
    /// The account that had the e-mail address when the owner invited it; nil if no account had the address.
    /// The account's pages show the invitation, so the account needs no link to accept it.
    package let accountID: AccountID?
    package let invitedBy: AccountID
    package let createdAt: Instant
    package let expiresAt: Instant

    /// The time for which an invitation can be accepted.
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

/// A right in one session that a screen has without an account. The right ends with the session, when a host
/// revokes the link, or when the link's creator loses the role that allowed its creation.
package struct PresenterLink: Hashable, Sendable {
    package let id: PresenterLinkID
    package let sessionID: SessionID
    /// The hash of the link's token; 32 bytes.
    package let hash: [UInt8]
    package let createdAt: Instant
    package let createdBy: AccountID
    package let purpose: Purpose

    /// What a link opens. It opens nothing that the other purpose opens.
    package enum Purpose: String, Hashable, Sendable, Codable, CaseIterable {
        /// Shows the session on a projector: its code and counts, but no names.
        case hall
        /// Lets guests check themselves in by their passes and names (`Kiosk`).
        case kiosk
    }

    package init(
        id: PresenterLinkID, sessionID: SessionID, hash: [UInt8], createdAt: Instant, createdBy: AccountID,
        purpose: Purpose = .hall
    ) {
        self.id = id
        self.sessionID = sessionID
        self.hash = hash
        self.purpose = purpose
        self.createdAt = createdAt
        self.createdBy = createdBy
    }
}
