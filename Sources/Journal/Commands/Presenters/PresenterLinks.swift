package import Meetings

/// Adds a link for a hall's screen.
package struct AddPresenterLink: Command {
    package let session: SessionID
    package let hash: [UInt8]
    package let actor: AccountID

    package static let mostLinks = 20

    package init(session: SessionID, hash: [UInt8], actor: AccountID) {
        self.session = session
        self.hash = hash
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> PresenterLink {
        let record = try transaction.session(session)
        try transaction.requireHost(actor, of: record.meeting.id)
        if record.session.isOver(at: transaction.now) { throw .refused(.sessionOver) }
        guard try transaction.rows.presenterLinks(of: session).count < Self.mostLinks else {
            throw .refused(.limitReached(.presenterLink, limit: Self.mostLinks))
        }
        let link = PresenterLink(
            id: .make(at: transaction.now), sessionID: session, hash: hash, createdAt: transaction.now,
            createdBy: actor)
        try transaction.rows.insert(link)
        try transaction.note(.presenterLinkCreated, of: link, by: actor)
        return link
    }
}

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
        try transaction.requireHost(actor, of: try transaction.session(session).meeting.id)
        guard let found = try transaction.rows.presenterLinks(of: session).first(where: { $0.id == link })
        else {
            throw .refused(.notFound(.presenterLink))
        }
        try transaction.revoke([found], by: actor)
    }
}

extension ReadableRows {
    /// The session that the link shows; nil if its creator may make links there no longer.
    package func session(shownBy link: PresenterLink) throws(JournalError) -> SessionRecord? {
        guard let record = try session(link.sessionID),
            let role = try role(of: link.createdBy, in: record.meeting.id), role.isHost
        else {
            return nil
        }
        return record
    }
}

extension Transaction {
    /// Deletes the links, and ends the screens that they opened.
    func revoke(_ links: [PresenterLink], by actor: AccountID) throws(JournalError) {
        for link in links {
            try rows.delete(link.id)
            try note(.presenterLinkRevoked, of: link, by: actor)
            endRights(of: .presenterLink(link.id))
        }
    }

    /// Revokes the links and invitations that an account may no longer give, after its role became `role` or
    /// ended (nil).
    func revokeRights(
        givenBy account: AccountID, in meeting: MeetingID, leaving role: Role?, by actor: AccountID
    ) throws(JournalError) {
        if role != .owner {
            for invitation in try rows.invitations(to: meeting) where invitation.invitedBy == account {
                try rows.delete(invitation.id)
            }
        }
        if let role, role.isHost { return }
        var links: [PresenterLink] = []
        for link in try rows.presenterLinks(createdBy: account)
        where try session(link.sessionID).meeting.id == meeting {
            links.append(link)
        }
        try revoke(links, by: actor)
    }

    fileprivate func note(_ kind: Event.Kind, of link: PresenterLink, by actor: AccountID)
        throws(JournalError)
    {
        try record(kind, in: link.sessionID, by: .account(actor), EventData(link: link.id))
        // A frame with only this event would tell clients nothing.
        publishEdit(of: link.sessionID)
    }
}
