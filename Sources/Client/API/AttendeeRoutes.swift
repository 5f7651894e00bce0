package import Wire

/// The proof that an attendee is at the session.
package enum CheckInKey: Hashable, Sendable {
    case code(String)
    case joinCode(String)
    case grant(String)
}

/// The request body of a check-in. The meeting needs an e-mail address, a number, or neither.
package struct NewCheckIn: Encodable, Sendable {
    package var code: String?
    package var joinCode: String?
    package var grant: String?
    package var name: String
    package var email: String?
    package var number: String?
    /// The number of the text that the attendee agrees to.
    package var consentNumber: Int?

    package init(_ key: CheckInKey, name: String, email: String? = nil, number: String? = nil) {
        switch key {
        case .code(let code): self.code = code
        case .joinCode(let code): joinCode = code
        case .grant(let token): grant = token
        }
        self.name = name
        self.email = email
        self.number = number
    }
}

extension APIClient {
    /// Exchanges a code for a grant. Clients do this before the attendee types a name, so that the code
    /// cannot expire meanwhile.
    package func grant(for key: CheckInKey) async throws(APIError) -> GrantBody {
        switch key {
        case .code(let code): try await post("/api/v1/grants", ["code": code])
        case .joinCode(let code): try await post("/api/v1/grants", ["joinCode": code])
        case .grant: throw .problem(Problem(code: .codeNotValid, in: language))
        }
    }

    /// Checks an attendee in. If the request is sent again with the same `idempotencyKey`, the server returns
    /// the first response.
    package func checkIn(_ checkIn: NewCheckIn, idempotencyKey: String) async throws(APIError) -> CheckInBody
    {
        try await post("/api/v1/check-ins", checkIn, headers: [("Idempotency-Key", idempotencyKey)])
    }

    /// Returns the attendee's own record. The bearer must be the attendee's receipt.
    package func ownRecord() async throws(APIError) -> OwnRecordBody {
        try await get("/api/v1/check-ins/current")
    }
}
