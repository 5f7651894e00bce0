package import Meetings

/// The people who may sign up. The operator chooses one of these modes.
package enum SignUp: String, Sendable, CaseIterable {
    case open
    /// Only people with an operator's invitation may sign up.
    case invite
    /// Nobody may sign up.
    case closed

    /// Whether a person may sign up when the server already has its first operator.
    package func takes(isInvited: Bool) -> Bool { self == .open || (self == .invite && isInvited) }
}

/// The proof that a sign-up request brings.
package enum SignUpProof: Sendable {
    case none
    /// The request has the set-up token or comes from the server's own machine. The account becomes the
    /// operator if the server has never had one.
    case setUp
    /// The person has access to the data folder. The account becomes an operator.
    case dataFolder
}

/// Creates a host's account. The first account of a server becomes its operator in every sign-up mode, and
/// needs a proof. If all accounts are deleted later, the next account does not become an operator.
/// - Throws: `setupTokenRequired` if the server has never had an operator and the request brings no proof;
///   `signUpClosed` if the mode does not let this person sign up; `emailTaken` if another account has the
///   e-mail address.
package struct CreateAccount: Command {
    package let email: String
    package let name: String
    package let passwordHash: String
    package let profile: Account.Profile
    package let signUp: SignUp
    /// Whether an operator has invited the e-mail address.
    package let isInvited: Bool
    package let proof: SignUpProof
    /// The operator who creates the account for somebody else; nil for a sign-up.
    package let creator: AccountID?
    /// Sends the code that verifies the address; nil if the server requires no verification.
    package let verification: RequestAccountCode?

    package init(
        email: String, name: String, passwordHash: String, profile: Account.Profile, signUp: SignUp,
        isInvited: Bool = false,
        proof: SignUpProof, creator: AccountID? = nil, verification: RequestAccountCode? = nil
    ) {
        self.email = email
        self.name = name
        self.passwordHash = passwordHash
        self.profile = profile
        self.signUp = signUp
        self.isInvited = isInvited
        self.proof = proof
        self.creator = creator
        self.verification = verification
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Account {
        if let creator { try transaction.requireOperator(.account(creator)) }
        let isOperator: Bool
        switch (proof, try transaction.rows.hasHadOperator()) {
        case (.none, false): throw .refused(.setupTokenRequired)
        case (.setUp, false), (.dataFolder, _): isOperator = true
        case (.none, true), (.setUp, true):
            guard signUp.takes(isInvited: isInvited) else { throw .refused(.signUpClosed) }
            isOperator = false
        }
        guard try transaction.rows.account(email: IdentityKey(email)) == nil else {
            throw .refused(.emailTaken)
        }
        let account = Account(
            id: .make(at: transaction.now), email: email, name: name, passwordHash: passwordHash,
            profile: profile, admin: isOperator,
            createdAt: transaction.now)
        try transaction.rows.insert(account)
        let isByOperator = if case .dataFolder = proof { true } else { false }
        try transaction.note(
            .accountCreated, by: isByOperator ? .server : .account(creator ?? account.id), of: account.id)
        if isOperator { try transaction.rows.noteOperator() }
        try verification?.run(in: transaction)
        return account
    }
}

/// Edits an account. Each field of this command that is not nil replaces the stored value.
/// - Throws: `passwordChanged` if somebody changed the password after the check.
package struct EditAccount: Command {
    package let id: AccountID
    package let name: String?
    package let password: NewPassword?
    /// The new values of the profile. Each field that is not nil replaces the stored one.
    package let profile: Account.Profile
    /// The fields of the profile that become empty.
    package let cleared: Set<Account.Profile.Field>
    package let expected: ExpectedVersion

    /// A new password. All sign-ins of the account end, except `keeping`.
    package struct NewPassword: Sendable {
        /// The stored hash against which the current password was checked.
        package let checked: String
        package let hash: String
        package let keeping: ID<Token>?

        package init(checked: String, hash: String, keeping: ID<Token>? = nil) {
            self.checked = checked
            self.hash = hash
            self.keeping = keeping
        }
    }

    package init(
        id: AccountID, name: String?, password: NewPassword? = nil, profile: Account.Profile,
        clearing cleared: Set<Account.Profile.Field> = [], expected: ExpectedVersion
    ) {
        self.id = id
        self.name = name
        self.password = password
        self.profile = profile
        self.cleared = cleared
        self.expected = expected
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Account {
        guard var account = try transaction.rows.account(id) else { throw .refused(.notFound(.account)) }
        try expected.check(account.version)
        if let password { try account.requirePassword(password.checked) }
        account.name = name ?? account.name
        account.passwordHash = password?.hash ?? account.passwordHash
        account.profile = account.profile.updated(with: profile, clearing: cleared)
        try transaction.saveNext(&account)
        if password != nil { try transaction.endSignIns(of: id, except: password?.keeping) }
        return account
    }
}

/// Deletes an account, and deletes or hands over the meetings that no other account owns.
/// - Throws: `passwordChanged` if somebody changed the password after the check; `confirmationCodeNotValid`
///   if the code was used meanwhile; `lastOperator` if it is the only operator's account;
///   `confirmationNeeded` if meetings would be deleted and `confirmation` is not the account's address.
package struct DeleteAccount: Command {
    /// The proof that the owner wants it.
    package enum Evidence: Sendable {
        /// The stored hash against which the password was checked.
        case password(checked: String)
        /// A code that was sent to the account's phone.
        case code(AccountCode.Claim)
        /// An operator wants it, and not the owner.
        case byOperator(AccountID)
        /// The operator at the data folder wants it.
        case dataFolder
    }

    package let id: AccountID
    package let evidence: Evidence
    package let confirmation: String?
    package let meetings: OwnMeetings

    package init(
        id: AccountID, checked: String, confirmation: String?, meetings: OwnMeetings = .delete
    ) {
        self.init(
            id: id, .password(checked: checked), confirmation: confirmation, meetings: meetings)
    }

    package init(id: AccountID, _ evidence: Evidence, confirmation: String?, meetings: OwnMeetings) {
        self.id = id
        self.evidence = evidence
        self.confirmation = confirmation
        self.meetings = meetings
    }

    package func run(in transaction: Transaction) throws(JournalError) { try runAtOnce(in: transaction) }

    package var planning: Planning { .scanning }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard let account = try rows.account(id) else { throw .refused(.notFound(.account)) }
        return try AccountWork(
            of: id, meetings, countsCheckIns: !isConfirmed(account), from: rows)
    }

    private func isConfirmed(_ account: Account) -> Bool {
        confirmation.map { IdentityKey($0) } == IdentityKey(account.address)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<Void>
    {
        guard let work = work as? AccountWork else { return .outdated }
        guard let account = try transaction.rows.account(id) else { throw .refused(.notFound(.account)) }
        switch evidence {
        case .password(let checked): try account.requirePassword(checked)
        case .code(let claim):
            guard let code = try transaction.code(provedBy: claim), code.account == account.id else {
                throw .refused(.confirmationCodeNotValid)
            }
        case .byOperator(let actor): try transaction.requireOperator(.account(actor))
        case .dataFolder: break
        }
        try transaction.requireAnotherOperator(than: account)
        if !isConfirmed(account), try transaction.rows.soleMeetingCount(of: id) > 0 {
            throw .refused(.confirmationNeeded(name: account.address, checkIns: work.checkIns))
        }
        // Nobody can undo the work from here on, and its end does not know the actor after a restart.
        let actor: Event.Actor =
            switch evidence {
            case .password, .code: .account(id)
            case .byOperator(let actor): .account(actor)
            case .dataFolder: .server
            }
        try transaction.note(.accountDeleted, by: actor, of: id)
        return .begun
    }

    package func answer(to work: any Work, in transaction: Transaction) {}
}

/// Makes the account with this e-mail address an operator.
/// - Throws: `notFound` if no account has this e-mail address.
package struct MakeOperator: Command {
    package let email: String
    /// An operator's account, or the server for the operator at the data folder.
    package let actor: Event.Actor

    package init(email: String, by actor: Event.Actor = .server) {
        self.email = email
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Account {
        try transaction.requireOperator(actor)
        guard var account = try transaction.rows.account(email: IdentityKey(email)) else {
            throw .refused(.notFound(.account))
        }
        if !account.admin {
            account.admin = true
            try transaction.saveNext(&account)
            try transaction.note(.operatorMade, by: actor, of: account.id)
        }
        try transaction.rows.noteOperator()
        return account
    }
}

/// Replaces the stored hash of a password by another hash of the same password. The command changes nothing
/// else of the account, and no sign-in ends. If the password was changed meanwhile, the command does nothing.
package struct RenewPasswordHash: Command {
    package let account: AccountID
    package let from: String
    package let to: String

    package init(account: AccountID, from: String, to: String) {
        self.account = account
        self.from = from
        self.to = to
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        guard var found = try transaction.rows.account(account), found.passwordHash == from else { return }
        found.passwordHash = to
        try transaction.rows.update(found)
    }
}
