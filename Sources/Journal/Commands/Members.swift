package import Meetings

/// Invites an e-mail address to a role in a meeting. The invitation replaces an earlier one to the same
/// address.
/// - Throws: `notAllowed` unless the actor is an owner; `alreadyMember` if the account with this address is
///   a member; `limitReached` if the meeting has `mostMembers` members and invitations.
package struct InviteMember: Command {
    package let meeting: MeetingID
    /// The invited e-mail address, normalized.
    package let email: String
    package let role: Role
    package let actor: AccountID
    /// The mail with the invitation; nil sends none.
    package let mail: Mail?

    /// The language of a mail to an address without an account, and the path of the page that accepts the
    /// invitation.
    package struct Mail: Sendable {
        package let language: String
        package let path: @Sendable (MeetingInvitation) -> String

        package init(language: String, path: @escaping @Sendable (MeetingInvitation) -> String) {
            self.language = language
            self.path = path
        }
    }

    /// The invited person.
    package struct Receiver: Sendable {
        /// The account with the address; nil if there is none.
        package let account: Account?
        /// Whether the inviter's limit of a day allows the mail; nil if none was wanted. True also if the
        /// address accepts no mail, because the inviter must not learn that.
        package let isMailed: Bool?
    }

    /// The most members and pending invitations of one meeting.
    package static let mostMembers = 100

    package init(meeting: MeetingID, email: String, role: Role, actor: AccountID, mail: Mail? = nil) {
        self.meeting = meeting
        self.email = email
        self.role = role
        self.actor = actor
        self.mail = mail
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (
        MeetingInvitation, receiver: Receiver
    ) {
        try transaction.rights.requireOwner(actor, of: meeting)
        let account = try transaction.rows.account(email: IdentityKey(email))
        if let account, try transaction.rows.role(of: account.id, in: meeting) != nil {
            throw .refused(.alreadyMember)
        }
        let invitations = try transaction.rows.invitations(to: meeting)
        let known = try transaction.rows.members(of: meeting).count + invitations.count
        guard known < Self.mostMembers else {
            throw .refused(.limitReached(.member, limit: Self.mostMembers))
        }
        let invitation = MeetingInvitation(
            id: .make(at: transaction.now), meetingID: meeting, email: email, role: role,
            accountID: account?.id, invitedBy: actor,
            createdAt: transaction.now, expiresAt: transaction.now + MeetingInvitation.lifetime)
        for earlier in invitations where IdentityKey(earlier.email) == IdentityKey(email) {
            try transaction.rights.end(earlier.id)
        }
        try transaction.rows.insert(invitation)
        try transaction.note(
            .memberInvited, by: .account(actor), in: meeting, of: account?.id, role: role)
        var isMailed: Bool?
        if let mail, let inviter = try transaction.rows.account(actor) {
            isMailed = try transaction.mailings.invite(
                invitation, to: try transaction.meeting(meeting), by: inviter,
                owner: account.flatMap { $0.verified ? $0.id : nil },
                in: account?.profile.locale ?? mail.language, path: mail.path(invitation))
        }
        return (invitation, Receiver(account: account, isMailed: isMailed))
    }
}

/// Adds the invited person as a member, and deletes the invitation.
/// - Throws: `invitationNotValid` if the invitation does not exist, has expired, is for another address,
///   needs the link, or comes from an account that is suspended or no longer an owner; `alreadyMember` if
///   the actor is a member; `meetingIsBusy` if the links of an earlier host are being deleted.
package struct AcceptInvitation: Command {
    package let invitation: MeetingInvitationID
    /// Whether the caller presented the signed link. The link is not needed if an account with this address
    /// existed when the invitation was made.
    package let hasLink: Bool
    package let actor: AccountID

    package init(invitation: MeetingInvitationID, hasLink: Bool, actor: AccountID) {
        self.invitation = invitation
        self.hasLink = hasLink
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (SessionRecord, Role) {
        guard let found = try transaction.rows.invitation(invitation),
            try transaction.rows.isValid(found, at: transaction.now),
            let account = try transaction.rows.account(actor),
            IdentityKey(account.email) == IdentityKey(found.email),
            hasLink || found.accountID == actor
        else { throw .refused(.invitationNotValid) }
        try transaction.requireSettled(found.meetingID)
        try transaction.rights.requireLinksDeleted(in: found.meetingID)
        guard try transaction.rows.role(of: actor, in: found.meetingID) == nil else {
            throw .refused(.alreadyMember)
        }
        guard let latest = try transaction.rows.latestSession(of: found.meetingID) else {
            throw .refused(.notFound(.meeting))
        }
        try transaction.rows.setRole(found.role, of: actor, in: found.meetingID)
        try transaction.rights.end(found.id)
        try transaction.note(
            .invitationAccepted, by: .account(actor), in: found.meetingID, of: actor, role: found.role)
        return (latest, found.role)
    }
}

/// Deletes an invitation, for an owner of the meeting or for the invited account.
/// - Throws: `notAllowed` unless the actor is an owner of `meeting`; `notFound` if the invitation is not
///   for this meeting or, without a meeting, not for the actor.
package struct RevokeInvitation: Command {
    package let invitation: MeetingInvitationID
    /// The meeting, if an owner revokes the invitation; nil if the invited account declines it.
    package let meeting: MeetingID?
    package let actor: AccountID

    package init(invitation: MeetingInvitationID, meeting: MeetingID?, actor: AccountID) {
        self.invitation = invitation
        self.meeting = meeting
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        if let meeting { try transaction.rows.requireOwner(actor, of: meeting) }
        guard let found = try transaction.rows.invitation(invitation),
            meeting.map({ $0 == found.meetingID }) ?? (found.accountID == actor)
        else { throw .refused(.notFound(.invitation)) }
        try transaction.rights.end(invitation)
        try transaction.note(
            .invitationRevoked, by: .account(actor), in: found.meetingID, of: found.accountID)
    }
}

/// Changes a member's role. Revokes the member's links and invitations that the new role does not allow. An
/// end of rights does not wait for a job in the meeting.
/// - Throws: `notAllowed` unless the actor is an owner; `notFound` if the account is not a member;
///   `lastOwner` if the meeting would have no owner; `meetingIsBusy` if the account becomes a host while the
///   links of an earlier host are being deleted.
package struct ChangeRole: Command {
    package let meeting: MeetingID
    package let account: AccountID
    package let role: Role
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        meeting: MeetingID, account: AccountID, role: Role, expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.meeting = meeting
        self.account = account
        self.role = role
        self.expected = expected
        self.actor = actor
    }

    /// Returns the member's account.
    package func run(in transaction: Transaction) throws(JournalError) -> Account {
        try transaction.rows.requireOwner(actor, of: meeting)
        guard let old = try transaction.rows.role(of: account, in: meeting),
            let found = try transaction.rows.account(account)
        else {
            throw .refused(.notFound(.member))
        }
        try expected.check(old.version)
        guard old != role else { return found }
        if old == .owner { try transaction.rights.requireAnotherOwner(than: account, of: meeting) }
        if role.isHost, !old.isHost { try transaction.rights.requireLinksDeleted(in: meeting) }
        try transaction.rows.setRole(role, of: account, in: meeting)
        try transaction.note(.roleChanged, by: .account(actor), in: meeting, of: account, role: role)
        try transaction.rights.revoke(givenBy: account, in: meeting, leaving: role, by: actor)
        // The rooms show what a steward may not see.
        if !role.isReader { transaction.endRights(of: .member(account, of: meeting)) }
        return found
    }
}

/// Removes a member from a meeting. The removal does not wait for a job in the meeting.
/// - Throws: `notAllowed` unless the actor is an owner or the member; `notFound` if the account is not a
///   member; `lastOwner` if the meeting would have no owner.
package struct RemoveMember: Command {
    package let meeting: MeetingID
    package let account: AccountID
    package let actor: AccountID

    package init(meeting: MeetingID, account: AccountID, actor: AccountID) {
        self.meeting = meeting
        self.account = account
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        if account != actor { try transaction.rows.requireOwner(actor, of: meeting) }
        guard let role = try transaction.rows.role(of: account, in: meeting) else {
            throw .refused(.notFound(.member))
        }
        if role == .owner { try transaction.rights.requireAnotherOwner(than: account, of: meeting) }
        try transaction.rows.setRole(nil, of: account, in: meeting)
        try transaction.note(.memberRemoved, by: .account(actor), in: meeting, of: account)
        try transaction.rights.revoke(givenBy: account, in: meeting, leaving: nil, by: actor)
        transaction.endRights(of: .member(account, of: meeting))
    }
}

extension ReadableRows {
    /// Whether the invitation can be accepted: it has not expired, and the inviting account is not suspended
    /// and still owns the meeting. The invitation of an account that is being deleted may exist for a moment.
    package func isValid(_ invitation: MeetingInvitation, at now: Instant) throws(JournalError) -> Bool {
        guard now <= invitation.expiresAt, let inviter = try account(invitation.invitedBy),
            inviter.suspendedAt == nil
        else { return false }
        return try role(of: inviter.id, in: invitation.meetingID) == .owner
    }
}
