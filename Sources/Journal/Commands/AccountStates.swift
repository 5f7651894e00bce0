package import Meetings

/// Suspends an account. Its sign-ins, its rooms and the screens that it opened end at once. Its data stays,
/// and its meetings go on. If the account is suspended already, the command does nothing.
/// - Throws: `notFound` if there is no such account; `lastOperator` if it is the only operator's account.
package struct SuspendAccount: Command {
    package let id: AccountID
    /// An operator's account, or the server for the operator at the data folder.
    package let actor: Event.Actor

    package init(id: AccountID, by actor: Event.Actor = .server) {
        self.id = id
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Account {
        var account = try transaction.account(id, operatedBy: actor)
        guard account.suspendedAt == nil else { return account }
        try transaction.requireAnotherOperator(than: account)
        account.suspendedAt = transaction.now
        try transaction.saveNext(&account)
        try transaction.rows.endTokens(of: id, because: .suspended)
        try transaction.note(.accountSuspended, by: actor, of: id)
        transaction.endRights(of: .account(id))
        transaction.endRights(of: .presentersOfAccount(id))
        return account
    }
}

/// Resumes a suspended account. Its owner must sign in again. If the account is not suspended, the command
/// does nothing.
/// - Throws: `notFound` if there is no such account.
package struct ResumeAccount: Command {
    package let id: AccountID
    /// An operator's account, or the server for the operator at the data folder.
    package let actor: Event.Actor

    package init(id: AccountID, by actor: Event.Actor = .server) {
        self.id = id
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Account {
        var account = try transaction.account(id, operatedBy: actor)
        guard account.suspendedAt != nil else { return account }
        account.suspendedAt = nil
        try transaction.saveNext(&account)
        try transaction.note(.accountResumed, by: actor, of: id)
        return account
    }
}

/// Sets a new password without the old one, for a person who has proved to be the owner in another way. All
/// sign-ins of the account end.
/// - Throws: `notFound` if there is no such account.
package struct ResetPassword: Command {
    package let id: AccountID
    package let hash: String
    /// An operator's account, or the server for the operator at the data folder.
    package let actor: Event.Actor

    package init(id: AccountID, hash: String, by actor: Event.Actor = .server) {
        self.id = id
        self.hash = hash
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Account {
        var account = try transaction.account(id, operatedBy: actor)
        account.passwordHash = hash
        try transaction.saveNext(&account)
        try transaction.endSignIns(of: id, except: nil)
        try transaction.note(.passwordReset, by: actor, of: id)
        return account
    }
}

extension Transaction {
    /// Returns the account that an operator is about to change.
    /// - Throws: `notFound` if there is no such account; `notAllowed` as `requireOperator`.
    fileprivate func account(_ id: AccountID, operatedBy actor: Event.Actor) throws(JournalError) -> Account {
        try requireOperator(actor)
        guard let account = try rows.account(id) else { throw .refused(.notFound(.account)) }
        return account
    }

    /// Saves a changed account as its next version.
    func saveNext(_ account: inout Account) throws(JournalError) {
        account.version += 1
        try rows.update(account)
        // A suspended account's web hooks get no events.
        hooks.forgetAll()
    }

    /// - Throws: `notAllowed` unless the actor is the server, or an operator's account that is not suspended.
    func requireOperator(_ actor: Event.Actor) throws(JournalError) {
        guard case .account(let id) = actor else { return }
        guard let account = try rows.account(id), account.admin, account.suspendedAt == nil else {
            throw .refused(.notAllowed)
        }
    }

    /// Checks that the server keeps an operator who can sign in.
    /// - Throws: `lastOperator` if the account is the only operator's account that is not suspended.
    func requireAnotherOperator(than account: Account) throws(JournalError) {
        guard account.admin, account.suspendedAt == nil else { return }
        guard try rows.hasOperator(otherThan: account.id) else { throw .refused(.lastOperator) }
    }
}
