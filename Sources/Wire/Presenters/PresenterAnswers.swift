package import Meetings

/// A new presenter link with its token.
package struct PresenterLinkBody: Codable, Hashable, Sendable {
    package let id: PresenterLinkID
    /// The link that opens the page of the hall's screen or of the kiosk without a sign-in. The token is in
    /// the fragment, which browsers do not send and servers do not log.
    package let url: String
    package let token: String
    package let expiresAt: Instant

    package init(id: PresenterLinkID, url: String, token: String, expiresAt: Instant) {
        self.id = id
        self.url = url
        self.token = token
        self.expiresAt = expiresAt
    }
}

/// A presenter link in a list. It has no token, because the server shows the token only once.
package struct PresenterLinkSummary: Codable, Hashable, Sendable {
    package let id: PresenterLinkID
    package let createdBy: AccountID
    package let createdByName: String
    package let createdAt: Instant
    package let purpose: PresenterLink.Purpose

    package init(_ link: PresenterLink, by creator: Account) {
        id = link.id
        createdBy = creator.id
        createdByName = creator.name
        createdAt = link.createdAt
        purpose = link.purpose
    }
}
