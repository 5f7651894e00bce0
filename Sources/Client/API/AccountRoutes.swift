package import Wire

/// What signing up sends. No password is part of any description of it.
package struct NewAccount: Encodable, Sendable, CustomStringConvertible {
    package var email: String
    package var password: String
    package var name: String
    package var locale: String?
    /// What an operator gave, where sign-up is by invitation.
    package var invitation: String?
    /// The set-up token, which the first account of a server needs.
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
    package func signUp(_ account: NewAccount) async throws(APIError) -> AccountBody {
        try await post("/api/v1/accounts", account)
    }

    /// For operators: lets an address sign up.
    package func invite(email: String) async throws(APIError) -> InvitationBody {
        try await post("/api/v1/invitations", ["email": email])
    }

    package func isAvailable(email: String) async throws(APIError) -> Bool {
        let body: AvailabilityBody = try await get("/api/v1/accounts/availability", ["email": email])
        return body.available
    }

    /// - Parameter client: what the list of sign-ins shows, such as the machine's name.
    package func signIn(email: String, password: String, client: String?) async throws(APIError) -> TokenBody
    {
        struct SignIn: Encodable {
            let email: String
            let password: String
            let client: String?
        }
        return try await post("/api/v1/tokens", SignIn(email: email, password: password, client: client))
    }

    /// Exchanges the refresh token for the next pair. Within a minute the server returns the same pair again.
    func refreshed(_ refreshToken: String) async throws(APIError) -> TokenBody {
        try await post("/api/v1/tokens/refresh", ["refreshToken": refreshToken])
    }

    package func signOut() async throws(APIError) {
        _ = try await send(APICall("DELETE", "/api/v1/tokens/current"))
    }

    package func signIns() async throws(APIError) -> [SignInBody] { try await all("/api/v1/tokens") }

    package func me() async throws(APIError) -> AccountBody { try await get("/api/v1/me") }
}
