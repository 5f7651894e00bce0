package import Wire

/// What proves that somebody was at the session.
package enum CheckInKey: Hashable, Sendable {
    case code(String)
    case joinCode(String)
    case grant(String)
}

package struct NewCheckIn: Encodable, Sendable {
    package var code: String?
    package var joinCode: String?
    package var grant: String?
    package var name: String
    package var email: String?
    package var number: String?

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
    /// Exchanges a code at once, so that slow typing never outlives it.
    package func grant(for key: CheckInKey) async throws(APIError) -> GrantBody {
        switch key {
        case .code(let code): try await post("/api/v1/grants", ["code": code])
        case .joinCode(let code): try await post("/api/v1/grants", ["joinCode": code])
        case .grant: throw .problem(Problem(code: .codeNotValid, in: language))
        }
    }

    /// Sent again with the same key, it gives the first answer.
    package func checkIn(_ checkIn: NewCheckIn, idempotencyKey: String) async throws(APIError) -> CheckInBody
    {
        try await post("/api/v1/check-ins", checkIn, headers: [("Idempotency-Key", idempotencyKey)])
    }

    /// With a receipt as the bearer.
    package func ownRecord() async throws(APIError) -> OwnRecordBody {
        try await get("/api/v1/check-ins/current")
    }
}
