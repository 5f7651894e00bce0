import HTTPServer
import Journal
import Meetings
import Phrases
import Secrets
import Wire

/// The handlers that send and check codes: by mail for the verification of an e-mail address and for a new
/// password, to a phone for a sign-in.
///
/// A client learns nothing about the existence of an account: each address gets the same answers, and the
/// commands do the same work (`AccountCode`).
enum AccountCodes {
    static func requestVerification(_ context: RequestContext, _ request: CodeRequest) async throws
        -> HTTPResponse
    {
        try await send(.verification, to: request.email, context)
    }

    static func requestReset(_ context: RequestContext, _ request: CodeRequest) async throws -> HTTPResponse {
        try await send(.passwordReset, to: request.email, context)
    }

    private static func send(
        _ purpose: AccountCode.Purpose, to address: String, _ context: RequestContext
    ) async throws -> HTTPResponse {
        try await context.countCodeRequest(on: purpose.channel)
        let handle = RandomToken()
        let outcome = try await context.storage.perform(
            RequestAccountCode(
                purpose, to: address, handle: handle, language: context.language,
                opensAccounts: purpose == .phoneSignIn && context.services.settings.signUp == .open,
                context.services.keys))
        let (lifetime, pause) = (AccountCode.lifetime.components, AccountCode.pause.components)
        return .json(
            CodeSentBody(
                expiresInSeconds: Int(lifetime.seconds), pauseSeconds: Int(pause.seconds),
                nextMessageAt: outcome.nextMessageAt, handle: outcome.isNew ? handle.text : nil),
            status: 202)
    }

    static func verify(_ context: RequestContext, _ request: VerifyRequest) async throws -> HTTPResponse {
        let claim = AccountCode.Claim(
            request.code, request.handle, for: .verification, of: request.email, context.services.keys)
        try await context.prove(VerifyAddress(claim))
        return .json(VerifiedBody(verified: true))
    }

    static func reset(_ context: RequestContext, _ request: ResetPasswordRequest) async throws -> HTTPResponse
    {
        let claim = AccountCode.Claim(
            request.code, request.handle, for: .passwordReset, of: request.email, context.services.keys)
        try await context.prove(CheckAccountCode(claim))
        let hash = try await context.services.passwords.hash(Password(request.password).text)
        try await context.prove(ResetPasswordByCode(claim, hash: hash.encoded))
        // The person owns the address. So this browser signs in at once, even if strangers behind the same
        // address guess passwords.
        let key = IdentityKey(request.email)
        let account = try await context.storage.read { rows throws(JournalError) in
            try rows.account(email: key)
        }
        var response = HTTPResponse.noContent
        if context.isSameOrigin,
            let mark = account.flatMap({ SignInMark.make(for: $0, context.services.keys) })
        {
            response.headers.append(context.cookie(adding: mark))
        }
        return response
    }

    // MARK: Phones

    static func requestPhoneCode(_ context: RequestContext, _ request: PhoneCodeRequest) async throws
        -> HTTPResponse
    {
        try await send(.phoneSignIn, to: request.phone, context)
    }

    static func signInByPhone(_ context: RequestContext, _ request: PhoneSignInRequest) async throws
        -> HTTPResponse
    {
        .json(try await begun(context, request), status: 201)
    }

    /// Signs a person in by the code on the phone.
    /// - Throws: `confirmation_code_not_valid`, or 429 after too many wrong codes.
    static func begun(_ context: RequestContext, _ request: PhoneSignInRequest) async throws -> PhoneTokenBody
    {
        let claim = AccountCode.Claim(
            request.code, request.handle, for: .phoneSignIn, of: request.phone, context.services.keys)
        let (access, refresh) = (RandomToken(), RandomToken())
        let begun = try await context.storage.perform(
            BeginPhoneSignIn(
                phone: request.phone, claim, name: request.name, language: context.language.rawValue,
                tokens: .init(
                    access: access.storedHash, refresh: refresh.storedHash,
                    accessLifetime: context.services.settings.accessTokenLifetime,
                    refreshLifetime: SignIns.refreshTokenLifetime, client: request.client,
                    address: context.client)))
        guard let begun else { throw context.wrongCode() }
        let token = TokenBody(
            access, refresh, expiresAt: begun.expiresAt, verified: begun.account.verified)
        return PhoneTokenBody(token, isNewAccount: begun.isNewAccount)
    }
}

extension RequestContext {
    /// Performs a command that returns whether a proof was right.
    /// - Throws: `confirmation_code_not_valid` if it was wrong. 429 after too many wrong proofs from the
    ///   client's address; a right proof is always accepted.
    func prove<Check: Command>(_ command: Check) async throws where Check.Answer == Bool {
        guard try await storage.perform(command) else {
            throw wrongCode()
        }
    }

    fileprivate func wrongCode() -> any Error {
        wrong("code from \(origin)", FailureLimits.code, .confirmationCodeNotValid)
    }
}

extension AccountCode.Claim {
    /// - Parameters:
    ///   - typed: six digits, also with spaces between them; or the token of the mail's link.
    ///   - handle: the handle of the code's request; nil if the client has none. A malformed handle is an
    ///     unknown one.
    init(
        _ typed: String, _ handle: String?, for purpose: AccountCode.Purpose, of address: String, _ keys: Keys
    ) {
        let subject = keys.codeSubject(of: address)
        let trimmed = typed.filter { !$0.isWhitespace }
        let proof: AccountCode.Proof =
            if let token = RandomToken(text: trimmed) {
                .link(token.storedHash)
            } else {
                .code(keys.mac(ofCode: trimmed, for: purpose, in: subject))
            }
        self.init(
            subject: subject, purpose: purpose,
            handle: handle.map { RandomToken(text: $0)?.storedHash ?? [] }, proof: proof)
    }
}

extension RequestAccountCode {
    /// Makes the request with a new random code and a new link.
    init(
        _ purpose: AccountCode.Purpose, to recipient: String, handle: RandomToken = RandomToken(),
        language: Language, opensAccounts: Bool = false, _ keys: Keys
    ) {
        // `Int.random` uses the system's generator, which is suitable for secrets.
        let digits = String(Int.random(in: 0..<1_000_000))
        let code = String(repeating: "0", count: 6 - digits.count) + digits
        let token = RandomToken()
        let subject = keys.codeSubject(of: recipient)
        let view = purpose == .verification ? "verify" : "reset"
        let address = PercentCoding.encode(recipient)
        self.init(
            purpose: purpose, to: recipient, opensAccounts: opensAccounts, subject: subject,
            handle: handle.storedHash, code: code,
            codeMAC: keys.mac(ofCode: code, for: purpose, in: subject), linkHash: token.storedHash,
            // The part after `#` reaches no server and no log.
            path: "/host#/\(view)/\(address)/\(token.text)", language: language.rawValue)
    }
}

extension Keys {
    fileprivate func codeSubject(of address: String) -> [UInt8] {
        accountCode.mac([0] + Array(IdentityKey(address).text.utf8), length: 16)
    }

    /// Returns the MAC of a code. Without the key, a stolen database would reveal the six digits.
    fileprivate func mac(ofCode code: String, for purpose: AccountCode.Purpose, in subject: [UInt8])
        -> [UInt8]
    {
        accountCode.mac([1, purpose.rawValue] + subject + Array(code.utf8), length: 16)
    }
}
