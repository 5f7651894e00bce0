package import Meetings

/// An account, as its owner and operators see it.
package struct AccountBody: Codable, Hashable, Sendable {
    package let id: AccountID
    package let email: String
    package let name: String
    package let verified: Bool
    package let admin: Bool
    package let state: Account.State
    package let birthDate: String?
    package let phone: String?
    package let interests: [String]?
    package let locale: String?
    package let gender: String?
    package let createdAt: Instant
    package let version: Int

    package init(_ account: Account) {
        id = account.id
        email = account.email
        name = account.name
        verified = account.verified
        admin = account.admin
        state = account.state
        birthDate = account.profile.birthDate
        phone = account.profile.phone
        interests = account.profile.interests
        locale = account.profile.locale
        gender = account.profile.gender
        createdAt = account.createdAt
        version = account.version
    }
}

/// An invitation to sign up.
package struct InvitationBody: Codable, Hashable, Sendable {
    package let email: String
    /// The text to send as `invitation` in a sign-up with this address.
    package let invitation: String
    package let expiresAt: Instant

    package init(email: String, invitation: String, expiresAt: Instant) {
        self.email = email
        self.invitation = invitation
        self.expiresAt = expiresAt
    }
}

/// The answer to the question whether an e-mail address is available: it has no account yet.
package struct AvailabilityBody: Codable, Hashable, Sendable {
    package let available: Bool

    package init(available: Bool) { self.available = available }
}

/// The tokens of a new or renewed sign-in.
package struct TokenBody: Codable, Hashable, Sendable {
    package let accessToken: String
    package let expiresAt: Instant
    package let refreshToken: String
    /// Whether the account's e-mail address is verified. Owners of unverified accounts may sign in too.
    package let verified: Bool

    package init(accessToken: String, expiresAt: Instant, refreshToken: String, verified: Bool) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.verified = verified
    }
}

/// The conditions of a sign-up, for a person who wants to create an account.
package struct SignUpTermsBody: Codable, Hashable, Sendable {
    /// The sign-up mode: `open`, `invite` or `closed`.
    package let signUp: String
    /// Whether the server has never had an operator. The first account becomes an operator's account,
    /// whatever `signUp` is.
    package let isFirst: Bool
    /// Whether this client must send the set-up token to create the first account.
    package let needsSetupToken: Bool
    /// The number of interests that the operator requests. The server accepts fewer.
    package let interestsWanted: Int
    /// The text of the terms. An empty line separates paragraphs.
    package let terms: String

    package init(signUp: String, isFirst: Bool, needsSetupToken: Bool, interestsWanted: Int, terms: String) {
        self.signUp = signUp
        self.isFirst = isFirst
        self.needsSetupToken = needsSetupToken
        self.interestsWanted = interestsWanted
        self.terms = terms
    }
}

/// A sign-in whose tokens are cookies.
package struct WebSignInBody: Codable, Hashable, Sendable {
    package let expiresAt: Instant
    package let verified: Bool

    package init(expiresAt: Instant, verified: Bool) {
        self.expiresAt = expiresAt
        self.verified = verified
    }
}

/// A sign-in, as an item in the list of the caller's sign-ins.
package struct SignInBody: Codable, Hashable, Sendable {
    package let id: String
    package let client: String
    /// The IP address of the client's latest sign-in or renewal; empty if it is unknown.
    package let address: String
    package let signedInAt: Instant
    /// The moment of the latest renewal.
    package let createdAt: Instant
    package let expiresAt: Instant
    package let current: Bool

    package init(_ token: Token, current: Bool) {
        id = token.signIn.text
        client = token.client
        address = token.address
        signedInAt = token.signIn.madeAt
        createdAt = token.createdAt
        expiresAt = token.expiresAt
        self.current = current
    }
}
