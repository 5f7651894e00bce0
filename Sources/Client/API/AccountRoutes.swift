package import Meetings
package import Wire

/// The request body of a sign-up. Its `description` does not contain the password.
package struct NewAccount: Encodable, Sendable, CustomStringConvertible {
    package var email: String
    package var password: String
    package var name: String
    package var locale: String?
    /// The invitation that an operator issued. Needed if the server allows sign-up only by invitation.
    package var invitation: String?
    /// The set-up token. Needed for the first account of a server.
    package var setupToken: String?
    package var birthDate: String?
    package var phone: String?
    package var gender: String?
    package var interests: [String]?

    package init(
        email: String, password: String, name: String, locale: String? = nil, invitation: String? = nil,
        setupToken: String? = nil
    ) {
        self.email = email
        self.password = password
        self.name = name
        self.locale = locale
        self.invitation = invitation
        self.setupToken = setupToken
    }

    package var description: String { "account of \(email)" }
}

/// The request body of a change to the caller's account. A nil field does not change.
package struct AccountChange: Encodable, Hashable, Sendable {
    package var name: String?
    package var nickname: String?
    package var birthDate: String?
    package var phone: String?
    package var gender: String?
    package var interests: [String]?
    package var searchable: Bool?
    package var ageRange: AgeRange?
    package var notifications: Bool?
    /// The fields that become empty: the request sends null.
    package var cleared: Set<Account.Profile.Field> = []

    package init() {}

    private enum Key: String, CodingKey {
        case name, nickname, birthDate, phone, gender, interests, searchable, ageRange, notifications
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encodeIfPresent(name, forKey: .name)
        try fields.encodeIfPresent(nickname, forKey: .nickname)
        try fields.encodeIfPresent(birthDate, forKey: .birthDate)
        try fields.encodeIfPresent(phone, forKey: .phone)
        try fields.encodeIfPresent(gender, forKey: .gender)
        try fields.encodeIfPresent(interests, forKey: .interests)
        try fields.encodeIfPresent(searchable, forKey: .searchable)
        try fields.encodeIfPresent(ageRange, forKey: .ageRange)
        try fields.encodeIfPresent(notifications, forKey: .notifications)
        for field in cleared {
            guard let key = Key(rawValue: field.rawValue) else { continue }
            try fields.encodeNil(forKey: key)
        }
    }
}

/// A code that a person typed, with the handle of its message if the client knows the handle.
package struct TypedCode: Hashable, Sendable {
    package let code: String
    package let handle: String?

    package init(_ code: String, handle: String? = nil) {
        self.code = code
        self.handle = handle
    }

    fileprivate func fields(_ others: [String: String] = [:]) -> [String: String] {
        var fields = others
        (fields["code"], fields["handle"]) = (code, handle)
        return fields
    }
}

/// The proof that the owner of an account wants to delete it.
package enum DeletionProof: Hashable, Sendable {
    case password(String)
    /// A code on the account's phone.
    case code(TypedCode)

    fileprivate var fields: [String: String] {
        switch self {
        case .password(let password): ["password": password]
        case .code(let code): code.fields()
        }
    }
}

extension APIClient {
    /// Returns who can sign up.
    package func signUpTerms() async throws(APIError) -> SignUpTermsBody { try await get("/host/sign-up") }

    /// Creates an account, and returns it. The caller is not signed in by this.
    package func signUp(_ account: NewAccount) async throws(APIError) -> AccountBody {
        try await post("/api/v1/accounts", account)
    }

    /// Invites an e-mail address to sign up. Only operators may call this route.
    package func invite(email: String) async throws(APIError) -> InvitationBody {
        try await post("/api/v1/invitations", ["email": email])
    }

    /// Whether no account has this e-mail address.
    package func isAvailable(email: String) async throws(APIError) -> Bool {
        let body: AvailabilityBody = try await get("/api/v1/accounts/availability", ["email": email])
        return body.available
    }

    /// Requests a code by mail that verifies an e-mail address.
    package func requestVerification(email: String) async throws(APIError) -> CodeSentBody {
        try await post("/api/v1/accounts/verifications", ["email": email])
    }

