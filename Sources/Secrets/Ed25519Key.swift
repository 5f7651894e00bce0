internal import CSodium

/// A key pair that signs (Ed25519, RFC 8032). The public key verifies signatures and can make none, so other
/// machines may have it.
package struct Ed25519Key: Unprintable, Sendable {
    private let seed: [UInt8]
    private let secretKey: [UInt8]
    /// The public key of 32 bytes.
    package let publicKey: [UInt8]

    /// The length of a signature in bytes.
    package static let signatureLength = Int(crypto_sign_ed25519_BYTES)
    private static let seedLength = Int(crypto_sign_ed25519_SEEDBYTES)
    private static let publicKeyLength = Int(crypto_sign_ed25519_PUBLICKEYBYTES)

    /// Creates a random key pair.
    package init() { self.init(seed: Secrets.randomBytes(Self.seedLength)) }

    /// Derives the key pair from a seed of 32 bytes. Traps on any other length.
    package init(seed: [UInt8]) {
        precondition(seed.count == Self.seedLength, "a seed has 32 bytes")
        Secrets.mustBeReady()
        var publicKey = [UInt8](repeating: 0, count: Self.publicKeyLength)
        var secretKey = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_SECRETKEYBYTES))
        // The result is always 0.
        _ = crypto_sign_ed25519_seed_keypair(&publicKey, &secretKey, seed)
        (self.seed, self.publicKey, self.secretKey) = (seed, publicKey, secretKey)
    }

    /// Returns the sealed secret key, for the database. It opens only for the same owner and public key.
    /// - Parameter owner: the bytes of the owner's id, always of the same length.
    package func sealed(for owner: [UInt8], with key: [UInt8]) -> [UInt8] {
        Sealed.seal(owner + publicKey + seed, with: key)
    }

    /// Opens a sealed secret key. Returns nil if it was sealed with another key, for another owner, or with
    /// another public key.
    package init?(sealed: [UInt8], for owner: [UInt8], publicKey: [UInt8], with key: [UInt8]) {
        guard let opened = Sealed.open(sealed, with: key), opened.starts(with: owner + publicKey),
            opened.count == owner.count + Self.publicKeyLength + Self.seedLength
        else { return nil }
        self.init(seed: Array(opened.suffix(Self.seedLength)))
        guard self.publicKey == publicKey else { return nil }
    }

    /// Returns the signature. The same message always gets the same one.
    package func signature(of message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Self.signatureLength)
        // The result is always 0, and the length of the signature is always the same.
        _ = crypto_sign_ed25519_detached(&signature, nil, message, UInt64(message.count), secretKey)
        return signature
    }

    /// Whether the owner of the public key has signed the message. libsodium also refuses public keys of
    /// small order and second spellings of a signature.
    package static func verifies(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard signature.count == signatureLength, publicKey.count == publicKeyLength else { return false }
        Secrets.mustBeReady()
        return crypto_sign_ed25519_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }

    /// Returns the key for `Sealed` that only this key's owner and the owner of the other public key can
    /// compute (X25519, RFC 7748, and HSalsa20, as libsodium's "box"). Both compute the same key. Returns nil
    /// if the other key is malformed.
    package func sharedKey(with other: [UInt8]) -> [UInt8]? {
        guard other.count == Self.publicKeyLength else { return nil }
        var own = [UInt8](repeating: 0, count: Int(crypto_scalarmult_curve25519_SCALARBYTES))
        var theirs = [UInt8](repeating: 0, count: Int(crypto_scalarmult_curve25519_BYTES))
        var shared = [UInt8](repeating: 0, count: Int(crypto_box_BEFORENMBYTES))
        // The conversion of the other key, and the product, refuse points of small order.
        guard crypto_sign_ed25519_pk_to_curve25519(&theirs, other) == 0,
            crypto_sign_ed25519_sk_to_curve25519(&own, secretKey) == 0,
            crypto_box_beforenm(&shared, theirs, own) == 0
        else { return nil }
        return shared
    }
}
