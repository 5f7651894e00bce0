package import Meetings

/// Makes the account of an e-mail address an operator's.
package struct MakeOperator: Command {
    package let email: String

    package init(email: String) { self.email = email }

    package func run(in transaction: Transaction) throws(JournalError) -> Account {
        guard var account = try transaction.rows.account(email: IdentityKey(email)) else {
            throw .refused(.notFound(.account))
        }
        if !account.admin {
            account.admin = true
            account.version += 1
            try transaction.rows.update(account)
        }
        try transaction.rows.noteOperator()
        return account
    }
}
