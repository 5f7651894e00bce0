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

extension APIClient {
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

    /// Signs an account in, and returns a pair of tokens.
    /// - Parameter client: a name for this client in the list of sign-ins, such as the machine's name.
    package func signIn(email: String, password: String, client: String?) async throws(APIError) -> TokenBody
    {
        struct SignIn: Encodable {
            let email: String
            let password: String
            let client: String?
        }
        return try await post("/api/v1/tokens", SignIn(email: email, password: password, client: client))
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

    /// Returns the caller's account.
    package func me() async throws(APIError) -> AccountBody { try await get("/api/v1/me") }
}
