package import Meetings

/// Stores the two tokens of a new sign-in.
/// - Throws: `wrongCredentials` if the account no longer exists; `passwordChanged` if somebody changed the
///   password after the check; `accountSuspended` if an operator suspended the account.
package struct BeginSignIn: Command {
    package let access: Token
    package let refresh: Token
    /// The stored hash against which the typed password was checked.
    package let checked: String

    /// The time for which an expired token is stored, so that its client learns that the token has expired.
    package static let expiredTokensStay = Duration.hours(24 * 7)

    package init(access: Token, refresh: Token, checked: String) {
        self.access = access
        self.refresh = refresh
        self.checked = checked
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        // Checks that the account still exists, because inserting tokens without an account would fail the
        // whole batch.
        guard let account = try transaction.rows.account(access.accountID) else {
            throw .refused(.wrongCredentials)
        }
        try account.requirePassword(checked)
        if account.suspendedAt != nil { throw .refused(.accountSuspended) }
        try transaction.rows.deleteTokens(expiredBefore: transaction.now - Self.expiredTokensStay)
        try transaction.rows.insert(access)
        try transaction.rows.insert(refresh)
    }
}

extension Account {
    /// Compares the stored hash with the checked hash, because the password may have changed during the
    /// check, which takes 0.1 s or more.
    /// - Throws: `passwordChanged` unless the stored hash equals `checked`.
    func requirePassword(_ checked: String) throws(JournalError) {
        guard passwordHash == checked else { throw .refused(.passwordChanged) }
    }
}

/// Stores a named token, which a program uses instead of a sign-in. It ends like a sign-in: by
/// `EndOwnSignIn`, with a new password, and with the account.
/// - Throws: `notFound` if the account does not exist; `accountSuspended` if an operator suspended it;
///   `notAllowed` if the token is limited to a meeting of which the account is no member; `limitReached` if
///   the account has `TokenLimits.mostTokens`.
package struct CreateNamedToken: Command {
    package let token: Token

    package init(token: Token) { self.token = token }

    package func run(in transaction: Transaction) throws(JournalError) {
        let (rows, now) = (transaction.rows, transaction.now)
        guard let account = try rows.account(token.accountID) else { throw .refused(.notFound(.account)) }
        if account.suspendedAt != nil { throw .refused(.accountSuspended) }
        if let meeting = token.limits?.meeting, try rows.role(of: account.id, in: meeting) == nil {
            throw .refused(.notAllowed)
        }
        try rows.deleteTokens(expiredBefore: now - BeginSignIn.expiredTokensStay)
        let others = try rows.signIns(of: account.id).filter { $0.kind == .named && $0.expiresAt > now }
        guard others.count < TokenLimits.mostTokens else {
            throw .refused(.limitReached(.token, limit: TokenLimits.mostTokens))
        }
        try rows.insert(token)
    }
}

