internal import CSodium

/// Authenticated encryption with XSalsa20 and Poly1305 ("secretbox"). Only the owner of the key can read the
/// bytes, and every change to them is detected.
package enum Sealed {
    /// The length of a key in bytes, which is equal to the length of a complete MAC.
    package static let keyLength = 32

    /// Encrypts bytes. The result begins with the nonce.
    ///
    /// - Parameters:
    ///   - key: 32 bytes. The function traps on any other length.
    ///   - nonce: 24 bytes that this key never encrypts other bytes with; random bytes by default.
    package static func seal(_ bytes: [UInt8], with key: [UInt8], nonce: [UInt8]? = nil) -> [UInt8] {
        precondition(key.count == keyLength, "a key has 32 bytes")
        let nonce = nonce ?? Secrets.randomBytes(nonceLength)
        precondition(nonce.count == nonceLength, "a nonce has 24 bytes")
        var sealed = [UInt8](repeating: 0, count: bytes.count + macLength)
        // "returns 0 on success": the call has no reason to fail.
        let result = crypto_secretbox_easy(&sealed, bytes, UInt64(bytes.count), nonce, key)
        precondition(result == 0, "secretbox takes any input")
        return nonce + sealed
    }

    /// Decrypts the result of `seal`. Returns nil if the bytes were encrypted with another key, or were
    /// changed.
    package static func open(_ sealed: [UInt8], with key: [UInt8]) -> [UInt8]? {
        precondition(key.count == keyLength, "a key has 32 bytes")
        guard sealed.count >= nonceLength + macLength else { return nil }
        Secrets.mustBeReady()
        let (nonce, rest) = (Array(sealed.prefix(nonceLength)), Array(sealed.dropFirst(nonceLength)))
        var bytes = [UInt8](repeating: 0, count: rest.count - macLength)
        // The result is "-1 if the verification fails".
        return crypto_secretbox_open_easy(&bytes, rest, UInt64(rest.count), nonce, key) == 0 ? bytes : nil
    }

    /// The length of a nonce in bytes.
    package static let nonceLength = Int(crypto_secretbox_NONCEBYTES)
    private static let macLength = Int(crypto_secretbox_MACBYTES)
}
