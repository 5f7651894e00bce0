package import Journal
package import Meetings

enum AccountColumn: Int32, Columns {
    case id, email, name, passwordHash, profile, verified, admin, createdAt, version, suspendedAt, phone
    // Written only.
    case emailKey

    static let table = "accounts"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        case .createdAt: .once
        default: .always
        }
    }

    var isRead: Bool { self != .emailKey }

    func bind(_ account: Account, to parameters: inout Parameters) throws(JournalError) {
        switch self {
        case .id: parameters.bind(account.id)
        case .email: parameters.bind(account.email)
        case .name: parameters.bind(account.name)
        case .passwordHash: parameters.bind(account.passwordHash)
        case .profile: parameters.bind(try JSONText.of(account.profile))
        case .verified: parameters.bind(account.verified)
        case .admin: parameters.bind(account.admin)
        case .createdAt: parameters.bind(account.createdAt)
        case .version: parameters.bind(account.version)
        case .suspendedAt: parameters.bind(account.suspendedAt)
        case .phone: parameters.bind(account.phone)
        case .emailKey: parameters.bind(IdentityKey(account.address))
        }
    }
}

enum TokenColumn: Int32, Columns {
    case hash, account, kind, signIn, createdAt, expiresAt, client, usedAt, usedBy, address, readsOnly
    case meeting

    static let table = "tokens"
    /// `useToken` notes the use of a token. Nothing else of a token changes.
    var writing: ColumnWriting { .once }

    func bind(_ token: Token, to parameters: inout Parameters) {
        switch self {
        case .hash: parameters.bind(token.hash)
        case .account: parameters.bind(token.accountID)
        case .kind: parameters.bind(token.kind.code)
        case .signIn: parameters.bind(token.signIn)
        case .createdAt: parameters.bind(token.createdAt)
        case .expiresAt: parameters.bind(token.expiresAt)
        case .client: parameters.bind(token.client)
        case .usedAt: parameters.bind(token.use?.at)
        case .usedBy: parameters.bind(token.use?.client)
        case .address: parameters.bind(token.address)
        case .readsOnly: parameters.bind(token.limits.map { $0.access == .read })
        case .meeting: parameters.bind(token.limits?.meeting)
        }
    }
}

enum AccountCodeColumn: Int32, Columns {
    case handle, subject, purpose, account, opensAccount, code, link, sentAt, expiresAt, tries, guesses

    static let table = "account_codes"

    var writing: ColumnWriting {
        switch self {
        case .handle: .key
        case .subject, .purpose, .code, .link, .sentAt: .once
        case .account, .opensAccount, .expiresAt, .tries, .guesses: .always
        }
    }

    func bind(_ code: AccountCode, to parameters: inout Parameters) {
        switch self {
        case .handle: parameters.bind(code.handle)
        case .subject: parameters.bind(code.subject)
        case .purpose: parameters.bind(code.purpose.code)
        case .account: parameters.bind(code.account)
        case .opensAccount: parameters.bind(code.opensAccount)
        case .code: parameters.bind(code.code)
        case .link: parameters.bind(code.link)
        case .sentAt: parameters.bind(code.sentAt)
        case .expiresAt: parameters.bind(code.expiresAt)
        case .tries: parameters.bind(code.tries)
        case .guesses: parameters.bind(code.guesses)
        }
    }
}

extension Writing where Column == AccountColumn {
    fileprivate static let insertAccount = insert("insert account")
    fileprivate static let updateAccount = update("update account")
}

extension Writing where Column == TokenColumn {
    fileprivate static let insertToken = insert("insert token")
}

extension Writing where Column == AccountCodeColumn {
    fileprivate static let saveCode = save("save code of a mail")
}

extension Query {
    private static let accountColumns = AccountColumn.selected()
    private static let isShown = "NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = accounts.id)"
    private static let tokenColumns = TokenColumn.selected()

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
    fileprivate static let accountCodes = Query(
        "find codes of an address",
        """
        SELECT \(AccountCodeColumn.selected()) FROM account_codes WHERE subject = ? AND sent_at >= ?
        ORDER BY sent_at, handle
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
        try connection.run(.insertAccount, account)
    }

    package func update(_ account: Account) throws(JournalError) {
        try connection.run(.updateAccount, account)
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
        try connection.run(.insertToken, token)
    }

    package func use(_ token: Token, _ use: Token.Use, keeping: Int) throws(JournalError) {
        try connection.run(.useToken, token.hash, use.at, use.client)
        try connection.run(.deleteAccess, token.signIn)
        try connection.run(.forgetUsed, token.signIn, keeping)
    }

    package func deleteTokens(signIn: ID<Token>) throws(JournalError) {
        try connection.run(.deleteSignIn, signIn)
    }
    package func accountCodes(of subject: [UInt8], since moment: Instant) throws(JournalError)
        -> [AccountCode]
    {
        try connection.all(.accountCodes, subject, moment) { row throws(JournalError) in
            let cells = Cells<AccountCodeColumn>(row)
            return AccountCode(
                handle: cells.bytes(.handle), subject: cells.bytes(.subject),
                purpose: try cells.code(.purpose), account: cells.idIfAny(.account),
                opensAccount: cells.bool(.opensAccount), code: cells.bytes(.code), link: cells.bytes(.link),
                sentAt: cells.instant(.sentAt), expiresAt: cells.instant(.expiresAt),
                tries: cells.int(.tries), guesses: cells.int(.guesses))
        }
    }
    package func save(_ code: AccountCode) throws(JournalError) { try connection.run(.saveCode, code) }
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
        let cells = Cells<AccountColumn>(row)
        return Account(
            id: try cells.id(.id), email: cells.text(.email), name: cells.text(.name),
            passwordHash: cells.text(.passwordHash), profile: try cells.json(.profile),
            verified: cells.bool(.verified), admin: cells.bool(.admin),
            suspendedAt: cells.instantIfAny(.suspendedAt), createdAt: cells.instant(.createdAt),
            version: cells.int(.version), phone: cells.textIfAny(.phone))
    }

    private static func token(_ row: Row) throws(JournalError) -> Token {
        let cells = Cells<TokenColumn>(row)
        let kind: Token.Kind = try cells.code(.kind)
        let limits =
            kind == .named
            ? TokenLimits(
                access: cells.bool(.readsOnly) ? .read : .write, meeting: cells.idIfAny(.meeting)) : nil
        return Token(
            hash: cells.bytes(.hash), accountID: try cells.id(.account), kind: kind,
            signIn: try cells.id(.signIn), createdAt: cells.instant(.createdAt),
            expiresAt: cells.instant(.expiresAt), client: cells.text(.client), address: cells.text(.address),
            limits: limits,
            use: cells.instantIfAny(.usedAt).map { Token.Use(at: $0, client: cells.bytes(.usedBy)) })
    }
}

extension AccountCode.Purpose: Coded {
    package static let cases = allCases
    package var code: Int { Int(rawValue) }
}
