import Journal
import Meetings

extension MemoryRows {
    func account(_ id: AccountID) throws(JournalError) -> Account? { try tables().accounts[id] }

    func account(email: IdentityKey) throws(JournalError) -> Account? {
        try tables().accounts.values.first { IdentityKey($0.address) == email }
    }

    func accountCount() throws(JournalError) -> Int { try tables().accounts.count }
    func accounts(after cursor: AccountID?, limit: Int) throws(JournalError) -> [Account] {
        let later = try tables().accounts.values.filter { account in cursor.map { $0 < account.id } ?? true }
        return Array(later.sorted { $0.id < $1.id }.prefix(limit))
    }

    func hasHadOperator() throws(JournalError) -> Bool { try tables().hasHadOperator }
    func hasOperator(otherThan account: AccountID) throws(JournalError) -> Bool {
        try tables().accounts.values.contains { $0.admin && $0.suspendedAt == nil && $0.id != account }
    }

    func token(hash: [UInt8]) throws(JournalError) -> Token? { try tables().tokens[hash] }

    func signIns(of account: AccountID) throws(JournalError) -> [Token] {
        try tables().tokens.values.filter { $0.accountID == account && $0.kind != .access && $0.use == nil }
            .sorted {
                $0.createdAt > $1.createdAt
            }
    }

    func oldestUse(of signIn: ID<Token>, among count: Int) throws(JournalError) -> Instant? {
        let used = try tables().tokens.values.filter { $0.signIn == signIn && $0.use != nil }.sorted {
            $0.createdAt > $1.createdAt
        }
        return used.count < count ? nil : used[count - 1].use?.at
    }

    func insert(_ account: Account) throws(JournalError) {
        try change("insert account") { tables throws(JournalError) in
            guard tables.accounts[account.id] == nil, !tables.hasEmail(of: account) else {
                throw conflict("insert account", "not unique")
            }
            tables.accounts[account.id] = account
        }
    }

    func update(_ account: Account) throws(JournalError) {
        try change("update account") { tables throws(JournalError) in
            guard let old = tables.accounts[account.id] else { return }
            guard !tables.hasEmail(of: account) else { throw conflict("update account", "not unique") }
            tables.accounts[account.id] = Account(
                id: old.id, email: account.email, name: account.name, passwordHash: account.passwordHash,
                profile: account.profile,
                verified: account.verified, admin: account.admin, suspendedAt: account.suspendedAt,
                createdAt: old.createdAt,
                version: account.version, phone: account.phone)
        }
    }

    func noteOperator() throws(JournalError) { try change("note operator") { $0.hasHadOperator = true } }

    func hide(_ account: AccountID) throws(JournalError) {
        try change("hide account") { tables in
            tables.removeMails(of: OutgoingMail.Owner(account))
            tables.removeDevices { $0.owner == .account(account) }
            tables.accounts[account] = nil
            tables.endTokens(of: account, because: .withdrawn)
        }
    }

    func delete(_ account: AccountID) throws(JournalError) {
        try change("delete account") { tables in
            tables.removeMails(of: OutgoingMail.Owner(account))
            tables.removeDevices { $0.owner == .account(account) }
            tables.accounts[account] = nil
            tables.mailCounts[account] = nil
            tables.endTokens(of: account, because: .withdrawn)
            tables.members = tables.members.filter { $0.key.account != account }
            tables.invitations = tables.invitations.filter {
                $0.value.accountID != account && $0.value.invitedBy != account
            }
            tables.links = tables.links.filter { $0.value.createdBy != account }
            tables.jobReports = tables.jobReports.filter { $0.value.request.account != account }
        }
    }

    func accountCodes(of subject: [UInt8], since moment: Instant) throws(JournalError) -> [AccountCode] {
        try tables().accountCodes.values.filter { $0.subject == subject && $0.sentAt >= moment }
            .sorted { $0.sentAt < $1.sentAt }
    }

    func save(_ code: AccountCode) throws(JournalError) {
        try change("save code") { $0.accountCodes[code.handle] = code }
    }

    func hasAccountCode(sentBefore moment: Instant) throws(JournalError) -> Bool {
        try tables().accountCodes.values.contains { $0.sentAt < moment }
    }

    func deleteAccountCodes(sentBefore moment: Instant, limit: Int) throws(JournalError) -> Int {
        try change("delete codes") { tables in
            let old = tables.accountCodes.values.filter { $0.sentAt < moment }
                .sorted { $0.sentAt < $1.sentAt }.prefix(limit)
            for code in old { tables.accountCodes[code.handle] = nil }
            return old.count
        }
    }

    func tokenEnd(hash: [UInt8]) throws(JournalError) -> Token.End? { try tables().endedTokens[hash]?.end }

    func endTokens(of account: AccountID, because end: Token.End) throws(JournalError) {
        try change("end tokens") { $0.endTokens(of: account, because: end) }
    }

    func insert(_ token: Token) throws(JournalError) {
        try change("insert token") { tables throws(JournalError) in
            guard tables.tokens[token.hash] == nil, tables.accounts[token.accountID] != nil else {
                throw conflict("insert token", "not unique, or of no account")
            }
            tables.tokens[token.hash] = token
        }
    }

    func use(_ token: Token, _ use: Token.Use, keeping: Int) throws(JournalError) {
        try change("use refresh token") { tables in
            tables.tokens[token.hash]?.use = use
            tables.tokens = tables.tokens.filter {
                $0.value.signIn != token.signIn || $0.value.kind == .refresh
            }
            let used = tables.tokens.values.filter { $0.signIn == token.signIn && $0.use != nil }
            for old in used.sorted(by: { $0.createdAt > $1.createdAt }).dropFirst(keeping) {
                tables.tokens[old.hash] = nil
            }
        }
    }

    func deleteTokens(signIn: ID<Token>) throws(JournalError) {
        try change("delete tokens") { tables in
            tables.tokens = tables.tokens.filter { $0.value.signIn != signIn }
        }
    }

    func deleteTokens(expiredBefore now: Instant) throws(JournalError) {
        try change("delete tokens") { tables in
            tables.tokens = tables.tokens.filter { $0.value.expiresAt >= now }
            tables.endedTokens = tables.endedTokens.filter { $0.value.expiresAt >= now }
        }
    }
}

extension Tables {
    fileprivate mutating func endTokens(of account: AccountID, because end: Token.End) {
        for token in tokens.values where token.accountID == account {
            if token.use == nil {
                endedTokens[token.hash] = EndedToken(end: end, expiresAt: token.expiresAt)
            }
            tokens[token.hash] = nil
        }
        if end == .withdrawn { accountCodes = accountCodes.filter { $0.value.account != account } }
    }

    fileprivate func hasEmail(of account: Account) -> Bool {
        accounts.values.contains {
            $0.id != account.id && IdentityKey($0.address) == IdentityKey(account.address)
        }
    }
}
