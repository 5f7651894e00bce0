import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// The handlers that begin, renew and end sign-ins.
enum SignIns {
    static let refreshTokenLifetime = Duration.hours(24 * 90)

    static func signIn(_ context: RequestContext, _ request: SignInRequest) async throws -> HTTPResponse {
        let marks = request.mark.map { [$0] } ?? []
        return .json(try await begun(context, request, marks: marks), status: 201)
    }

    /// Signs a user in and returns the tokens and a mark for the next sign-in.
    /// - Parameter marks: the marks that the client has shown.
    /// - Throws: `wrong_credentials`, or 429 if too many passwords wait.
    static func begun(_ context: RequestContext, _ request: SignInRequest, marks: [String]) async throws
        -> TokenBody
    {
        let keys = context.services.keys
        var (body, account, hash) = try await context.withPassword(
            request.password, of: request.email, marks: marks
        ) { account, hash in
            (try await begin(account, checked: hash, client: request.client, context), account, hash)
        }
        if let new = try await renew(hash, of: account, password: request.password, context) {
            account.passwordHash = new
        }
        let known = marks.first { SignInMark.id(of: $0, for: account, keys) != nil }
        body.mark = known ?? SignInMark.make(for: account, keys)
        return body
    }

    private static func begin(
        _ account: Account, checked: PasswordHash, client: String, _ context: RequestContext
    ) async throws -> TokenBody {
        let (access, refresh) = (RandomToken(), RandomToken())
        try context.count(ChangeLimits.unitsOfSignIn, of: account.id)
        // The password was hashed since the request arrived; a sign-in begins now.
        let now = context.services.clock.now
        let signIn = ID<Token>.make(at: now)
        func token(_ token: RandomToken, _ kind: Token.Kind, _ lifetime: Duration) -> Token {
            Token(
                hash: token.storedHash, accountID: account.id, kind: kind, signIn: signIn, createdAt: now,
                expiresAt: now + lifetime,
                client: client, address: context.client)
        }
        let lifetime = context.services.settings.accessTokenLifetime
        try await context.storage.perform(
            BeginSignIn(
                access: token(access, .access, lifetime),
                refresh: token(refresh, .refresh, refreshTokenLifetime), checked: checked.encoded)
        )
        return TokenBody(access, refresh, expiresAt: now + lifetime, verified: account.verified)
    }

    /// Hashes the password again if the cost of the stored hash differs from the server's settings, and
    /// returns the new hash.
    private static func renew(
        _ hash: PasswordHash, of account: Account, password typed: String, _ context: RequestContext
    ) async throws -> String? {
        guard hash.needsRenewal(for: context.services.passwords.cost) else { return nil }
        let new = try await context.services.passwords.hash(Password(typed).text, .known)
        try await context.storage.perform(
            RenewPasswordHash(account: account.id, from: hash.encoded, to: new.encoded))
        return new.encoded
    }

    // MARK: Renewing

    static func refresh(_ context: RequestContext, _ request: RefreshRequest) async throws -> HTTPResponse {
        .json(try await renewed(context, refreshToken: request.refreshToken), status: 201)
    }

    /// The highest number of later renewals that a repeated refresh token can follow to the newest token.
    private static let mostUnits = 10