    /// Verifies an e-mail address by the code from the mail.
    package func verify(email: String, _ code: TypedCode) async throws(APIError) {
        _ = try await send(
            APICall("PUT", "/api/v1/accounts/verifications", body: code.fields(["email": email])))
    }

    /// Requests a code by mail for a new password.
    package func requestPasswordReset(email: String) async throws(APIError) -> CodeSentBody {
        try await post("/api/v1/accounts/password-resets", ["email": email])
    }

    /// Sets a new password by the code from the mail. All sign-ins of the account end.
    package func resetPassword(email: String, _ code: TypedCode, to password: String) async throws(APIError) {
        let body = code.fields(["email": email, "password": password])
        _ = try await send(APICall("PUT", "/api/v1/accounts/password-resets", body: body))
    }

    /// Signs an account in, and returns a pair of tokens.
    /// - Parameters:
    ///   - client: a name for this client in the list of sign-ins, such as the machine's name.
    ///   - mark: the mark of this client's last sign-in to the account.
    package func signIn(email: String, password: String, client: String?, mark: String? = nil)
        async throws(APIError) -> TokenBody
    {
        struct SignIn: Encodable {
            let email: String
            let password: String
            let client: String?
            let mark: String?
        }
        // After wrong passwords from the same address, the server answers up to 40 s later.
        var patient = self
        patient.timeout = max(timeout, .seconds(60))
        return try await patient.post(
            "/api/v1/tokens", SignIn(email: email, password: password, client: client, mark: mark))
    }

    /// Requests a code on a phone.
    package func requestPhoneCode(phone: String) async throws(APIError) -> CodeSentBody {
        try await post("/api/v1/phone-tokens", ["phone": phone])
    }

    /// Signs a person in by the code on the phone. A number without an account gets one.
    /// - Parameter name: the name of a new account.
    package func signIn(phone: String, _ code: TypedCode, name: String?, client: String?)
        async throws(APIError) -> PhoneTokenBody
    {
        var body = code.fields(["phone": phone])
        (body["name"], body["client"]) = (name, client)
        let call = APICall("PUT", "/api/v1/phone-tokens", body: body)
        return try decode(PhoneTokenBody.self, from: try await send(call))
    }

    /// Exchanges a refresh token for a new pair of tokens. If the same refresh token is sent again within a
    /// minute, the server returns the same pair.
    func refreshed(_ refreshToken: String) async throws(APIError) -> TokenBody {
        try await post("/api/v1/tokens/refresh", ["refreshToken": refreshToken])
    }

    /// Ends the sign-in whose token the client sends.
    package func signOut() async throws(APIError) {
        _ = try await send(APICall("DELETE", "/api/v1/tokens/current"))
    }

    /// Returns the caller's sign-ins on all clients, newest first.
    package func signIns() async throws(APIError) -> [SignInBody] { try await all("/api/v1/tokens") }

    /// Ends one of the caller's sign-ins, on whichever client it is.
    package func endSignIn(_ id: String) async throws(APIError) {
        _ = try await send(APICall("DELETE", "/api/v1/tokens/\(id)"))
    }

    /// Deletes the caller's account.
    /// - Parameters:
    ///   - proof: the account's password, or a code on its phone.
    ///   - confirm: the account's address, if meetings would be deleted.
    package func deleteAccount(
        proof: DeletionProof, handingOver: Bool, confirm: String?
    ) async throws(APIError) {
        var body = proof.fields
        body["meetings"] = handingOver ? "handOver" : "delete"
        _ = try await send(APICall("DELETE", "/api/v1/me", ["confirm": confirm], body: body))
    }

    /// Changes the caller's account, and returns the new version.
    package func editAccount(_ change: AccountChange, seen: Seen) async throws(APIError) -> AccountBody {
        let call = APICall("PATCH", "/api/v1/me", body: change).editing(seen)
        return try decode(AccountBody.self, from: try await send(call))
    }

    /// Returns the caller's account.
    package func me() async throws(APIError) -> AccountBody { try await get("/api/v1/me") }
}
