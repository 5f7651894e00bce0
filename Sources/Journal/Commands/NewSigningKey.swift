/// A new key pair for passes of a meeting, or for certificates of the server. It is stored if there is no key
/// that can sign.
package struct NewSigningKey: Sendable {
    package let publicKey: [UInt8]
    /// The sealed secret key.
    package let secret: [UInt8]
    /// The number of the newest stored key, if the server cannot open its secret any more.
    package let replaced: Int?

    package init(publicKey: [UInt8], secret: [UInt8], replacing replaced: Int? = nil) {
        (self.publicKey, self.secret, self.replaced) = (publicKey, secret, replaced)
    }

    /// - Parameter newest: the number of the newest stored key; nil if there is none.
    func isNeeded(after newest: Int?) -> Bool { newest == nil || newest == replaced }
}
