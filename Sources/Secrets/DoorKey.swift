internal import CSodium

/// A secret of 128 random bits that a person types at an offline door: the code by which a laptop joins, or
/// the key that opens names and numbers.
///
/// Anybody can encrypt for the public half of a key (X25519 with XSalsa20 and Poly1305, "sealed box"). So a
/// server that stores the public half alone can encrypt again and again, and can open nothing.
package struct DoorKey: Unprintable, Sendable {
    private let bytes: [UInt8]
    private let secretKey: [UInt8]
    /// The public half of 32 bytes.
    package let publicKey: [UInt8]

    private static let length = 16
    /// The number of characters of `text`.
    package static let textLength = 26
    private static let purpose = Array("QRing key typed at a door".utf8)

    /// Creates a random key.
    package init() { self.init(bytes: Secrets.randomBytes(Self.length)) }

    /// Reads the text of a key as a person types it: Crockford's base32, in upper or lower case, with or
    /// without hyphens and spaces. Returns nil for any other text.
    package init?(text: String) {
        let typed = text.filter { !$0.isWhitespace }
        guard typed.utf8.count <= 2 * Self.textLength, let bytes = Crockford.decode(typed),
            bytes.count == Self.length
        else { return nil }
        self.init(bytes: bytes)
    }

    private init(bytes: [UInt8]) {
        Secrets.mustBeReady()
        self.bytes = bytes
        var seed = [UInt8](repeating: 0, count: Int(crypto_box_SEEDBYTES))
        let hashed = crypto_generichash(
            &seed, seed.count, Self.purpose, UInt64(Self.purpose.count), bytes, bytes.count)
        precondition(hashed == 0, "BLAKE2b takes keys of 16 to 64 bytes")
        var publicKey = [UInt8](repeating: 0, count: Int(crypto_box_PUBLICKEYBYTES))
        var secretKey = [UInt8](repeating: 0, count: Int(crypto_box_SECRETKEYBYTES))
        // The result is always 0.
        _ = crypto_box_seed_keypair(&publicKey, &secretKey, seed)
        (self.publicKey, self.secretKey) = (publicKey, secretKey)
    }

    /// The text of the key, for a person who types it. It is a secret and must not be logged or stored.
    package var text: String { Crockford.encode(bytes) }

    /// The BLAKE2b-256 hash of a code, for the database. Nobody can join with this hash.
    package var storedHash: [UInt8] {
        var hash = [UInt8](repeating: 0, count: 32)
        let purpose = Array("QRing code of an offline door".utf8)
        let hashed = crypto_generichash(
            &hash, hash.count, purpose, UInt64(purpose.count), bytes, bytes.count)
        precondition(hashed == 0, "BLAKE2b takes keys of 16 to 64 bytes")
        return hash
    }

    /// Encrypts bytes for the owner of the key. Returns nil if the public half is malformed.
    package static func seal(_ bytes: [UInt8], for publicKey: [UInt8]) -> [UInt8]? {
        guard publicKey.count == Int(crypto_box_PUBLICKEYBYTES) else { return nil }
        Secrets.mustBeReady()
        var sealed = [UInt8](repeating: 0, count: bytes.count + Int(crypto_box_sealbytes()))
        return crypto_box_seal(&sealed, bytes, UInt64(bytes.count), publicKey) == 0 ? sealed : nil
    }

    /// Decrypts the result of `seal`. Returns nil if the bytes are for another key, or were changed.
    package func open(_ sealed: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Int(crypto_box_sealbytes()) else { return nil }
        var bytes = [UInt8](repeating: 0, count: sealed.count - Int(crypto_box_sealbytes()))
        return crypto_box_seal_open(&bytes, sealed, UInt64(sealed.count), publicKey, secretKey) == 0
            ? bytes : nil
    }
}
