/// The caller whose token a client sends.
package enum Authority: Sendable {
    case nobody
    /// A caller with a token, a receipt or a grant, which the client does not renew.
    case bearer(String)
    /// A signed-in host. The client renews the sign-in when it has expired.
    case signIn(SignInKeeper)
}
