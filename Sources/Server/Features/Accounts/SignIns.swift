import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// Sign-ins: how they begin, are renewed and end.
enum SignIns {
    static let refreshTokenLifetime = Duration.hours(24 * 90)

    static func signIn(_ context: RequestContext, _ request: SignInRequest) async throws -> HTTPResponse {
        .json(try await begun(context, request), status: 201)
    }

    /// Throws `wrong_credentials`, or 429 where that has happened too often.
    static func begun(_ context: RequestContext, _ request: SignInRequest) async throws -> TokenBody {
        let (body, account, hash) = try await context.withPassword(request.password, of: request.email) {
            account, hash in
            (try await begin(account, checked: hash, client: request.client, context), account, hash)
        }
        try await renew(hash, of: account, password: request.password, context)
        return body
    }

    private static func begin(
        _ account: Account, checked: PasswordHash, client: String, _ context: RequestContext
    ) async throws -> TokenBody {
        let (access, refresh) = (RandomToken(), RandomToken())
        let now = context.now
        let signIn = ID<Token>.make(at: now)
        func token(_ token: RandomToken, _ kind: Token.Kind, _ lifetime: Duration) -> Token {
            Token(
                hash: token.storedHash, accountID: account.id, kind: kind, signIn: signIn, createdAt: now,
                expiresAt: now + lifetime,
                client: client)
        }
        let lifetime = context.services.settings.accessTokenLifetime
        try await context.storage.perform(
            BeginSignIn(
                access: token(access, .access, lifetime),
                refresh: token(refresh, .refresh, refreshTokenLifetime), checked: checked.encoded)
        )
        return TokenBody(access, refresh, expiresAt: now + lifetime, verified: account.verified)
    }

    /// Rehashes the password if the stored hash has another cost than the present settings.
    private static func renew(
        _ hash: PasswordHash, of account: Account, password typed: String, _ context: RequestContext
    ) async throws {
        guard hash.needsRenewal(for: context.services.passwords.cost) else { return }
        let new = try await context.services.passwords.hash(Password(typed).text)
        try await context.storage.perform(
            RenewPasswordHash(account: account.id, from: hash.encoded, to: new.encoded))
    }

    // MARK: Renewing

    static func refresh(_ context: RequestContext, _ request: RefreshRequest) async throws -> HTTPResponse {
        .json(try await renewed(context, refreshToken: request.refreshToken), status: 201)
    }

    /// The number of later renewals that a delayed renewal follows.
    private static let mostSteps = 10

    /// The pair that follows a refresh token. It is derived from the token under a key of the server, so that
    /// a client whose answer was lost gets the same one again, and no token is stored.
    /// - Throws: `wrong_credentials` for a token that is not known; `sign_in_ended` for one that was used
    ///   before (`RenewSignIn`), after ending the sign-in and its rooms.
    static func renewed(_ context: RequestContext, refreshToken: String) async throws -> TokenBody {
        guard var token = BearerToken.token(refreshToken, prefix: BearerToken.refresh) else {
            throw context.forged(.wrongCredentials)
        }
        let hash = token.storedHash
        // Unknown tokens are rejected before they reach the writer.
        let known = try await context.storage.read { rows throws(JournalError) in try rows.token(hash: hash) }
        guard let known, known.kind == .refresh else { throw context.forged(.wrongCredentials) }
        let client = context.clientMark(in: known.signIn)
        let key = context.services.keys.renewal
        for _ in 1...mostSteps {
            let (access, refresh) = (token.derived(by: key, purpose: 0), token.derived(by: key, purpose: 1))
            let outcome = try await context.storage.perform(
                RenewSignIn(
                    presented: token.storedHash, nextAccess: access.storedHash,
                    nextRefresh: refresh.storedHash, client: client,
                    accessLifetime: context.services.settings.accessTokenLifetime,
                    refreshLifetime: refreshTokenLifetime))
            switch outcome {
            case .renewed(let expiresAt, let verified):
                return TokenBody(access, refresh, expiresAt: expiresAt, verified: verified)
            case .goOn: token = refresh
            case .reused(let signIn):
                context.services.rooms?.end(signIn: signIn)
                throw Refusal.signInEnded
            }
        }
        throw Refusal.wrongCredentials
    }

    // MARK: Ending

    static func signOut(_ context: RequestContext) async throws -> HTTPResponse {
        guard let token = context.caller.token else { throw RequestError(.notSignedIn) }
        try await context.storage.perform(EndSignIn(signIn: token.signIn))
        context.services.rooms?.end(signIn: token.signIn)
        return .noContent
    }

    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.accountID
        let found = try await context.storage.read { rows throws(JournalError) in try rows.signIns(of: id) }
        let current = context.caller.token?.signIn
        return .json(
            Page(items: found.map { SignInBody($0, current: $0.signIn == current) }, nextCursor: nil))
    }
}

extension RequestContext {
    /// A keyed hash of the sign-in and the client's `User-Agent`. The address is not used, because phones
    /// often lose answers while they change networks.
    fileprivate func clientMark(in signIn: ID<Token>) -> [UInt8] {
        var message = SignedBytes()
        message.put(2 as UInt8)
        message.put(signIn)
        message.put(Array((request.headers.first("user-agent") ?? "").utf8))
        return services.keys.renewal.mac(message.bytes, length: 16)
    }
}

extension TokenBody {
    fileprivate init(_ access: RandomToken, _ refresh: RandomToken, expiresAt: Instant, verified: Bool) {
        self.init(
            accessToken: BearerToken.access + access.text, expiresAt: expiresAt,
            refreshToken: BearerToken.refresh + refresh.text,
            verified: verified)
    }
}
