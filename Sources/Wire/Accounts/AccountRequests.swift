package import Meetings

/// The name of the file in a server's data folder that contains the set-up token for the first account.
package let setupTokenFileName = "setup-token"

/// The request that creates an account.
package struct SignUpRequest: Readable, Sendable {
    package let email: String
    package let password: String
    package let name: String
    package let profile: Account.Profile
    /// The invitation from an operator. It is required if the server accepts only invited people.
    package let invitation: String?
    /// The set-up token for the operator's account. The server prints the token at its first start.
    package let setupToken: String?
    /// Whether the person accepted the operator's terms.
    package let termsAccepted: Bool

    package init(reading fields: Fields) {
        email = fields.email("email", required: true) ?? ""
        password = fields.newPassword("password", required: true, of: email) ?? ""
        name = fields.name("name", required: true) ?? ""
        profile = Account.Profile(reading: fields)
        invitation = fields.text("invitation", 1...200)
        setupToken = fields.text("setupToken", 1...100)
        termsAccepted = fields.bool("termsAccepted") ?? false
    }
}

/// The request that invites an e-mail address to sign up.
package struct InviteRequest: Readable, Sendable {
    package let email: String

    package init(reading fields: Fields) { email = fields.email("email", required: true) ?? "" }
}

/// The request that signs a user in. `client` names the device in the list of sign-ins. `mark` is that of an
/// earlier sign-in to this account; the server ignores one that it does not know.
package struct SignInRequest: Readable, Sendable {
    package let email: String
    package let password: String
    package let client: String
    package let mark: String?

    package init(reading fields: Fields) {
        email = fields.email("email", required: true) ?? ""
        password = fields.password("password", required: true) ?? ""
        client = fields.name("client") ?? ""
        mark = fields.text("mark", 1...200)
    }
}

/// The request that exchanges a refresh token for a new access token and a new refresh token.
package struct RefreshRequest: Readable, Sendable {
    package let refreshToken: String

    package init(reading fields: Fields) {
        refreshToken = fields.text("refreshToken", required: true, 1...200) ?? ""
    }
}

/// The request that edits the caller's account. Absent fields keep their values. Null empties a field that
/// `Account.Profile.Field` names.
package struct EditAccountRequest: Readable, Sendable {
    package let name: String?
    package let password: String?
    /// The present password. It is required to set a new password.
    package let currentPassword: String?
    package let profile: Account.Profile
    package let cleared: Set<Account.Profile.Field>

    package init(reading fields: Fields) {
        name = fields.name("name")
        password = fields.newPassword("password")
        currentPassword = fields.password("currentPassword")
        profile = Account.Profile(reading: fields)
        cleared = Set(Account.Profile.Field.allCases.filter { fields.isNull($0.rawValue) })
        if password != nil, !fields.has("currentPassword") { fields.fail("currentPassword", .missing) }
    }
}

/// The request that deletes the caller's account.
package struct WithdrawRequest: Readable, Sendable {
    /// The proof that the owner wants it: the password, or a code that was sent to the account's phone.
    package enum Proof: Sendable {
        case password(String)
        case code(String, handle: String?)
    }

    package let proof: Proof
    /// What happens to the meetings that only this account owns; `delete` unless the request says more.
    package let meetings: OwnMeetings

    package init(reading fields: Fields) {
        let (password, code) = (fields.password("password"), fields.text("code", 1...100))
        switch (fields.has("password"), fields.has("code")) {
        case (true, true): fields.fail("code", .notTogether(with: "password"))
        case (false, false): fields.fail("password", .missing)
        default: break
        }
        let handle = fields.text("handle", 1...100)
        proof = code.map { Proof.code($0, handle: handle) } ?? .password(password ?? "")
        meetings = fields.choice("meetings", of: OwnMeetings.self) ?? .delete
    }
}

extension Account.Profile {
    fileprivate init(reading fields: Fields) {
        self.init(
            birthDate: fields.date("birthDate"), phone: fields.phoneNumber("phone"),
            interests: fields.names(
                "interests", 0...Self.mostInterests.count, characters: Self.mostInterests.characters),
            locale: fields.name("locale", most: 35),
            gender: fields.name("gender", most: Self.mostGenderCharacters),
            nickname: fields.name("nickname", most: MatchPerson.mostCharacters.nickname),
            searchable: fields.bool("searchable"),
            ageRange: fields.object("ageRange", as: AgeRangeRequest.self)?.range,
            notifications: fields.bool("notifications"))
    }
}

/// A range of ages in years, with both ends.
package struct AgeRangeRequest: Readable, Sendable {
    package let range: AgeRange

    package init(reading fields: Fields) {
        let min = fields.integer("min", required: true, AgeRange.allowed) ?? AgeRange.all.min
        let max = fields.integer("max", required: true, AgeRange.allowed) ?? AgeRange.all.max
        if min > max { fields.fail("max", .range(min: min, max: AgeRange.all.max)) }
        range = AgeRange(min: min, max: Swift.max(min, max))
    }
}
