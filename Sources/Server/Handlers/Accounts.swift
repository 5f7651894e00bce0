import Foundation
import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// Accounts, sign-ins and profiles.
enum Accounts {
    static let refreshTokenLifetime = Duration.hours(24 * 90)

    static func signUp(_ context: RequestContext, _ request: SignUpRequest) async throws -> HTTPResponse {
        let isInvited =
            request.invitation.map { Invitation.isGood($0, for: request.email, at: context.now, keys: context.services.keys) } ?? false
        let attempts = "sign-up from \(context.origin)"
        if !isInvited { try context.requireAttempt(attempts, FailureLimits.signUp) }
        // A hash is dear, and whom the server does not take is not worth one. The command looks once more.
        let isFirst = try await context.storage.read { rows throws(JournalError) in try rows.accountCount() == 0 }
        guard isFirst || context.services.settings.signUp.takes(isInvited: isInvited) else {
            context.failed(attempts, FailureLimits.signUp)
            throw Refusal.signUpClosed
        }
        let hash = try await context.services.passwords.hash(password(request.password))
        var profile = request.profile
        if request.termsAccepted { profile.termsAcceptedAt = context.now }
        do throws(JournalError) {
            let account = try await context.storage.perform(
                CreateAccount(
                    email: request.email, name: request.name, passwordHash: hash.encoded, profile: profile,
                    signUp: context.services.settings.signUp,
                    isInvited: isInvited))
            return .json(AccountBody(account), status: 201)
        } catch {
            if case .refused = error { context.failed(attempts, FailureLimits.signUp) }
            throw error
        }
    }

    static func invite(_ context: RequestContext, _ request: InviteRequest) async throws -> HTTPResponse {
        let expiresAt = context.now + Invitation.lifetime
        let text = Invitation.text(for: request.email, until: expiresAt, keys: context.services.keys)
        return .json(InvitationBody(email: request.email, invitation: text, expiresAt: expiresAt), status: 201)
    }

    static func availability(_ context: RequestContext) async throws -> HTTPResponse {
        let key = "availability \(context.origin)"
        try context.requireAttempt(key, FailureLimits.availability)
        context.failed(key, FailureLimits.availability)
        guard let email = context.query("email").flatMap(EmailAddress.normalized) else {
            throw Refusal.invalid([FieldError("?email", .notAnEmail)])
        }
        let taken = try await context.storage.read { rows throws(JournalError) in try rows.account(email: IdentityKey(email)) != nil }
        return .json(AvailabilityBody(available: !taken))
    }

    // MARK: Sign-ins

    static func signIn(_ context: RequestContext, _ request: SignInRequest) async throws -> HTTPResponse {
        .json(try await newSignIn(context, request), status: 201)
    }

    /// Throws `wrong_credentials`, or 429 where that has happened too often.
    static func newSignIn(_ context: RequestContext, _ request: SignInRequest) async throws -> TokenBody {
        let email = IdentityKey(request.email)
        let limits = context.services.limits
        // With the address, so that nobody who knows a host's e-mail address can lock the host out from elsewhere.
        let (byAccount, byAddress) = ("sign-in \(email.text) from \(context.origin)", "sign-in from \(context.origin)")
        try context.requireAttempt(byAccount, FailureLimits.signIn)
        try context.requireAttempt(byAddress, FailureLimits.signInFromAddress)

        let account = try await context.storage.read { rows throws(JournalError) in try rows.account(email: email) }
        // Without an account as much time goes by, so that the answer's delay tells nothing.
        let hash = try account.map { try PasswordHash(encoded: $0.passwordHash) }
        guard try await context.services.passwords.verify(password(request.password), against: hash), let account else {
            limits.failed(byAccount, FailureLimits.signIn, at: context.now)
            limits.failed(byAddress, FailureLimits.signInFromAddress, at: context.now)
            throw Refusal.wrongCredentials
        }
        limits.succeeded(byAccount)
        try await renew(hash, of: account, password: request.password, context)
        return try await issue(to: account, client: request.client, signIn: .make(at: context.now), replacing: nil, context)
    }

    /// A hash that was made when hashes cost less, or more, is made anew while the password is at hand.
    private static func renew(_ hash: PasswordHash?, of account: Account, password typed: String, _ context: RequestContext) async throws {
        guard let hash, hash.needsRenewal(for: context.services.passwords.cost) else { return }
        let new = try await context.services.passwords.hash(password(typed))
        try await context.storage.perform(RenewPasswordHash(account: account.id, from: hash.encoded, to: new.encoded))
    }