    /// Returns the access token and the refresh token that follow a refresh token. Both are derived from the
    /// old token under a key of the server. A client that lost an answer therefore receives the same tokens
    /// again, and the server stores no token in clear text.
    /// - Throws: `wrong_credentials` if the token is unknown. `sign_in_ended` if the token was used before
    ///   (`RenewSignIn`); the sign-in and its rooms then end. `account_suspended` or `account_withdrawn` if
    ///   the token ended with its account.
    static func renewed(_ context: RequestContext, refreshToken: String) async throws -> TokenBody {
        guard var token = BearerToken.token(refreshToken, prefix: BearerToken.refresh) else {
            throw context.forged(.wrongCredentials)
        }
        let hash = token.storedHash
        // Unknown tokens are rejected here, so that they do not occupy the writer.
        let known = try await context.storage.read { rows throws(JournalError) in
            if let end = try rows.tokenEnd(hash: hash) { throw .refused(end.refusal) }
            return try rows.token(hash: hash)
        }
        guard let known, known.kind == .refresh else { throw context.forged(.wrongCredentials) }
        let client = context.clientMark(in: known.signIn)
        let key = context.services.keys.renewal
        for _ in 1...mostUnits {
            let (access, refresh) = (token.derived(by: key, purpose: 0), token.derived(by: key, purpose: 1))
            let outcome = try await context.storage.perform(
                RenewSignIn(
                    presented: token.storedHash, nextAccess: access.storedHash,
                    nextRefresh: refresh.storedHash, client: client, address: context.client,
                    accessLifetime: context.services.settings.accessTokenLifetime,
                    refreshLifetime: refreshTokenLifetime))
            switch outcome {
            case .renewed(let expiresAt, let verified):
                return TokenBody(access, refresh, expiresAt: expiresAt, verified: verified)
            case .goOn: token = refresh
            case .reused: throw Refusal.signInEnded
            }
        }
        throw Refusal.wrongCredentials
    }

    // MARK: Named tokens

    static func createNamedToken(_ context: RequestContext, _ request: NamedTokenRequest) async throws
        -> HTTPResponse
    {
        let now = context.now
        let expiresAt = request.expiresAt ?? now + TokenLimits.standardLifetime
        guard expiresAt > now, expiresAt <= now + TokenLimits.longestLifetime else {
            throw Refusal.invalid([FieldError("/expiresAt", .notALifetime(maxDays: TokenLimits.longestDays))])
        }
        let secret = RandomToken()
        let token = Token(
            hash: secret.storedHash, accountID: context.accountID, kind: .named, signIn: .make(at: now),
            createdAt: now, expiresAt: expiresAt, client: request.name, address: context.client,
            limits: TokenLimits(access: request.access, meeting: request.meetingId))
        try await context.storage.perform(CreateNamedToken(token: token))
        return .json(NamedTokenBody(token, secret: BearerToken.access + secret.text), status: 201)
    }

    // MARK: Ending

    static func signOut(_ context: RequestContext) async throws -> HTTPResponse {
        guard let token = context.caller.token else { throw RequestError(.notSignedIn) }
        try await context.storage.perform(EndSignIn(signIn: token.signIn))
        return .noContent
    }

    static func end(_ context: RequestContext) async throws -> HTTPResponse {
        let signIn = try context.id(Token.self, .token)
        try await context.storage.perform(EndOwnSignIn(account: context.accountID, signIn: signIn))
        return .noContent
    }

    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.accountID
        let now = context.now
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.signIns(of: id).filter { $0.expiresAt > now }
        }
        let current = context.caller.token?.signIn
        return .json(
            Page(items: found.map { SignInBody($0, current: $0.signIn == current) }, nextCursor: nil))
    }
}

extension RequestContext {
    /// Returns a keyed hash of the sign-in and the client's `User-Agent`. The hash does not cover the
    /// client's IP address, because phones often lose answers while they change networks.
    fileprivate func clientMark(in signIn: ID<Token>) -> [UInt8] {
        var message = SignedBytes()
        message.put(2 as UInt8)
        message.put(signIn)
        message.put(Array((request.headers.first("user-agent") ?? "").utf8))
        return services.keys.renewal.mac(message.bytes, length: 16)
    }
}

extension TokenBody {
    init(_ access: RandomToken, _ refresh: RandomToken, expiresAt: Instant, verified: Bool) {
        self.init(
            accessToken: BearerToken.access + access.text, expiresAt: expiresAt,
            refreshToken: BearerToken.refresh + refresh.text,
            verified: verified)
    }
}

