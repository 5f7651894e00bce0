package import Meetings

/// An account, as its owner and operators see it.
package struct AccountBody: Codable, Hashable, Sendable {
    package let id: AccountID
    /// The e-mail address; empty if the account signs in by phone.
    package let email: String
    package let name: String
    package let verified: Bool
    package let admin: Bool
    package let state: Account.State
    package private(set) var birthDate: String?
    /// The phone number with which the owner signs in, in the form of E.164; of another account, the text
    /// that the owner gave.
    package private(set) var phone: String?
    /// True if the owner signs in by codes to the phone, and has no password; nil otherwise, as from a server
    /// that knows no such accounts.
    package let signsInByPhone: Bool?
    package private(set) var interests: [String]?
    package let locale: String?
    package private(set) var gender: String?
    /// The name in groups of interest.
    package private(set) var nickname: String?
    /// Whether the form of groups of interest may begin with the nickname, the interests and the ages. Nil
    /// from a server that knows no such setting.
    package let searchable: Bool?
    /// The ages of the people who may find this person in groups of interest; nil for all ages.
    package private(set) var ageRange: AgeRange?
    /// Whether the person wants the mails of meetings. Nil from a server that knows no such setting.
    package let notifications: Bool?
    package let createdAt: Instant
    package let version: Int
    /// The handle of the code in the mail of a sign-up (`CodeSentBody`). Nil in every other answer, and if
    /// the sign-up sends no mail.
    package let codeHandle: String?

    package init(_ account: Account, codeHandle: String? = nil) {
        self.codeHandle = codeHandle
        id = account.id
        email = account.email
        name = account.name
        verified = account.verified
        admin = account.admin
        state = account.state
        birthDate = account.profile.birthDate
        phone = account.phone ?? account.profile.phone
        signsInByPhone = account.phone == nil ? nil : true
        interests = account.profile.interests
        locale = account.profile.locale
        gender = account.profile.gender
        nickname = account.profile.nickname
        searchable = account.profile.searchable ?? false
        ageRange = account.profile.ageRange
        notifications = account.profile.notifications ?? true
        createdAt = account.createdAt
        version = account.version
    }

    /// Hides the details that a program with a named token does not need.
    package mutating func hidePersonalDetails() {
        (birthDate, phone, interests, gender) = (nil, nil, nil, nil)
        (nickname, ageRange) = (nil, nil)
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
    /// The mark that the client shows at its next sign-in to this account; nil for a renewed sign-in.
    package var mark: String?

    package init(accessToken: String, expiresAt: Instant, refreshToken: String, verified: Bool) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.verified = verified
    }
}

/// The tokens of a sign-in by phone.
package struct PhoneTokenBody: Codable, Hashable, Sendable {
    package let accessToken: String
    package let expiresAt: Instant
    package let refreshToken: String
    /// Always true: the code has proved the number.
    package let verified: Bool
    /// Whether the number had no account before. A client then asks for the person's name.
    package let isNewAccount: Bool

    package init(_ token: TokenBody, isNewAccount: Bool) {
        accessToken = token.accessToken
        expiresAt = token.expiresAt
        refreshToken = token.refreshToken
        verified = token.verified
        self.isNewAccount = isNewAccount
    }

    /// The tokens, as `POST /api/v1/tokens` returns them.
    package var token: TokenBody {
        TokenBody(
            accessToken: accessToken, expiresAt: expiresAt, refreshToken: refreshToken, verified: verified)
    }
}

/// The conditions of a sign-up, for a person who wants to create an account.
package struct SignUpTermsBody: Codable, Hashable, Sendable {
    /// The sign-up mode: `open`, `invite` or `closed`.
    package let signUp: String
    /// What the sign-up page asks for: `short` or `full`.
    package let form: String
    /// Whether the server has never had an operator. The first account becomes an operator's account,
    /// whatever `signUp` is.
    package let isFirst: Bool
    /// Whether this client must send the set-up token to create the first account.
    package let needsSetupToken: Bool
    /// The number of interests that the operator requests.
    package let interestsWanted: Int
    /// Whether the server refuses fewer interests.
    package let interestsRequired: Bool
    /// The rules by which the page judges what a person types. The server applies the same.
    package let rules: AccountRulesBody
    /// The text of the terms. An empty line separates paragraphs.
    package let terms: String

    package init(
        signUp: String, form: String, isFirst: Bool, needsSetupToken: Bool, interestsWanted: Int,
        interestsRequired: Bool,
        terms: String, at now: Instant
    ) {
        self.signUp = signUp
        self.form = form
        self.isFirst = isFirst
        self.needsSetupToken = needsSetupToken
        self.interestsWanted = interestsWanted
        self.interestsRequired = interestsRequired
        rules = AccountRulesBody(at: now)
        self.terms = terms
    }
}

