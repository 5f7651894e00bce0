/// An e-mail address that may accept a role in a meeting. It works once, until `expiresAt`, while `invitedBy`
/// owns the meeting. Each address has at most one in a meeting.
package struct MeetingInvitation: Hashable, Sendable {
    package let id: MeetingInvitationID
    package let meetingID: MeetingID
    /// As written.
    package let email: String
    package let role: Role
    /// The account that had the address when it was invited: it sees the invitation, and needs no link to
    /// accept it.
    package let accountID: AccountID?
    package let invitedBy: AccountID
    package let createdAt: Instant
    package let expiresAt: Instant

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
