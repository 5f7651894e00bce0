import Journal
import Meetings
import Secrets

/// A password as somebody typed it. The same one may come composed or decomposed from different keyboards
/// (RFC 8265 §4.2).
struct Password {
    let text: Redacted<String>

    init(_ typed: String) { text = Redacted(PasswordText.composed(typed)) }
}

extension RequestContext {
    /// The number of rechecks if the stored hash changes during a check.
    private static let mostChecks = 3

    /// Checks a password, and then calls `act` with the account and the hash that the password fits. Failures
    /// are counted by account and address.
    ///
    /// `act` must compare that hash once more inside its transaction, and throw `passwordChanged` if it
    /// differs. Then the password is checked against the new hash: it fits still if only the cost of the hash
    /// was renewed.
    /// - Throws: `wrong_credentials`, 429 after too many failures, and what `act` throws.
    func withPassword<Result>(
        _ typed: String, of email: String, _ act: (Account, PasswordHash) async throws -> Result
    ) async throws -> Result {
        let key = IdentityKey(email)
        let limits = services.limits
        // Includes the client's address, so that an attacker elsewhere cannot lock the host out.
        let (byAccount, byAddress) = ("sign-in \(key.text) from \(origin)", "sign-in from \(origin)")
        try requireAttempt(byAccount, FailureLimits.signIn)
        try requireAttempt(byAddress, FailureLimits.signInFromAddress)
        for _ in 1...Self.mostChecks {
            let account = try await storage.read { rows throws(JournalError) in try rows.account(email: key) }
            // An unknown account takes the same time, so that the delay does not reveal whether an account
            // exists.
            let hash = try account.map { try PasswordHash(encoded: $0.passwordHash) }
            guard try await services.passwords.verify(Password(typed).text, against: hash), let account,
                let hash
            else {
                failed(byAccount, FailureLimits.signIn)
                failed(byAddress, FailureLimits.signInFromAddress)
                throw Refusal.wrongCredentials
            }
            do {
                let result = try await act(account, hash)
                limits.succeeded(byAccount)
                return result
            } catch Refusal.passwordChanged {
                continue
            }
        }
        throw Refusal.wrongCredentials
    }
}
