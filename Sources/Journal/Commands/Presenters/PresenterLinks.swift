package import Meetings

/// Keeps a link for a hall's screen, until the session's end or its revocation.
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
        let link = PresenterLink(id: .make(at: transaction.now), sessionID: session, hash: hash, createdAt: transaction.now)
        try transaction.rows.insert(link)
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
        guard try transaction.rows.presenterLinks(of: session).contains(where: { $0.id == link }) else {
            throw .refused(.notFound(.presenterLink))
        }
        try transaction.rows.delete(link)
    }
}
