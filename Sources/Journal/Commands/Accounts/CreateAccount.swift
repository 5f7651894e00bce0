package import Meetings

/// Who may sign up: the operator's choice.
package enum SignUp: String, Sendable, CaseIterable {
    case open
    /// The first account only; others need an operator's invitation.
    case invite
    /// Nobody but the first account.
    case closed

    /// Whether somebody may sign up who is not the first.
    package func takes(isInvited: Bool) -> Bool { self == .open || (self == .invite && isInvited) }
}

/// Signs a host up. The first account of a server is its operator's, whatever the mode.
package struct CreateAccount: Command {
    package let email: String
    package let name: String
    package let passwordHash: String
    package let profile: Account.Profile
    package let signUp: SignUp
    /// Whether an operator has invited the address.
    package let isInvited: Bool

    package init(
        email: String, name: String, passwordHash: String, profile: Account.Profile, signUp: SignUp, isInvited: Bool = false
    ) {
        self.email = email
        self.name = name
        self.passwordHash = passwordHash
        self.profile = profile
        self.signUp = signUp
        self.isInvited = isInvited
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Account {
        let isFirst = try transaction.rows.accountCount() == 0
        guard isFirst || signUp.takes(isInvited: isInvited) else { throw .refused(.signUpClosed) }
        guard try transaction.rows.account(email: IdentityKey(email)) == nil else { throw .refused(.emailTaken) }
        let account = Account(
            id: .make(at: transaction.now), email: email, name: name, passwordHash: passwordHash, profile: profile, admin: isFirst,
            createdAt: transaction.now)
        try transaction.rows.insert(account)
        return account
    }
}

/// Changes what is not nil.
package struct EditAccount: Command {
    package let id: AccountID
    package let name: String?
    package let passwordHash: String?
    /// Each field that is not nil replaces the one that stands.
    package let profile: Account.Profile
    package let expected: ExpectedVersion
    /// With a new password every other sign-in ends.
    package let keeping: ID<Token>?

    package init(
        id: AccountID, name: String?, passwordHash: String?, profile: Account.Profile, expected: ExpectedVersion, keeping: ID<Token>? = nil
    ) {
        self.id = id
        self.name = name
        self.passwordHash = passwordHash
        self.profile = profile
        self.expected = expected
        self.keeping = keeping
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Account {
        guard var account = try transaction.rows.account(id) else { throw .refused(.notFound(.account)) }
        try expected.check(account.version)
        account.name = name ?? account.name
        account.passwordHash = passwordHash ?? account.passwordHash
        account.profile = account.profile.mended(by: profile)
        account.version += 1
        try transaction.rows.update(account)
        if passwordHash != nil {
            for other in try transaction.rows.signIns(of: id) where other.signIn != keeping {
                try transaction.rows.deleteTokens(signIn: other.signIn)
            }
        }
        return account
    }
}

/// A host withdraws. Meetings that nobody else owns go too, and then the account's address must be given as confirmation.
package struct DeleteAccount: Command {
    package let id: AccountID
    package let confirmation: String?

    package init(id: AccountID, confirmation: String?) {
        self.id = id
        self.confirmation = confirmation
    }

    /// Returns the presenter links that end with the account, whose rooms must end.
    package func run(in transaction: Transaction) throws(JournalError) -> [PresenterLinkID] {
        guard let account = try transaction.rows.account(id) else { throw .refused(.notFound(.account)) }
        let orphans = try meetingsLeftWithoutOwner(in: transaction)
        if !orphans.isEmpty, confirmation.map({ IdentityKey($0) }) != IdentityKey(account.email) {
            var checkIns = 0
            for record in orphans { checkIns += try transaction.checkIns(of: record.meeting.id) }
            throw .refused(.confirmationNeeded(name: account.email, checkIns: checkIns))
        }
        for record in orphans { try transaction.deleteMeeting(record.meeting.id) }
        let revoked = try transaction.revoke(try transaction.rows.presenterLinks(createdBy: id), by: id)
        try transaction.rows.delete(id)
        return revoked
    }

    private func meetingsLeftWithoutOwner(in transaction: Transaction) throws(JournalError) -> [SessionRecord] {
        var orphans: [SessionRecord] = []
        var cursor: MeetingCursor?
        repeat {
            let page = try transaction.rows.meetings(of: id, at: transaction.now, after: cursor, limit: 200)
            for record in page {
                let owners = try transaction.rows.members(of: record.meeting.id).filter { $0.role == .owner }
                if owners.map(\.account) == [id] { orphans.append(record) }
            }
            cursor = page.count < 200 ? nil : page.last.map { MeetingCursor(after: $0, at: transaction.now) }
        } while cursor != nil
        return orphans
    }
}
