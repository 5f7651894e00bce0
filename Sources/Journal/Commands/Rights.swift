package import Meetings

/// Checks the rights of accounts in meetings, and revokes the links and invitations that accounts gave.
struct Rights {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Checks that the account may manage the meeting.
    /// - Throws: `notAllowed` unless the account is an owner or a host of the meeting.
    func requireHost(_ account: AccountID, of meeting: MeetingID) throws(JournalError) {
        try transaction.requireSettled(meeting)
        try rows.requireHost(account, of: meeting)
    }

    /// Returns the session, if the account may manage its meeting.
    /// - Throws: `notFound` if the session does not exist; `notAllowed` as `requireHost` does.
    func session(_ id: SessionID, managedBy account: AccountID) throws(JournalError) -> SessionRecord {
        let record = try transaction.session(id)
        try requireHost(account, of: record.meeting.id)
        return record
    }

    /// Returns the meeting, if the account may manage it.
    /// - Throws: `notFound` if the meeting does not exist; `notAllowed` as `requireHost` does.
    func meeting(_ id: MeetingID, managedBy account: AccountID) throws(JournalError) -> Meeting {
        let meeting = try transaction.meeting(id)
        try requireHost(account, of: id)
        return meeting
    }

    /// Checks that the account owns the meeting.
    /// - Throws: `notAllowed` unless the account is an owner of the meeting.
    func requireOwner(_ account: AccountID, of meeting: MeetingID) throws(JournalError) {
        try transaction.requireSettled(meeting)
        try rows.requireOwner(account, of: meeting)
    }

    /// Checks that the meeting has another owner.
    /// - Throws: `lastOwner` unless another account owns the meeting as well.
    func requireAnotherOwner(than account: AccountID, of meeting: MeetingID) throws(JournalError) {
        guard try hasAnotherOwner(than: account, of: meeting) else { throw .refused(.lastOwner) }
    }

    /// Whether another account owns the meeting as well. An account that is being deleted does not count,
    /// although its memberships end later.
    func hasAnotherOwner(than account: AccountID, of meeting: MeetingID) throws(JournalError) -> Bool {
        for member in try rows.members(of: meeting) where member.role == .owner && member.account != account {
            if try rows.account(member.account) != nil { return true }
        }
        return false
    }

    /// Deletes an invitation, and ends its mail unless it was sent.
    func end(_ invitation: MeetingInvitationID) throws(JournalError) {
        try rows.delete(invitation)
        try transaction.mailings.endInvitation(invitation)
    }

    /// Ends the invitations to the meeting that the account gave.
    func endInvitations(by account: AccountID, to meeting: MeetingID) throws(JournalError) {
        for invitation in try rows.invitations(to: meeting) where invitation.invitedBy == account {
            try end(invitation.id)
        }
    }

    /// Deletes presenter links, and closes the connections of the screens that they opened.
    func revoke(_ links: [PresenterLink], by actor: AccountID) throws(JournalError) {
        for link in links {
            try rows.delete(link.id)
            try record(.presenterLinkRevoked, of: link, by: actor)
            transaction.endRights(of: .presenterLink(link.id))
        }
    }

    /// Revokes the links and invitations that an account may no longer give, because its role became `role`
    /// or ended (nil). The links open nothing from now on. If there are many, or if a job is in progress in
    /// the meeting, they are deleted later.
    func revoke(givenBy account: AccountID, in meeting: MeetingID, leaving role: Role?, by actor: AccountID)
        throws(JournalError)
    {
        if role != .owner {
            try endInvitations(by: account, to: meeting)
        }
        if let role, role.isHost { return }
        try transaction.webhooks.end(createdBy: account, in: meeting)
        let most = LinkRevocation.mostAtOnce
        let links = try rows.presenterLinks(createdBy: account, in: meeting, fromRound: 0, limit: most + 1)
        if links.count <= most, transaction.jobs.active?.work.meeting != meeting {
            return try revoke(links, by: actor)
        }
        if links.isEmpty { return }
        transaction.endRights(of: .presenters(of: meeting))
        try transaction.later(LinkRevocation(of: account, in: meeting, by: actor))
    }

    /// Checks that no links of earlier hosts are left to delete. A new host's old links would open their
    /// sessions again.
    /// - Throws: `meetingIsBusy` if `revoke` has left links in this meeting.
    func requireLinksDeleted(in meeting: MeetingID) throws(JournalError) {
        if try rows.jobs().contains(where: { $0.kind == .links && $0.meeting == meeting }) {
            throw .refused(.meetingIsBusy)
        }
    }