/// The handlers of sign-ins on the host's page. The tokens are cookies that scripts cannot read.
///
/// A browser sends a cookie with requests from any site. These handlers therefore accept requests only from a
/// page of this server. Otherwise another site could sign a visitor in to somebody else's account.
enum WebSignIns {
    static let renewalPath = "/host/renew"
    static let signInPath = "/host/sign-in"

    static func signIn(_ context: RequestContext, _ request: SignInRequest) async throws -> HTTPResponse {
        try context.requireOwnPage()
        let token = try await SignIns.begun(context, request, marks: context.signInMarks)
        var response = answer(token, context)
        if let mark = token.mark { response.headers.append(context.cookie(adding: mark)) }
        return response
    }

    static func signInByPhone(_ context: RequestContext, _ request: PhoneSignInRequest) async throws
        -> HTTPResponse
    {
        try context.requireOwnPage()
        let begun = try await AccountCodes.begun(context, request)
        return answer(begun.token, isNewAccount: begun.isNewAccount, context)
    }

    static func renew(_ context: RequestContext) async throws -> HTTPResponse {
        try context.requireOwnPage()
        guard let token = context.cookie(Cookies.renewal) else { throw RequestError(.notSignedIn) }
        return answer(try await SignIns.renewed(context, refreshToken: token), context)
    }

    static func signOut(_ context: RequestContext) async throws -> HTTPResponse {
        var response = try await SignIns.signOut(context)
        response.headers += cookies(access: "", refresh: "", seconds: (0, 0), context)
        return response
    }

    private static func answer(
        _ token: TokenBody, isNewAccount: Bool = false, _ context: RequestContext
    ) -> HTTPResponse {
        let seconds = Int(token.expiresAt.since(context.now).components.seconds)
        return .json(
            WebSignInBody(
                expiresAt: token.expiresAt, verified: token.verified, isNewAccount: isNewAccount),
            status: 201,
            headers: cookies(
                access: token.accessToken, refresh: token.refreshToken,
                seconds: (seconds, Int(SignIns.refreshTokenLifetime.components.seconds)), context)
                + (KnownBrowser.cookie(context).map { [(name: "Set-Cookie", value: $0)] } ?? []))
    }

    private static func cookies(
        access: String, refresh: String, seconds: (access: Int, refresh: Int), _ context: RequestContext
    ) -> [(name: String, value: String)] {
        let secure = context.address.isSecure
        return [
            ("Set-Cookie", Cookies.set(Cookies.signIn, access, seconds: seconds.access, secure: secure)),
            (
                "Set-Cookie",
                Cookies.set(
                    Cookies.renewal, refresh, path: renewalPath, seconds: seconds.refresh, secure: secure)
            ),
        ]
    }
}

extension RequestContext {
    func requireOwnPage() throws {
        guard isSameOrigin else { throw RequestError(.originNotAllowed) }
    }
}

/// A password in the composed form of Unicode, because some keyboards send the same password composed and
/// others decomposed (RFC 8265 §4.2).
struct Password {
    let text: Redacted<String>

    init(_ typed: String) { text = Redacted(PasswordText.composed(typed)) }
}

extension RequestContext {
    /// The highest number of checks of one password, if the stored hash changes during a check.
    private static let mostChecks = 3

