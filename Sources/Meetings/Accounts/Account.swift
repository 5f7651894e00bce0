import Foundation

/// A person who can sign in. Attendees need no account.
package struct Account: Hashable, Sendable {
    package let id: AccountID
    /// As written. `IdentityKey(email)` is unique among accounts.
    package var email: String
    /// 1–100 characters, NFC.
    package var name: String
    /// An Argon2id hash in libsodium's text form.
    package var passwordHash: String
    /// Voluntary personal data.
    package var profile: Profile
    /// Whether the account's e-mail address was verified.
    package var verified: Bool
    /// Whether the account is an operator of this server.
    package var admin: Bool
    package let createdAt: Instant
    /// Increases by one with every edit; the entity tag.
    package var version: Int

    /// The voluntary personal data of an account. A nil field was not given.
    package struct Profile: Hashable, Sendable, Codable {
        /// `2001-05-20`.
        package var birthDate: String?
        package var phone: String?
        /// At most 20 texts of 1–50 characters each.
        package var interests: [String]?
        package var locale: String?
        /// As the person wrote it; 1–30 characters.
        package var gender: String?
        /// When the person accepted the operator's terms; nil if no terms were shown.
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

        /// Returns this profile with each field replaced that `newer` gives.
        package func updated(with newer: Profile) -> Profile {
            var updated = self
            updated.birthDate = newer.birthDate ?? birthDate
            updated.phone = newer.phone ?? phone
            updated.interests = newer.interests ?? interests
            updated.locale = newer.locale ?? locale
            updated.gender = newer.gender ?? gender
            updated.termsAcceptedAt = newer.termsAcceptedAt ?? termsAcceptedAt
            return updated
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

/// One token of a sign-in. Only its holder knows the token itself; the record has its hash.
package struct Token: Hashable, Sendable {
    /// An access token authorizes requests; a refresh token is exchanged once for a new pair.
    package enum Kind: String, Sendable, Codable { case access, refresh }

    /// 32 bytes.
    package let hash: [UInt8]
    package let accountID: AccountID
    package let kind: Kind
    /// The sign-in to which the token belongs: shared by an access token, its refresh token, and all their
    /// renewals.
    package let signIn: ID<Token>
    package let createdAt: Instant
    package let expiresAt: Instant
    /// The client's own description of itself, at most 100 characters.
    package let client: String
    /// Set when a refresh token has been exchanged for a new pair. The used token is stored until it expires,
    /// so that its reuse is noticed.
    package var use: Use?

    /// When a refresh token was used, and by which client.
    package struct Use: Hashable, Sendable {
        package let at: Instant
        /// A keyed hash of the headers that the client sends with each of its requests.
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

/// The rules for a password as a person types it.
package enum PasswordText {
    /// The number of characters of a new password.
    package static let length = 8...200
    /// The largest number of UTF-8 bytes of the composed form, about 340 Korean syllables: the limit of the
    /// password hasher.
    package static let mostBytes = 1024

    /// Returns the form that is hashed (NFC), because keyboards produce the same password composed or
    /// decomposed (RFC 8265 §4.2).
    package static func composed(_ typed: String) -> String { typed.precomposedStringWithCanonicalMapping }

    /// Returns whether the composed form has at most `mostBytes`. Composition removes at most three quarters
    /// of the bytes, so a text of more than four times the limit is rejected without composing it.
    package static func fits(_ typed: String) -> Bool {
        typed.utf8.count <= mostBytes
            || (typed.utf8.count <= 4 * mostBytes && composed(typed).utf8.count <= mostBytes)
    }
}