    /// Records that a presenter link was created or revoked.
    fileprivate func record(_ kind: Event.Kind, of link: PresenterLink, by actor: AccountID)
        throws(JournalError)
    {
        try transaction.record(kind, in: link.sessionID, by: .account(actor), EventData(link: link.id))
        try transaction.note(
            kind == .presenterLinkCreated ? .presenterLinkCreated : .presenterLinkRevoked,
            by: .account(actor), in: try transaction.session(link.sessionID).meeting.id, of: link.createdBy)
        // Without this edit, the rooms' frame for the event would contain no change for clients.
        transaction.publishEdit(of: link.sessionID)
    }
}

extension Transaction {
    var rights: Rights { Rights(transaction: self) }
}

/// Adds a presenter link, which opens a session on the screen of a hall or at a kiosk.
/// - Throws: `sessionOver` if the session has ended; `limitReached` if the session has `mostLinks`.
package struct AddPresenterLink: Command {
    package let session: SessionID
    package let hash: [UInt8]
    package let purpose: PresenterLink.Purpose
    package let actor: AccountID

    /// The most presenter links of one session.
    package static let mostLinks = 20

    package init(
        session: SessionID, hash: [UInt8], purpose: PresenterLink.Purpose = .hall, actor: AccountID
    ) {
        self.session = session
        self.hash = hash
        self.purpose = purpose
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> PresenterLink {
        let record = try transaction.rights.session(session, managedBy: actor)
        if record.session.isOver(at: transaction.now) { throw .refused(.sessionOver) }
        guard try transaction.rows.presenterLinks(of: session).count < Self.mostLinks else {
            throw .refused(.limitReached(.presenterLink, limit: Self.mostLinks))
        }
        let link = PresenterLink(
            id: .make(at: transaction.now), sessionID: session, hash: hash, createdAt: transaction.now,
            createdBy: actor, purpose: purpose)
        try transaction.rows.insert(link)
        try transaction.rights.record(.presenterLinkCreated, of: link, by: actor)
        return link
    }
}

/// Revokes a presenter link.
/// - Throws: `notFound` if the session has no such link.
package struct RevokePresenterLink: Command {
    package let session: SessionID
    package let link: PresenterLinkID
    package let actor: AccountID

    package init(session: SessionID, link: PresenterLinkID, actor: AccountID) {
        self.session = session
        self.link = link
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.requireHost(actor, of: try transaction.session(session).meeting.id)
        guard let found = try transaction.rows.presenterLinks(of: session).first(where: { $0.id == link })
        else {
            throw .refused(.notFound(.presenterLink))
        }
        try transaction.rights.revoke([found], by: actor)
    }
}

extension ReadableRows {
    /// Checks that the account may manage the meeting.
    /// - Throws: `notAllowed` unless the account is an owner or a host of the meeting.
    func requireHost(_ account: AccountID, of meeting: MeetingID) throws(JournalError) {
        guard let role = try role(of: account, in: meeting), role.isHost else {
            throw .refused(.notAllowed)
        }
    }

    /// Whether the account may read the meeting. A steward may not.
    package func canRead(_ account: AccountID, _ meeting: MeetingID) throws(JournalError) -> Bool {
        try role(of: account, in: meeting)?.isReader ?? false
    }

    /// Checks that the account may let people in and out at the meeting's doors.
    /// - Throws: `notAllowed` unless the account is an owner, a host or a steward of the meeting.
    func requireAtDoor(_ account: AccountID, of meeting: MeetingID) throws(JournalError) {
        guard let role = try role(of: account, in: meeting), role.isAtDoor else {
            throw .refused(.notAllowed)
        }
    }

    /// Checks that the account owns the meeting.
    /// - Throws: `notAllowed` unless the account is an owner of the meeting.
    func requireOwner(_ account: AccountID, of meeting: MeetingID) throws(JournalError) {
        guard try role(of: account, in: meeting) == .owner else { throw .refused(.notAllowed) }
    }

    /// Returns the session that the link shows; nil if the link's creator may no longer give links to it. A
    /// link of a former host or of a deleted account may exist for a moment, until it is revoked. The links
    /// of a suspended account work again if the operator resumes the account.
    package func session(shownBy link: PresenterLink) throws(JournalError) -> SessionRecord? {
        guard let record = try session(link.sessionID),
            let role = try role(of: link.createdBy, in: record.meeting.id), role.isHost,
            let creator = try account(link.createdBy), creator.suspendedAt == nil
        else {
            return nil
        }
        return record
    }
}