    /// Checks a password, and then calls `act` with the account and the stored hash that matches the
    /// password.
    ///
    /// A client that is signed in, or that shows a mark of an earlier sign-in to this account, has a count of
    /// its own, and is checked at once. All others wait in the line of the account and their address. So
    /// attackers at another address, or in the same hall, cannot lock the host out.
    ///
    /// `act` must compare the stored hash again inside its transaction, and throw `passwordChanged` if the
    /// hash changed. This function then checks the password against the new hash. The password still matches
    /// if only the cost of the hash changed.
    /// - Throws: `wrong_credentials`, 429 if too many passwords wait, and the errors of `act`.
    func withPassword<Result>(
        _ typed: String, of email: String, marks: [String] = [],
        _ act: (Account, PasswordHash) async throws -> Result
    ) async throws -> Result {
        let key = IdentityKey(email)
        let (limits, clock) = (services.limits, services.clock)
        if let client = try await knownClient(key, marks) {
            let count = "sign-in \(key.text) by \(client)"
            // It counts before the check, so that many at once are no more than the limit.
            let charge = FailureLimits.Charge(key: count, limit: FailureLimits.signInByMark, free: nil)
            if limits.count([charge], at: clock.now) == nil {
                return try await checked(typed, key, .known, act) {
                    Refusal.wrongCredentials
                } succeeded: {
                    limits.succeeded(count)
                }
            }
        }
        let line = "sign-in \(key.text) from \(origin)"
        func delay() -> SignInLines.Delay {
            let (count, age) = limits.failures(line, FailureLimits.signIn, at: clock.now)
            return SignInLines.Delay(failures: count, age: age)
        }
        return try await services.signInLines.inTurn(line, from: origin, delay: delay) {
            // Many hosts may share an address. Over its limit, its passwords are checked after those of
            // other clients.
            let byAddress = "sign-in from \(origin)"
            let isSuspect = limits.wait(byAddress, FailureLimits.signInFromAddress, at: clock.now) != nil
            return try await checked(typed, key, isSuspect ? .last : .usual, act) {
                failed(line, FailureLimits.signIn)
                failed(byAddress, FailureLimits.signInFromAddress)
                return wrongPassword(next: SignInLines.wholeSeconds(delay().rest))
            } succeeded: {
                limits.succeeded(line)
            }
        }
    }

    /// - Parameter seconds: the delay of the next password.
    private func wrongPassword(next seconds: Int) -> Problem {
        guard seconds > 1 else { return Problem(Refusal.wrongCredentials, in: language) }
        var problem = Problem(
            code: .wrongCredentials, in: language, ["seconds": String(seconds)],
            saying: ProblemCode.nextPasswordWaits)
        problem.retryAfterSeconds = seconds
        return problem
    }

    /// Returns the id of the caller's sign-in, or of the first mark that is valid for the account.
    private func knownClient(_ key: IdentityKey, _ marks: [String]) async throws -> String? {
        guard caller.token != nil || !marks.isEmpty else { return nil }
        let account = try await storage.read { rows throws(JournalError) in try rows.account(email: key) }
        guard let account else { return nil }
        if let token = caller.token, token.accountID == account.id { return "sign-in \(token.signIn.text)" }
        return marks.lazy.compactMap { SignInMark.id(of: $0, for: account, services.keys) }.first
    }

    /// - Parameters:
    ///   - failed: counts a wrong password, and returns the error to throw.
    ///   - succeeded: is called after `act`.
    private func checked<Result>(
        _ typed: String, _ key: IdentityKey, _ priority: PasswordHasher.Priority,
        _ act: (Account, PasswordHash) async throws -> Result, failed: () -> any Error, succeeded: () -> Void
    ) async throws -> Result {
        for _ in 1...Self.mostChecks {
            let account = try await storage.read { rows throws(JournalError) in try rows.account(email: key) }
            // Checking an unknown account takes the same time as a known one, so that the delay does not
            // reveal whether an account exists.
            let encoded = account.flatMap { $0.passwordHash.isEmpty ? nil : $0.passwordHash }
            let hash = try encoded.map { try PasswordHash(encoded: $0) }
            let isRight = try await services.passwords.verify(Password(typed).text, against: hash, priority)
            guard isRight, let account, let hash else { throw failed() }
            do {
                let result = try await act(account, hash)
                succeeded()
                return result
            } catch Refusal.passwordChanged {
                continue
            }
        }
        throw Refusal.wrongCredentials
    }
}
