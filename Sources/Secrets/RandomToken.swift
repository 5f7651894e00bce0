internal import CSodium

/// 256 random bits that somebody holds to prove who they are: an access or refresh token, an invitation, a
/// presenter link.
///
/// The text goes to its holder once; what is stored is `storedHash`. A hash without salt or cost is right
/// here: nobody guesses 256 bits, and a look-up by the hash needs one index.
package struct RandomToken: Unprintable, Sendable {
    private let bytes: [UInt8]

    /// A new one.
    package init() {
        bytes = Secrets.randomBytes(Bits256.length)
    }

    /// One that a client sent: exactly 43 characters of base64url (RFC 4648 §5) without padding, and in the
    /// one spelling that `text` gives. Nil for everything else, which is nothing but a token that nobody
    /// holds.
    package init?(text: String) {
        guard text.utf8.count == Self.textLength, var text = Optional(text) else { return nil }
        let decoded: [UInt8]? = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                var bytes = [UInt8](repeating: 0, count: Bits256.length)
                var length = 0
                // Strict: it refuses other alphabets and set trailing bits; with `b64_end` nil also anything
                // left over.
                let result = sodium_base642bin(
                    &bytes, bytes.count, characters.baseAddress, characters.count, nil, &length, nil,
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING)
                return result == 0 && length == Bits256.length ? bytes : nil
            }
        }
        guard let decoded else { return nil }
        bytes = decoded
    }

    /// The token that follows from this one: always the same under one key, and unknown to whoever lacks the
    /// key.
    /// - Parameter purpose: tells apart several that follow from one token.
    package func derived(by key: MACKey, purpose: UInt8) -> RandomToken {
        RandomToken(bytes: key.mac([purpose] + bytes))
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Characters of `text`.
    package static let textLength = 43

    /// What the holder is given. Treat it as the secret it is.
    package var text: String {
        // One more for the NUL that it puts at the end.
        var characters = [CChar](repeating: 0, count: Self.textLength + 1)
        sodium_bin2base64(
            &characters, characters.count, bytes, bytes.count, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
        return String(decoding: characters.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// BLAKE2b-256 of the 32 bytes, for the database. Knowing it does not help to sign in.
    package var storedHash: [UInt8] {
        Secrets.mustBeReady()
        var hash = [UInt8](repeating: 0, count: 32)
        let result = crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        precondition(result == 0, "BLAKE2b takes 16 to 64 bytes of output and any input")
        return hash
    }
}
