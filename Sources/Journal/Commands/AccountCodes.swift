package import Meetings

/// Sends a code and a link to an e-mail address, or a code to a phone number, in a mail that is queued in the
/// same transaction. Nothing in the answer depends on whether an account has the address: the command writes
/// a record in both cases, and counts records instead of mails. A new code does not end older ones.
///
/// | state of the address | record | mail |
/// |---|---|---|
/// | an account | yes | sent |
/// | a phone number without an account, if it may get one (`opensAccounts`) | yes | sent |
/// | any other without an account, or a suspended account | yes; it accepts no proof | none |
/// | verification of a verified address | yes; it accepts no proof | none |
/// | the last code for the purpose is younger than a minute, or the day had enough of them | no | none |
///
/// Records from before the account existed do not count. Otherwise, requests for an address without an
/// account, which send nothing, could use up the codes of a later sign-up.
package struct RequestAccountCode: Command {
    package let purpose: AccountCode.Purpose
    /// The e-mail address or the phone number.
    package let recipient: String
    /// Whether a phone number without an account may get one. Even then, the first account of a server cannot
    /// be opened by a code.
    package let opensAccounts: Bool
    /// The address, as in `AccountCode.subject`.
    package let subject: [UInt8]
    /// The hash of the handle for the answer.
    package let handle: [UInt8]
    /// The code's six digits, for the mail.
    package let code: String
    package let codeMAC: [UInt8]
    package let linkHash: [UInt8]
    /// The path of the link in the mail.
    package let path: String
    /// The language of the mail if the account has none.
    package let language: String

    package init(
        purpose: AccountCode.Purpose, to recipient: String, opensAccounts: Bool = false, subject: [UInt8],
        handle: [UInt8], code: String, codeMAC: [UInt8], linkHash: [UInt8], path: String, language: String
    ) {
        self.purpose = purpose
        self.recipient = recipient
        self.opensAccounts = opensAccounts
        self.subject = subject
        self.handle = handle
        self.code = code
        self.codeMAC = codeMAC
        self.linkHash = linkHash
        self.path = path
        self.language = language
    }

    /// The result, which is the same for known and unknown addresses.
    package struct Outcome: Hashable, Sendable {
        /// Whether the request made a code, so that its handle is valid.
        package let isNew: Bool
        /// The moment from which the server sends the next code.
        package let nextMessageAt: Instant

        package init(isNew: Bool, nextMessageAt: Instant) {
            (self.isNew, self.nextMessageAt) = (isNew, nextMessageAt)
        }
    }

    @discardableResult
    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let (rows, now) = (transaction.rows, transaction.now)
        let account = try rows.account(email: IdentityKey(recipient))
        let earlier = try rows.accountCodes(of: subject, since: now - AccountCode.day).filter { code in
            account.map { code.account == $0.id || code.sentAt > $0.createdAt } ?? true
        }
        let earliest = AccountCode.nextMessage(for: purpose, after: earlier, at: now)
        guard earliest <= now else { return Outcome(isNew: false, nextMessageAt: earliest) }
        var isOwed = try isOwed(to: account, in: rows)
        let expiresAt = now + AccountCode.lifetime
        if isOwed {
            let mail = OutgoingMail(
                to: account?.address ?? recipient, language: account?.profile.locale ?? language, content,
                notBefore: now, expiresAt: expiresAt, owner: account.map { .init($0.id) })
            // The queue may remember mails of a deleted account whose records are gone.
            isOwed = try transaction.mails.queue(mail)
        }
        let record = AccountCode(
            handle: handle, subject: subject, purpose: purpose, account: isOwed ? account?.id : nil,
            opensAccount: isOwed && account == nil, code: codeMAC, link: linkHash, sentAt: now,
            expiresAt: expiresAt)
        try rows.save(record)
        return Outcome(
            isNew: true,
            nextMessageAt: AccountCode.nextMessage(for: purpose, after: earlier + [record], at: now))
    }

    private func isOwed(to account: Account?, in rows: any WritableRows) throws(JournalError) -> Bool {
        guard let account else {
            guard opensAccounts else { return false }
            return try rows.hasHadOperator()
        }
        return account.suspendedAt == nil && !(purpose == .verification && account.verified)
    }

    private var content: OutgoingMail.Content {
        switch purpose {
        case .verification: .verification(code: code, path: path)
        case .passwordReset: .passwordReset(code: code, path: path)
        case .phoneSignIn: .phoneCode(code: code)
        }
    }
}

/// Verifies an account's e-mail address. Returns false if the proof is wrong, has expired or was used; a
/// wrong code counts as a try. It does not throw then, because a refused command stores no try.
package struct VerifyAddress: Command {
    package let claim: AccountCode.Claim

    package init(_ claim: AccountCode.Claim) { self.claim = claim }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        guard var account = try transaction.accountOfCode(using: claim) else { return false }
        account.verified = true
        try transaction.saveNext(&account)
        return true
    }
}

/// Judges a proof without using it up, so that only a right one costs the hash of a new password, or a scan
/// of the account's meetings. Returns false as `VerifyAddress` does.
package struct CheckAccountCode: Command {
    package let claim: AccountCode.Claim

    package init(_ claim: AccountCode.Claim) { self.claim = claim }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        try transaction.code(provedBy: claim)?.account != nil
    }
}

/// Sets a new password for a person who read the mail. The address is then verified, and all sign-ins of the
/// account and all other codes for a new password end. Returns false as `VerifyAddress` does.
package struct ResetPasswordByCode: Command {
    package let claim: AccountCode.Claim
    package let hash: String

    package init(_ claim: AccountCode.Claim, hash: String) {
        self.claim = claim
        self.hash = hash
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        let (rows, now) = (transaction.rows, transaction.now)
        guard var account = try transaction.accountOfCode(using: claim) else { return false }
        for var other in try rows.accountCodes(of: claim.subject, since: now - AccountCode.day)
        where other.purpose == claim.purpose && now < other.expiresAt {
            other.end(at: now)
            try rows.save(other)
        }
        account.verified = true
        account.passwordHash = hash
        try transaction.saveNext(&account)
        try transaction.endSignIns(of: account.id, except: nil)
        try transaction.note(.passwordReset, by: .account(account.id), of: account.id)
        return true
    }
}

/// Deletes at most `limit` codes that no longer count. Returns their number.
package struct ForgetAccountCodes: Command {
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    package func run(in transaction: Transaction) throws(JournalError) -> Int {
        try transaction.rows.deleteAccountCodes(
            sentBefore: transaction.now - AccountCode.day, limit: limit)
    }
}

extension Transaction {
    /// Returns the account that a claim belongs to, and ends the claim's code; nil if the claim is wrong.
    fileprivate func accountOfCode(using claim: AccountCode.Claim) throws(JournalError) -> Account? {
        guard let code = try code(provedBy: claim), let id = code.account,
            let account = try rows.account(id)
        else { return nil }
        try use(code)
        return account
    }

    /// Returns the code that a claim proves; nil if the claim is wrong. Counts a wrong code.
    func code(provedBy claim: AccountCode.Claim) throws(JournalError) -> AccountCode? {
        let codes = try rows.accountCodes(of: claim.subject, since: now - AccountCode.day)
        switch AccountCode.judge(claim, among: codes, at: now) {
        case .right(let code): return code
        case .wrong(let counted):
            for code in counted { try rows.save(code) }
            return nil
        }
    }

    /// Ends a code, because it was used.
    func use(_ code: AccountCode) throws(JournalError) {
        var code = code
        code.end(at: now)
        try rows.save(code)
    }
}
