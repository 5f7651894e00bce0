/// Whom a client speaks for.
package enum Authority: Sendable {
    case nobody
    /// A token, a receipt or a grant that is used as it is.
    case bearer(String)
    /// A host's sign-in, renewed when it has expired.
    case signIn(SignInKeeper)
}
