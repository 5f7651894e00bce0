internal import CSodium

/// Bytes that only the holder of a key can read, and that nobody can change unnoticed: XSalsa20 and Poly1305
/// ("secretbox").
package enum Sealed {
    /// Bytes of a key: as many as a whole MAC has.
    package static let keyLength = 32

    /// - Parameter key: 32 bytes; anything else is a programmer's error and traps. The nonce is random and
    ///   stands before the rest.
    package static func seal(_ bytes: [UInt8], with key: [UInt8]) -> [UInt8] {
        precondition(key.count == keyLength, "a key has 32 bytes")
        let nonce = Secrets.randomBytes(nonceLength)
        var sealed = [UInt8](repeating: 0, count: bytes.count + macLength)
        // "returns 0 on success", and there is nothing that it could fail at.
        let result = crypto_secretbox_easy(&sealed, bytes, UInt64(bytes.count), nonce, key)
        precondition(result == 0, "secretbox takes any input")
        return nonce + sealed
    }

    /// Nil for what was not sealed with this key, or was changed since.
    package static func open(_ sealed: [UInt8], with key: [UInt8]) -> [UInt8]? {
        precondition(key.count == keyLength, "a key has 32 bytes")
        guard sealed.count >= nonceLength + macLength else { return nil }
        Secrets.mustBeReady()
        let (nonce, rest) = (Array(sealed.prefix(nonceLength)), Array(sealed.dropFirst(nonceLength)))
        var bytes = [UInt8](repeating: 0, count: rest.count - macLength)
        // "-1 if the verification fails".
        return crypto_secretbox_open_easy(&bytes, rest, UInt64(rest.count), nonce, key) == 0 ? bytes : nil
    }

    private static let nonceLength = Int(crypto_secretbox_NONCEBYTES)
    private static let macLength = Int(crypto_secretbox_MACBYTES)
}
