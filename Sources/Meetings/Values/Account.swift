/// A host: a person who can sign in.
package struct Account: Hashable, Sendable {
    package let id: AccountID
    /// As written; `IdentityKey(email)` is unique among accounts.
    package var email: String
    /// 1–100 characters, NFC.
    package var name: String
    /// An Argon2id hash in libsodium's text form.
    package var passwordHash: String
    package var profile: Profile
    package var verified: Bool
    /// Operators hold an account that is one.
    package var admin: Bool
    package let createdAt: Instant
    package var version: Int

    /// What a host may tell and need not.
    package struct Profile: Hashable, Sendable, Codable {
        /// `2001-05-20`.
        package var birthDate: String?
        package var phone: String?
        /// At most 20 of 1–50 characters.
        package var interests: [String]?
        package var locale: String?
        /// As the person said it; 1–30 characters.
        package var gender: String?
        /// When the operator's terms were accepted, where they were shown.
        package var termsAcceptedAt: Instant?

        package init(
            birthDate: String? = nil, phone: String? = nil, interests: [String]? = nil, locale: String? = nil,
            gender: String? = nil
        ) {
            self.birthDate = birthDate
            self.phone = phone
            self.interests = interests
            self.locale = locale
            self.gender = gender
        }

        /// With what `newer` tells in the place of what was told before.
        package func mended(by newer: Profile) -> Profile {
            var mended = self
            mended.birthDate = newer.birthDate ?? birthDate
            mended.phone = newer.phone ?? phone
            mended.interests = newer.interests ?? interests
            mended.locale = newer.locale ?? locale
            mended.gender = newer.gender ?? gender
            mended.termsAcceptedAt = newer.termsAcceptedAt ?? termsAcceptedAt
            return mended
        }
    }

    package init(
        id: AccountID, email: String, name: String, passwordHash: String, profile: Profile = Profile(),
        verified: Bool = false,
        admin: Bool = false, createdAt: Instant, version: Int = 1
    ) {
        self.id = id
        self.email = email
        self.name = name
        self.passwordHash = passwordHash
        self.profile = profile
        self.verified = verified
        self.admin = admin
        self.createdAt = createdAt
        self.version = version
    }
}

/// A sign-in. The token itself is known to its holder alone; the record has its hash.
package struct Token: Hashable, Sendable {
    package enum Kind: String, Sendable, Codable { case access, refresh }

    /// 32 bytes.
    package let hash: [UInt8]
    package let accountID: AccountID
    package let kind: Kind
    /// What an access token and its refresh token have in common, over all their renewals: one sign-in.
    package let signIn: ID<Token>
    package let createdAt: Instant
    package let expiresAt: Instant
    /// What the client called itself, at most 100 characters.
    package let client: String
    /// Of a refresh token that has been exchanged for a new pair. It stays until it expires, so that a reuse
    /// is noticed.
    package var use: Use?

    /// When a refresh token was used, and by which client.
    package struct Use: Hashable, Sendable {
        package let at: Instant
        /// A keyed hash of what the client sends with each of its requests.
        package let client: [UInt8]

        package init(at: Instant, client: [UInt8]) {
            self.at = at
            self.client = client
        }
    }

    package init(
        hash: [UInt8], accountID: AccountID, kind: Kind, signIn: ID<Token>, createdAt: Instant,
        expiresAt: Instant, client: String,
        use: Use? = nil
    ) {
        self.hash = hash
        self.accountID = accountID
        self.kind = kind
        self.signIn = signIn
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.client = client
        self.use = use
    }
}

/// A right to show one session on a hall's screen: its code and counts, no names. It ends with the session,
/// with its revocation, and with the role that let its creator make it.
package struct PresenterLink: Hashable, Sendable {
    package let id: PresenterLinkID
    package let sessionID: SessionID
    /// Of the link's token; 32 bytes.
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
