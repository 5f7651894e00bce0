package import Meetings

/// Sends a code and a link to an e-mail address, or a code to a phone number, in a mail that is queued in the
/// same transaction. Nothing in the answer depends on whether an account has the address: the command has no
/// answer, and it writes a record in both cases.
///
/// | state of the address | mail |
/// |---|---|
/// | an account, and the last code is at least a minute old | sent |
/// | a phone number without an account, if it may get one (`opensAccounts`) | sent |
/// | a code is younger than a minute | none |
/// | the address got its mails of a day | none; the last code stays valid until its end |
/// | any other without an account, or a suspended account | none; the record accepts no proof |
/// | verification of a verified address | none; the record accepts no proof |
package struct RequestAccountCode: Command {
    package let purpose: AccountCode.Purpose
    /// The e-mail address or the phone number.
    package let recipient: String
    /// Whether a phone number without an account may get one. Even then, the first account of a server cannot
    /// be opened by a code.
    package let opensAccounts: Bool
    /// The address's record (`AccountCode.subject`).
    package let subject: [UInt8]
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
        code: String, codeMAC: [UInt8], linkHash: [UInt8], path: String, language: String
    ) {
        self.purpose = purpose
        self.recipient = recipient
        self.opensAccounts = opensAccounts
        self.subject = subject
        self.code = code
        self.codeMAC = codeMAC
        self.linkHash = linkHash
        self.path = path
        self.language = language
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let (rows, now) = (transaction.rows, transaction.now)
        let last = try rows.accountCode(subject)
        if let last, !last.allowsAnother(at: now) { return }
        let account = try rows.account(email: IdentityKey(recipient))
        var isOwed = try isOwed(to: account, in: rows)
        let expiresAt = now + AccountCode.lifetime
        if isOwed {
            let mail = OutgoingMail(
                to: account?.address ?? recipient, language: account?.profile.locale ?? language, content,
                notBefore: now, expiresAt: expiresAt, owner: account.map { .init($0.id) })
            // Without this limit, a guesser could have any number of codes to guess.
            if try !transaction.mails.queue(mail) {
                if var last, now < last.expiresAt {
                    last.sentAt = now
                    return try rows.save(last)
                }
                isOwed = false
            }
        }
        try rows.save(
            AccountCode(
                subject: subject, account: isOwed ? account?.id : nil,
                opensAccount: isOwed && account == nil, code: codeMAC, link: linkHash, sentAt: now,
                expiresAt: expiresAt))
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
    package let subject: [UInt8]
    package let proof: AccountCode.Proof

    package init(subject: [UInt8], proof: AccountCode.Proof) {
        self.subject = subject
        self.proof = proof
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        guard var account = try transaction.account(proving: subject, by: proof) else { return false }
        try transaction.rows.deleteAccountCode(subject)
        account.verified = true
        account.version += 1
        try transaction.rows.update(account)
        return true
    }
}

/// Judges a proof without using it up, so that only a right one costs the hash of a new password, or a scan
/// of the account's meetings. Returns false as `VerifyAddress` does.
package struct CheckAccountCode: Command {
    package let subject: [UInt8]
    package let proof: AccountCode.Proof

    package init(subject: [UInt8], proof: AccountCode.Proof) {
        self.subject = subject
        self.proof = proof
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        try transaction.account(proving: subject, by: proof) != nil
    }
}

/// Sets a new password for a person who read the mail. The address is then verified, and all sign-ins of the
/// account end. Returns false as `VerifyAddress` does.
package struct ResetPasswordByCode: Command {
    package let subject: [UInt8]
    package let proof: AccountCode.Proof
    package let hash: String

    package init(subject: [UInt8], proof: AccountCode.Proof, hash: String) {
        self.subject = subject
        self.proof = proof
        self.hash = hash
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        guard var account = try transaction.account(proving: subject, by: proof) else { return false }
        try transaction.rows.deleteAccountCode(subject)
        account.verified = true
        account.passwordHash = hash
        account.version += 1
        try transaction.rows.update(account)
        try transaction.endSignIns(of: account.id, except: nil)
        try transaction.note(.passwordReset, by: .account(account.id), of: account.id)
        return true
    }
}

/// Deletes at most `limit` codes that have expired. Returns their number.
package struct ForgetAccountCodes: Command {
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    package func run(in transaction: Transaction) throws(JournalError) -> Int {
        try transaction.rows.deleteAccountCodes(expiredBefore: transaction.now, limit: limit)
    }
}

extension Transaction {
    /// Returns the account that the proof belongs to; nil if the proof is wrong. Counts a wrong code.
    fileprivate func account(proving subject: [UInt8], by proof: AccountCode.Proof) throws(JournalError)
        -> Account?
    {
        guard case .right(let id?) = try verdict(on: proof, of: subject) else { return nil }
        return try rows.account(id)
    }

    /// Judges a proof, and counts a wrong code.
    func verdict(on proof: AccountCode.Proof, of subject: [UInt8]) throws(JournalError)
        -> AccountCode.Verdict
    {
        guard var code = try rows.accountCode(subject) else { return .wrong(countsAsTry: false) }
        let verdict = code.verdict(on: proof, at: now)
        if verdict == .wrong(countsAsTry: true) {
            code.tries += 1
            try rows.save(code)
        }
        return verdict
    }
}