/// Exchanges a refresh token for the next pair of tokens. The caller derives that pair from the refresh
/// token, so the same pair can be returned again without being stored in plain form.
///
/// | state of the refresh token | outcome |
/// |---|---|
/// | unused | the next pair; earlier access tokens are deleted |
/// | used within a minute by the same client | the same pair; `.goOn` if that pair was renewed too |
/// | used longer ago, or by another client | `.reused`: the whole sign-in has ended |
/// | ended with its account | refused: `accountSuspended`, `accountWithdrawn` |
/// | unknown or expired | refused: `wrongCredentials` |
package struct RenewSignIn: Command {
    package let presented: [UInt8]
    package let nextAccess: [UInt8]
    package let nextRefresh: [UInt8]
    /// A keyed hash that identifies the requesting client.
    package let client: [UInt8]
    /// The client's IP address.
    package let address: String
    package let accessLifetime: Duration
    package let refreshLifetime: Duration

    /// The time within which a client may repeat a renewal: after a lost answer, or when two tabs or
    /// processes renew at the same time.
    package static let grace = Duration.seconds(60)
    /// The number of used refresh tokens that are stored for one sign-in. It covers more than three months of
    /// renewals every twelve hours.
    package static let mostUsed = 200

    /// The shortest allowed time for `mostUsed` renewals. More frequent renewals are misuse, because no
    /// client needs one every seven minutes.
    package static let leastTimeForMostUsed = Duration.hours(24)

    /// The result of a renewal that was not refused.
    package enum Outcome: Hashable, Sendable {
        case renewed(expiresAt: Instant, verified: Bool)
        /// The next refresh token has been used as well, so the caller must continue with that token.
        case goOn
        /// The whole sign-in has ended, because the token was used by somebody else or too late.
        case reused(ID<Token>)
    }

    package init(
        presented: [UInt8], nextAccess: [UInt8], nextRefresh: [UInt8], client: [UInt8],
        address: String = "", accessLifetime: Duration, refreshLifetime: Duration
    ) {
        self.presented = presented
        self.nextAccess = nextAccess
        self.nextRefresh = nextRefresh
        self.client = client
        self.address = address
        self.accessLifetime = accessLifetime
        self.refreshLifetime = refreshLifetime
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let (rows, now) = (transaction.rows, transaction.now)
        guard let old = try rows.token(hash: presented), old.kind == .refresh, old.expiresAt > now,
            let account = try rows.account(old.accountID)
        else { throw .refused(try rows.tokenEnd(hash: presented)?.refusal ?? .wrongCredentials) }
        if let use = old.use {
            // The range covers both directions of time, because a clock that is set back must not end
            // sign-ins.
            guard use.client == client, (now - Self.grace)...(now + Self.grace) ~= use.at else {
                return try end(old.signIn, in: transaction)
            }
            guard let access = try rows.token(hash: nextAccess), try rows.token(hash: nextRefresh)?.use == nil
            else { return .goOn }
            return .renewed(expiresAt: access.expiresAt, verified: account.verified)
        }
        try rows.deleteTokens(expiredBefore: now - BeginSignIn.expiredTokensStay)
        try rows.use(old, Token.Use(at: now, client: client), keeping: Self.mostUsed)
        // Without this check, a thief could renew until the owner's token is no longer stored, and then the
        // server would not notice that the owner's token is used again.
        if let oldest = try rows.oldestUse(of: old.signIn, among: Self.mostUsed),
            oldest > now - Self.leastTimeForMostUsed
        {
            return try end(old.signIn, in: transaction)
        }
        func next(_ hash: [UInt8], _ kind: Token.Kind, _ lifetime: Duration) -> Token {
            Token(
                hash: hash, accountID: old.accountID, kind: kind, signIn: old.signIn, createdAt: now,
                expiresAt: now + lifetime,
                client: old.client, address: address)
        }
        try rows.insert(next(nextAccess, .access, accessLifetime))
        try rows.insert(next(nextRefresh, .refresh, refreshLifetime))
        return .renewed(expiresAt: now + accessLifetime, verified: account.verified)
    }

    private func end(_ signIn: ID<Token>, in transaction: Transaction) throws(JournalError) -> Outcome {
        try EndSignIn(signIn: signIn).run(in: transaction)
        return .reused(signIn)
    }
}

/// Ends a sign-in and the connections that it opened.
package struct EndSignIn: Command {
    package let signIn: ID<Token>

    package init(signIn: ID<Token>) { self.signIn = signIn }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.deleteTokens(signIn: signIn)
        transaction.endRights(of: .signIn(signIn))
    }
}

/// Ends one of the account's own sign-ins.
/// - Throws: `notFound` if the account has no such sign-in.
package struct EndOwnSignIn: Command {
    package let account: AccountID
    package let signIn: ID<Token>

    package init(account: AccountID, signIn: ID<Token>) {
        self.account = account
        self.signIn = signIn
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        guard try transaction.rows.signIns(of: account).contains(where: { $0.signIn == signIn }) else {
            throw .refused(.notFound(.token))
        }
        try EndSignIn(signIn: signIn).run(in: transaction)
    }
}

extension Transaction {
    /// Ends the account's sign-ins and the connections that they opened, and deletes the account's devices: a
    /// device does not know by which sign-in it was registered.
    func endSignIns(of account: AccountID, except kept: ID<Token>?) throws(JournalError) {
        for other in try rows.signIns(of: account) where other.signIn != kept {
            try rows.deleteTokens(signIn: other.signIn)
        }
        try rows.deleteDevices(of: OutgoingMail.Owner(account))
        endRights(of: .account(account, except: kept))
    }
}

extension Token.End {
    /// The refusal for a client that shows the token.
    package var refusal: Refusal {
        switch self {
        case .suspended: .accountSuspended
        case .withdrawn: .accountWithdrawn
        }
    }
}