/// The rules for the fields of an account, made from the constants by which the server reads requests.
package struct AccountRulesBody: Codable, Hashable, Sendable {
    package let name: Length
    package let nickname: Length
    package let password: Length
    package let email: Email
    package let phone: Phone
    package let birthDate: Dates
    package let gender: Choices
    package let interests: Interests
    /// The ages that a range may contain.
    package let age: AgeRange

    /// Dates such as `2001-05-20`. Both ends are included.
    package struct Dates: Codable, Hashable, Sendable {
        package let min: String
        package let max: String
    }

    /// A number of characters. Both ends are included.
    package struct Length: Codable, Hashable, Sendable {
        package let min: Int
        package let max: Int
    }

    /// `pattern` is a pattern of ECMA-262 for the trimmed address. `complete` matches an address whose domain
    /// has a full stop: the server accepts others, but a page asks whether they are complete.
    package struct Email: Codable, Hashable, Sendable {
        package let pattern: String
        package let complete: String
        package let max: Int
    }

    /// The rule of `PhoneNumber`: compose (NFKC), remove what `ignored` matches, then try the forms.
    package struct Phone: Codable, Hashable, Sendable {
        package let ignored: String
        package let forms: [Form]
        package let max: Int

        package struct Form: Codable, Hashable, Sendable {
            package let pattern: String
            package let prefix: String
        }
    }

    package struct Choices: Codable, Hashable, Sendable { package let choices: [String] }

    /// The most interests, and the characters of an interest.
    package struct Interests: Codable, Hashable, Sendable {
        package let most: Int
        package let characters: Length
    }

    /// The latest birth date that the server accepts: the day that begins first anywhere on earth, as
    /// `2001-05-20`.
    package static func latestBirthDate(at now: Instant) -> String {
        WallTime(now + .hours(14), in: .utc).date.text
    }

    package init(at now: Instant) {
        name = Length(min: 1, max: 100)
        nickname = Length(min: 1, max: MatchPerson.mostCharacters.nickname)
        password = Length(min: PasswordText.length.lowerBound, max: PasswordText.length.upperBound)
        email = Email(pattern: EmailAddress.pattern, complete: #"@[^@]+\.[^@.]{2,}$"#, max: 254)
        phone = Phone(
            ignored: PhoneNumber.ignored,
            forms: PhoneNumber.forms.map { Phone.Form(pattern: $0.pattern, prefix: $0.prefix) },
            max: PhoneNumber.mostCharacters)
        birthDate = Dates(min: "1900-01-01", max: Self.latestBirthDate(at: now))
        gender = Choices(choices: Account.Profile.Gender.allCases.map(\.rawValue))
        let most = Account.Profile.mostInterests
        interests = Interests(most: most.count, characters: Length(min: 1, max: most.characters))
        age = .all
    }
}

/// A sign-in whose tokens are cookies.
package struct WebSignInBody: Codable, Hashable, Sendable {
    package let expiresAt: Instant
    package let verified: Bool
    /// Whether a sign-in by phone has created the account.
    package let isNewAccount: Bool

    package init(expiresAt: Instant, verified: Bool, isNewAccount: Bool = false) {
        self.expiresAt = expiresAt
        self.verified = verified
        self.isNewAccount = isNewAccount
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
    /// The name of a named token; absent for other sign-ins.
    package let name: String?
    /// What a named token may do; absent for other sign-ins.
    package let access: TokenLimits.Access?
    /// The only meeting of a named token; absent for other sign-ins, and if it opens all meetings.
    package let meetingId: MeetingID?

    package init(_ token: Token, current: Bool) {
        name = token.limits.map { _ in token.client }
        access = token.limits?.access
        meetingId = token.limits?.meeting
        id = token.signIn.text
        client = token.client
        address = token.address
        signedInAt = token.signIn.madeAt
        createdAt = token.createdAt
        expiresAt = token.expiresAt
        self.current = current
    }
}
