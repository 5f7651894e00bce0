package import Meetings

/// Begins a sign-in, or renews one: the pair of tokens that it had before dies with the same commit.
package struct KeepSignIn: Command {
    package let access: Token
    package let refresh: Token
    /// The hash of the refresh token that is being used up; nil for a new sign-in.
    package let replacing: [UInt8]?

    package init(access: Token, refresh: Token, replacing: [UInt8]? = nil) {
        self.access = access
        self.refresh = refresh
        self.replacing = replacing
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        if let replacing {
            // Two renewals at once: the second finds the token gone.
            guard let old = try transaction.rows.token(hash: replacing), old.kind == .refresh, old.signIn == refresh.signIn,
                old.expiresAt > transaction.now
            else {
                throw .refused(.wrongCredentials)
            }
            try transaction.rows.deleteTokens(signIn: refresh.signIn)
        }
        // The account may have gone since the password was compared. Its tokens would have no place, and that would fail the whole batch.
        guard try transaction.rows.account(access.accountID) != nil else { throw .refused(.wrongCredentials) }
        try transaction.rows.deleteTokens(expiredBefore: transaction.now)
        try transaction.rows.insert(access)
        try transaction.rows.insert(refresh)
    }
}

package struct EndSignIn: Command {
    package let signIn: ID<Token>

    package init(signIn: ID<Token>) { self.signIn = signIn }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.deleteTokens(signIn: signIn)
    }
}
