internal import CSodium

/// A token of 256 random bits, such as an access token, a refresh token, an invitation or a presenter link. A
/// client proves its identity or its rights with the token.
///
/// The server sends the text to its owner only once, and stores only `storedHash`. This hash needs no salt
/// and no cost, because 256 bits cannot be guessed. The database can find a token by its hash with one index.
package struct RandomToken: Unprintable, Sendable {
    private let bytes: [UInt8]

    /// Creates a random token.
    package init() {
        bytes = Secrets.randomBytes(Bits256.length)
    }

    /// Decodes the text of a token: 43 characters of base64url (RFC 4648 §5) without padding, exactly as
    /// `text` encodes them. Returns nil for any other text. Callers should treat such a text like an unknown
    /// token.
    package init?(text: String) {
        guard text.utf8.count == Self.textLength, let decoded = Base64.url.decode(text),
            decoded.count == Bits256.length
        else { return nil }
        bytes = decoded
    }

    /// Derives another token from this token. The same key always derives the same token, and nobody can
    /// compute the derived token without the key.
    /// - Parameter purpose: a number that distinguishes several derived tokens of the same token.
    package func derived(by key: MACKey, purpose: UInt8) -> RandomToken {
        RandomToken(bytes: key.mac([purpose] + bytes))
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The number of characters of `text`.
    package static let textLength = 43

    /// The text of the token, for its owner. It is a secret and must not be logged or stored.
    package var text: String { Base64.url.encode(bytes) }

    /// The BLAKE2b-256 hash of the 32 bytes, for the database. Nobody can sign in with this hash.
    package var storedHash: [UInt8] {
        Secrets.mustBeReady()
        var hash = [UInt8](repeating: 0, count: 32)
        let result = crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        precondition(result == 0, "BLAKE2b takes 16 to 64 bytes of output and any input")
        return hash
    }
}
