package import Meetings

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

/// What is unusual about a session's check-ins: evidence, and never a verdict.
package struct ReviewBody: Codable, Sendable {
    package let checkedIn: Int
    package let findings: [Finding]

    package struct Finding: Codable, Sendable {
        package let kind: SessionReview.Kind
        /// One plain sentence, in the caller's language.
        package let sentence: String
        package let attendees: [Person]
    }

    package struct Person: Codable, Sendable {
        package let id: AttendeeID
        package let name: String
    }

    package init(checkedIn: Int, findings: [Finding]) {
        self.checkedIn = checkedIn
        self.findings = findings
    }
}
