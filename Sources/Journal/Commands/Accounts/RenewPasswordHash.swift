package import Meetings

/// Replaces a password's hash by another of the same password. Nothing else of the account changes, and no
/// sign-in ends; nothing where the password was changed meanwhile.
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
