package import Journal
package import Meetings

extension Query {
    private static let accountColumns =
        "id, email, name, password_hash, profile, verified, admin, created_at, version, suspended_at, phone"
    private static let isShown = "NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = accounts.id)"
    private static let tokenColumns =
        "hash, account, kind, sign_in, created_at, expires_at, client, used_at, used_by, address, "
        + "reads_only, meeting"

    fileprivate static let account = Query(
        "find account", "SELECT \(accountColumns) FROM accounts WHERE id = ? AND \(isShown)")
    fileprivate static let accountByEmail = Query(
        "find account by email", "SELECT \(accountColumns) FROM accounts WHERE email_key = ?")
    fileprivate static let accountCount = Query(
        "count accounts", "SELECT count(*) FROM accounts WHERE \(isShown)")
    fileprivate static let accounts = Query(
        "list accounts",
        "SELECT \(accountColumns) FROM accounts WHERE id > ? AND \(isShown) ORDER BY id LIMIT ?")
    fileprivate static let anotherOperator = Query(
        "find another operator",
        "SELECT 1 FROM accounts INDEXED BY accounts_operators WHERE admin = 1 "
            + "AND suspended_at IS NULL AND id <> ? LIMIT 1")
    fileprivate static let hasHadOperator = Query(
        "find whether there was an operator", "SELECT 1 FROM meta WHERE key = 'operator'")
    fileprivate static let noteOperator = Query(
        "note operator", "INSERT INTO meta VALUES ('operator', '1') ON CONFLICT (key) DO NOTHING")
    fileprivate static let token = Query("find token", "SELECT \(tokenColumns) FROM tokens WHERE hash = ?")
    fileprivate static let signIns = Query(
        "list sign-ins",
        """
        SELECT \(tokenColumns) FROM tokens WHERE account = ?
            AND kind IN (\(Token.Kind.refresh.code), \(Token.Kind.named.code)) AND used_at IS NULL
        ORDER BY created_at DESC, hash DESC
        """)

