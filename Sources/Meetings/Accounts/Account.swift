import UnicodeForms

/// An account of a person who can sign in. Attendees need no account.
package struct Account: Hashable, Sendable {
    package let id: AccountID
    /// The e-mail address, as the person wrote it; empty if the account has a phone number instead.
    package var email: String
    /// The phone number with which the person signs in (`PhoneNumber.normalized`); nil if the account has an
    /// e-mail address. `profile.phone` is only a text.
    package var phone: String?
    /// The person's name: 1–100 characters, NFC.
    package var name: String
    /// The Argon2id hash of the password, in libsodium's text form; empty if the account has no password.
    package var passwordHash: String
    /// The personal data that the person gave voluntarily.
    package var profile: Profile
    /// Whether the account's e-mail address or phone number was verified.
    package var verified: Bool
    /// Whether the account is an operator of this server.
    package var admin: Bool
    /// The moment when an operator suspended the account; nil if it is not suspended.
    package var suspendedAt: Instant?
    package let createdAt: Instant
    /// The account's version number, which is also its entity tag. Every edit increases it by one.
    package var version: Int

    package init(
        id: AccountID, email: String, name: String, passwordHash: String, profile: Profile = Profile(),
        verified: Bool = false,
        admin: Bool = false, suspendedAt: Instant? = nil, createdAt: Instant, version: Int = 1,
        phone: String? = nil
    ) {
        self.id = id
        self.email = email
        self.phone = phone
        self.name = name
        self.passwordHash = passwordHash
        self.profile = profile
        self.verified = verified
        self.admin = admin
        self.suspendedAt = suspendedAt
        self.createdAt = createdAt
        self.version = version
    }
}

extension Account {
    /// The state of an account. A withdrawn account is erased, so only its former tokens have this state
    /// (`Token.End`).
    package enum State: String, Sendable, Codable, CaseIterable {
        case unverified, active, suspended, withdrawn
    }

    /// The e-mail address, or the phone number of an account without one. `IdentityKey(address)` is unique
    /// among accounts.
    package var address: String { email.isEmpty ? phone ?? "" : email }

    package var state: State { suspendedAt != nil ? .suspended : verified ? .active : .unverified }
}

/// What happens, when an account is deleted, to the meetings that no other account owns.
package enum OwnMeetings: String, Sendable, CaseIterable {
    case delete
    /// A host of each meeting becomes its owner. A meeting without another host is deleted.
    case handOver
}

/// One token of a sign-in, or a named token, which is a sign-in of its own. Only the client knows the token
/// itself; this record holds the token's hash.
package struct Token: Hashable, Sendable {
    /// The kinds of tokens. An access token authorizes requests. A client exchanges a refresh token once for
    /// a new pair of tokens. A named token authorizes the requests that its limits allow, and is never
    /// renewed.
    package enum Kind: String, Sendable, Codable { case access, refresh, named }

    /// The hash of the token; 32 bytes.
    package let hash: [UInt8]
    package let accountID: AccountID
    package let kind: Kind
    /// The id of the sign-in. An access token, its refresh token, and all tokens that renew them have the
    /// same sign-in.
    package let signIn: ID<Token>
    package let createdAt: Instant
    package let expiresAt: Instant
    /// The name by which the client describes itself, or the name of a named token; at most 100 characters.
    package let client: String
    /// The IP address from which the client signed in or last renewed its tokens; empty if it is unknown.
    package let address: String
    /// What a named token may do; nil for the other kinds.
    package let limits: TokenLimits?
    /// The use of a refresh token; nil until a client exchanges the token for a new pair. The server stores a
    /// used token until it expires, so that the server notices a second use.
    package var use: Use?

    /// The moment at which a client used a refresh token, and the client's fingerprint.
    package struct Use: Hashable, Sendable {
        package let at: Instant
        /// A keyed hash of the headers that the client sends with each of its requests.
        package let client: [UInt8]

        package init(at: Instant, client: [UInt8]) {
            self.at = at
            self.client = client
        }
    }

    /// The reason why an operator or the owner ended all tokens of an account. The server stores it for the
    /// hash of each token until the token expires, so that the client learns the reason.
    package enum End: String, Sendable { case suspended, withdrawn }

    package init(
        hash: [UInt8], accountID: AccountID, kind: Kind, signIn: ID<Token>, createdAt: Instant,
        expiresAt: Instant, client: String, address: String = "",
        limits: TokenLimits? = nil, use: Use? = nil
    ) {
        self.hash = hash
        self.accountID = accountID
        self.kind = kind
        self.signIn = signIn
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.client = client
        self.address = address
        self.limits = limits
        self.use = use
    }
}

/// The rules for the passwords that people type. The list of well-known passwords is in `Wire`.
package enum PasswordText {
    /// The allowed number of characters of a new password.
    package static let length = 8...128
    /// The largest number of characters of a stored password. Older accounts may have one of this length.
    package static let mostCharacters = 200
    /// The largest number of UTF-8 bytes of a composed password. The password hasher accepts no more. About
    /// 340 Korean syllables have this size.
    package static let mostBytes = 1024

    /// Returns the password in NFC, which is the form that the server hashes. Keyboards produce the same
    /// password composed or decomposed (RFC 8265 §4.2).
    package static func composed(_ typed: String) -> String { typed.composed }

    /// Returns whether the composed form of the password has at most `mostBytes`. Composition removes at most
    /// three quarters of the bytes, so this function rejects a password of more than four times the limit
    /// without composing it.
    package static func fits(_ typed: String) -> Bool {
        typed.utf8.count <= mostBytes
            || (typed.utf8.count <= 4 * mostBytes && composed(typed).utf8.count <= mostBytes)
    }
    /// Returns whether the password is little more than the e-mail address: it contains the whole address, or
    /// the part before the @ makes up at least half of the password. Upper and lower case are equal.
    package static func contains(address: String, _ password: String) -> Bool {
        let (password, address) = (composed(password).lowercased(), composed(address).lowercased())
        guard let name = address.split(separator: "@").first, name.count >= 3 else { return false }
        return password.contains(address) || (password.contains(name) && name.count * 2 >= password.count)
    }
}
