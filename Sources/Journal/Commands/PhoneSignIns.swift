package import Meetings

/// Signs a person in who typed the code that was sent to the phone number. A number without an account gets
/// one, if its code may open an account.
/// - Throws: `accountSuspended` if an operator suspended the account after the code was sent.
package struct BeginPhoneSignIn: Command {
    /// The number, in the form of E.164.
    package let phone: String
    package let claim: AccountCode.Claim
    /// The name of a new account. If it is nil, the name is the last digits of the number.
    package let name: String?
    /// The tag of a new account's language.
    package let language: String
    package let tokens: NewTokens

    /// The tokens of the new sign-in, without their account.
    package struct NewTokens: Sendable {
        package let access: [UInt8]
        package let refresh: [UInt8]
        package let accessLifetime: Duration
        package let refreshLifetime: Duration
        package let client: String
        package let address: String

        package init(
            access: [UInt8], refresh: [UInt8], accessLifetime: Duration, refreshLifetime: Duration,
            client: String, address: String
        ) {
            self.access = access
            self.refresh = refresh
            self.accessLifetime = accessLifetime
            self.refreshLifetime = refreshLifetime
            self.client = client
            self.address = address
        }
    }

    /// The begun sign-in.
    package struct Outcome: Hashable, Sendable {
        package let account: Account
        package let isNewAccount: Bool
        /// The moment at which the access token expires.
        package let expiresAt: Instant
    }

    package init(
        phone: String, _ claim: AccountCode.Claim, name: String?, language: String, tokens: NewTokens
    ) {
        self.phone = phone
        self.claim = claim
        self.name = name
        self.language = language
        self.tokens = tokens
    }

    /// Returns nil if the code is wrong, has expired or was used. It does not throw then, because a refused
    /// command stores no try.
    package func run(in transaction: Transaction) throws(JournalError) -> Outcome? {
        let (rows, now) = (transaction.rows, transaction.now)
        guard let code = try transaction.code(provedBy: claim) else { return nil }
        let known = try rows.account(email: IdentityKey(phone))
        if known?.suspendedAt != nil { throw .refused(.accountSuspended) }
        try transaction.use(code)
        let account = if let known { known } else { try newAccount(in: transaction) }
        let signIn = ID<Token>.make(at: now)
        func token(_ hash: [UInt8], _ kind: Token.Kind, _ lifetime: Duration) -> Token {
            Token(
                hash: hash, accountID: account.id, kind: kind, signIn: signIn, createdAt: now,
                expiresAt: now + lifetime, client: tokens.client, address: tokens.address)
        }
        try rows.deleteTokens(expiredBefore: now - BeginSignIn.expiredTokensStay)
        try rows.insert(token(tokens.access, .access, tokens.accessLifetime))
        try rows.insert(token(tokens.refresh, .refresh, tokens.refreshLifetime))
        return Outcome(account: account, isNewAccount: known == nil, expiresAt: now + tokens.accessLifetime)
    }

    private func newAccount(in transaction: Transaction) throws(JournalError) -> Account {
        let account = Account(
            id: .make(at: transaction.now), email: "", name: name ?? "…\(phone.suffix(4))", passwordHash: "",
            profile: .init(locale: language), verified: true, createdAt: transaction.now, phone: phone)
        try transaction.rows.insert(account)
        return account
    }
}