    fileprivate static let insertAccount = Query(
        "insert account",
        """
        INSERT INTO accounts (id, email, email_key, name, password_hash, profile, verified, admin, created_at,
            version, suspended_at, phone)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    fileprivate static let updateAccount = Query(
        "update account",
        """
        UPDATE accounts SET email = ?2, email_key = ?3, name = ?4, password_hash = ?5, profile = ?6,
            verified = ?7, admin = ?8, version = ?9, suspended_at = ?10, phone = ?11
        WHERE id = ?1
        """)
    // A hidden account has an e-mail address that nobody can type.
    fileprivate static let hideAccount = Query(
        "hide account",
        """
        UPDATE accounts SET email = '', email_key = ?2, name = '', password_hash = '',
            profile = '{}', admin = 0, suspended_at = NULL, phone = NULL
        WHERE id = ?1
        """)
    fileprivate static let tokenEnd = Query(
        "find why a token ended", "SELECT reason FROM ended_tokens WHERE hash = ?")
    fileprivate static let noteEnds = Query(
        "note why tokens end",
        """
        INSERT INTO ended_tokens
        SELECT hash, ?2, expires_at FROM tokens WHERE account = ?1 AND used_at IS NULL
        ON CONFLICT (hash) DO UPDATE SET reason = excluded.reason, expires_at = excluded.expires_at
        """)
    fileprivate static let deleteTokensOfAccount = Query(
        "delete an account's tokens", "DELETE FROM tokens WHERE account = ?")
    private static let codeColumns =
        "handle, subject, purpose, account, opens_account, code, link, sent_at, expires_at, tries, guesses"
    fileprivate static let accountCodes = Query(
        "find codes of an address",
        """
        SELECT \(codeColumns) FROM account_codes WHERE subject = ? AND sent_at >= ?
        ORDER BY sent_at, handle
        """)
    fileprivate static let saveCode = Query(
        "save code of a mail",
        """
        INSERT INTO account_codes (\(codeColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (handle) DO UPDATE SET account = excluded.account,
            opens_account = excluded.opens_account, expires_at = excluded.expires_at,
            tries = excluded.tries, guesses = excluded.guesses
        """)
    fileprivate static let deleteCodes = Query(
        "delete an account's codes", "DELETE FROM account_codes WHERE account = ?")
    fileprivate static let deleteOldCodes = Query(
        "delete old codes",
        """
        DELETE FROM account_codes WHERE handle IN
            (SELECT handle FROM account_codes WHERE sent_at < ? ORDER BY sent_at LIMIT ?)
        """)
    fileprivate static let anyOldCode = Query(
        "find an old code", "SELECT 1 FROM account_codes WHERE sent_at < ? LIMIT 1")
    fileprivate static let forgetEnds = Query(
        "forget why tokens ended", "DELETE FROM ended_tokens WHERE expires_at < ?")
    fileprivate static let noteHidden = Query("note hidden account", "INSERT INTO erasures VALUES (?)")
    fileprivate static let forgetHidden = Query(
        "forget hidden account", "DELETE FROM erasures WHERE id = ?")
    fileprivate static let deleteAccount = Query("delete account", "DELETE FROM accounts WHERE id = ?")
    fileprivate static let insertToken = Query(
        "insert token", "INSERT INTO tokens (\(tokenColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    fileprivate static let useToken = Query(
        "use refresh token", "UPDATE tokens SET used_at = ?2, used_by = ?3 WHERE hash = ?1")
    fileprivate static let deleteAccess = Query(
        "delete access tokens", "DELETE FROM tokens WHERE sign_in = ? AND kind = \(Token.Kind.access.code)")
    fileprivate static let forgetUsed = Query(
        "forget used refresh tokens",
        """
        DELETE FROM tokens WHERE hash IN (
            SELECT hash FROM tokens INDEXED BY tokens_used WHERE sign_in = ?1 AND used_at IS NOT NULL
            ORDER BY created_at DESC LIMIT -1 OFFSET ?2)
        """)
    fileprivate static let oldestUse = Query(
        "read the oldest use of a sign-in",
        """
        SELECT used_at FROM tokens INDEXED BY tokens_used WHERE sign_in = ?1 AND used_at IS NOT NULL
        ORDER BY created_at DESC LIMIT 1 OFFSET ?2 - 1
        """)
    fileprivate static let deleteSignIn = Query("delete sign-in", "DELETE FROM tokens WHERE sign_in = ?")
    fileprivate static let deleteExpired = Query(
        "delete expired tokens", "DELETE FROM tokens WHERE expires_at < ?")
}

extension SQLRows {
    package func account(_ id: AccountID) throws(JournalError) -> Account? {
        try connection.first(.account, id, read: Self.account)
    }
    package func account(email: IdentityKey) throws(JournalError) -> Account? {
        try connection.first(.accountByEmail, email, read: Self.account)
    }
    package func accountCount() throws(JournalError) -> Int {
        try connection.first(.accountCount) { $0.int(0) } ?? 0
    }

    package func accounts(after cursor: AccountID?, limit: Int) throws(JournalError) -> [Account] {
        try connection.all(.accounts, cursor ?? ID(high: 0, low: 0), limit, read: Self.account)
    }

    package func hasHadOperator() throws(JournalError) -> Bool {
        try connection.first(.hasHadOperator) { _ in true } ?? false
    }
    package func noteOperator() throws(JournalError) { try connection.run(.noteOperator) }
    package func hasOperator(otherThan account: AccountID) throws(JournalError) -> Bool {
        try connection.first(.anotherOperator, account) { _ in true } ?? false
    }

    package func token(hash: [UInt8]) throws(JournalError) -> Token? {
        try connection.first(.token, hash, read: Self.token)
    }
    package func signIns(of account: AccountID) throws(JournalError) -> [Token] {
        try connection.all(.signIns, account, read: Self.token)
    }
    package func oldestUse(of signIn: ID<Token>, among count: Int) throws(JournalError) -> Instant? {
        try connection.first(.oldestUse, signIn, count) { $0.instant(0) }
    }

    package func insert(_ account: Account) throws(JournalError) {
        try connection.run(
            .insertAccount, account.id, account.email, IdentityKey(account.address), account.name,
            account.passwordHash,
            JSONText.of(account.profile), account.verified, account.admin, account.createdAt, account.version,
            account.suspendedAt, account.phone)
    }

    package func update(_ account: Account) throws(JournalError) {
        try connection.run(
            .updateAccount, account.id, account.email, IdentityKey(account.address), account.name,
            account.passwordHash,
            JSONText.of(account.profile), account.verified, account.admin, account.version,
            account.suspendedAt, account.phone)
    }

    package func hide(_ account: AccountID) throws(JournalError) {
        try connection.run(.hideAccount, account, "x\(account.text)")
        try endTokens(of: account, because: .withdrawn)
        try deleteMails(of: OutgoingMail.Owner(account))
        try deleteDevices(of: OutgoingMail.Owner(account))
        try connection.run(.deleteCodes, account)
        try connection.run(.noteHidden, account)
        try noteErasure()
    }

    package func delete(_ account: AccountID) throws(JournalError) {
        try endTokens(of: account, because: .withdrawn)
        // A small account is deleted without being hidden first.
        try deleteMails(of: OutgoingMail.Owner(account))
        try deleteDevices(of: OutgoingMail.Owner(account))
        try connection.run(.deleteCodes, account)
        try connection.run(.deleteAccount, account)
        try connection.run(.forgetHidden, account)
        try noteErasure()
    }

    package func insert(_ token: Token) throws(JournalError) {
        try connection.run(
            .insertToken, token.hash, token.accountID, token.kind.code, token.signIn, token.createdAt,
            token.expiresAt, token.client,
            token.use?.at, token.use?.client, token.address, token.limits.map { $0.access == .read },
            token.limits?.meeting)
    }

    package func use(_ token: Token, _ use: Token.Use, keeping: Int) throws(JournalError) {
        try connection.run(.useToken, token.hash, use.at, use.client)
        try connection.run(.deleteAccess, token.signIn)
        try connection.run(.forgetUsed, token.signIn, keeping)
    }

    package func deleteTokens(signIn: ID<Token>) throws(JournalError) { try connection.run(.deleteSignIn, signIn) }
    package func accountCodes(of subject: [UInt8], since moment: Instant) throws(JournalError) -> [AccountCode] {
        try connection.all(.accountCodes, subject, moment) { row throws(JournalError) in
            AccountCode(
                handle: row.bytes(0), subject: row.bytes(1), purpose: try row.code(2),
                account: row.idIfAny(3), opensAccount: row.bool(4), code: row.bytes(5), link: row.bytes(6),
                sentAt: row.instant(7), expiresAt: row.instant(8), tries: row.int(9), guesses: row.int(10))
        }
    }
    package func save(_ code: AccountCode) throws(JournalError) {
        try connection.run(
            .saveCode, code.handle, code.subject, code.purpose.code, code.account, code.opensAccount,
            code.code, code.link, code.sentAt, code.expiresAt, code.tries, code.guesses)
    }
    package func deleteAccountCodes(sentBefore moment: Instant, limit: Int) throws(JournalError) -> Int {
        try connection.run(.deleteOldCodes, moment, limit)
    }
    package func hasAccountCode(sentBefore moment: Instant) throws(JournalError) -> Bool {
        try connection.first(.anyOldCode, moment) { _ in true } ?? false
    }
    package func tokenEnd(hash: [UInt8]) throws(JournalError) -> Token.End? {
        try connection.first(.tokenEnd, hash) { row throws(JournalError) in try row.code(0) }
    }
    package func endTokens(of account: AccountID, because end: Token.End) throws(JournalError) {
        try connection.run(.noteEnds, account, end.code)
        try connection.run(.deleteTokensOfAccount, account)
    }
    package func deleteTokens(expiredBefore now: Instant) throws(JournalError) {
        try connection.run(.forgetEnds, now)
        try connection.run(.deleteExpired, now)
    }

    private static func account(_ row: Row) throws(JournalError) -> Account {
        Account(
            id: try row.id(0), email: row.text(1), name: row.text(2), passwordHash: row.text(3),
            profile: try row.json(4),
            verified: row.bool(5), admin: row.bool(6), suspendedAt: row.instantIfAny(9),
            createdAt: row.instant(7),
            version: row.int(8), phone: row.textIfAny(10))
    }

    private static func token(_ row: Row) throws(JournalError) -> Token {
        let kind: Token.Kind = try row.code(2)
        let limits =
            kind == .named
            ? TokenLimits(access: row.bool(10) ? .read : .write, meeting: row.idIfAny(11)) : nil
        return Token(
            hash: row.bytes(0), accountID: try row.id(1), kind: kind, signIn: try row.id(3),
            createdAt: row.instant(4),
            expiresAt: row.instant(5), client: row.text(6), address: row.text(9),
            limits: limits,
            use: row.instantIfAny(7).map { Token.Use(at: $0, client: row.bytes(8)) })
    }
}

extension AccountCode.Purpose: Coded {
    static let cases = allCases
    var code: Int { Int(rawValue) }
}