    static func refresh(_ context: RequestContext, _ request: RefreshRequest) async throws -> HTTPResponse {
        .json(try await renewedSignIn(context, refreshToken: request.refreshToken), status: 201)
    }

    /// Throws `wrong_credentials` for a token that is none, or has been used.
    static func renewedSignIn(_ context: RequestContext, refreshToken: String) async throws -> TokenBody {
        guard let hash = BearerToken.hash(refreshToken, prefix: BearerToken.refresh) else { throw context.forged(.wrongCredentials) }
        let found = try await context.storage.read { rows throws(JournalError) -> (Token, Account)? in
            guard let token = try rows.token(hash: hash), token.kind == .refresh, let account = try rows.account(token.accountID) else {
                return nil
            }
            return (token, account)
        }
        guard let (token, account) = found else { throw context.forged(.wrongCredentials) }
        return try await issue(to: account, client: token.client, signIn: token.signIn, replacing: hash, context)
    }

    private static func issue(
        to account: Account, client: String, signIn: ID<Token>, replacing: [UInt8]?, _ context: RequestContext
    ) async throws -> TokenBody {
        let (access, refresh) = (RandomToken(), RandomToken())
        let now = context.now
        let expiresAt = now + context.services.settings.accessTokenLifetime
        try await context.storage.perform(
            KeepSignIn(
                access: Token(
                    hash: access.storedHash, accountID: account.id, kind: .access, signIn: signIn, createdAt: now, expiresAt: expiresAt,
                    client: client),
                refresh: Token(
                    hash: refresh.storedHash, accountID: account.id, kind: .refresh, signIn: signIn, createdAt: now,
                    expiresAt: now + refreshTokenLifetime, client: client),
                replacing: replacing))
        return TokenBody(
            accessToken: BearerToken.access + access.text, expiresAt: expiresAt, refreshToken: BearerToken.refresh + refresh.text,
            verified: account.verified)
    }

    static func signOut(_ context: RequestContext) async throws -> HTTPResponse {
        guard let token = context.caller.token else { throw Stop(.notSignedIn) }
        try await context.storage.perform(EndSignIn(signIn: token.signIn))
        context.services.rooms?.end(signIn: token.signIn)
        return .noContent
    }

    static func signIns(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.accountID
        let found = try await context.storage.read { rows throws(JournalError) in try rows.signIns(of: id) }
        let current = context.caller.token?.signIn
        return .json(Page(items: found.map { SignInBody($0, current: $0.signIn == current) }, nextCursor: nil))
    }

    // MARK: Oneself

    static func me(_ context: RequestContext) async throws -> HTTPResponse {
        let account = try await own(context)
        return .json(AccountBody(account))
    }

    static func edit(_ context: RequestContext, _ request: EditAccountRequest) async throws -> HTTPResponse {
        var newHash: PasswordHash?
        if let new = request.password, let current = request.currentPassword {
            let account = try await own(context)
            let key = "sign-in \(IdentityKey(account.email).text) from \(context.origin)"
            try context.requireAttempt(key, FailureLimits.signIn)
            guard try await context.services.passwords.verify(password(current), against: PasswordHash(encoded: account.passwordHash))
            else {
                context.services.limits.failed(key, FailureLimits.signIn, at: context.now)
                throw Refusal.wrongCredentials
            }
            newHash = try await context.services.passwords.hash(password(new))
        }
        let account = try await context.storage.perform(
            EditAccount(
                id: context.accountID, name: request.name, passwordHash: newHash?.encoded, profile: request.profile,
                expected: try context.expectedVersion(),
                keeping: context.caller.token?.signIn))
        // Who knew the old password is signed out everywhere else.
        if newHash != nil { context.services.rooms?.end(account: account.id, except: context.caller.token?.signIn) }
        return .json(AccountBody(account))
    }

    static func withdraw(_ context: RequestContext) async throws -> HTTPResponse {
        let revoked = try await context.storage.perform(DeleteAccount(id: context.accountID, confirmation: context.query("confirm")))
        context.services.rooms?.end(account: context.accountID)
        context.services.rooms?.end(presenterLinks: revoked)
        return .noContent
    }

    private static func own(_ context: RequestContext) async throws -> Account {
        let id = context.accountID
        let found = try await context.storage.read { rows throws(JournalError) in try rows.account(id) }
        guard let found else { throw Stop(.notSignedIn) }
        return found
    }

    /// The same password typed on different keyboards may come composed or decomposed (RFC 8265 §4.2).
    private static func password(_ typed: String) -> Redacted<String> { Redacted(typed.precomposedStringWithCanonicalMapping) }
}
