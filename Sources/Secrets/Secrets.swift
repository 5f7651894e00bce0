internal import CSodium

/// Basic functions of libsodium. "sodium_init() must be called before any other function": every function of
/// this module makes this call if necessary. With `start`, a server gets the error early.
package enum Secrets {
    /// Whether libsodium is initialised. Swift initialises a `static let` only once, under a lock.
    /// `sodium_init` returns "0 on success, -1 on failure, 1 if already initialized."
    private static let isReady = sodium_init() >= 0

    /// Initialises libsodium. A server calls this function before it listens. Further calls have no effect.
    /// - Throws: `libraryNotStarted` if the system has no source of random numbers.
    package static func start() throws(SecretsError) {
        guard isReady else { throw .libraryNotStarted }
    }

    /// Traps if libsodium is not initialised. Functions that cannot throw call this function, so that a
    /// program that ignores an error of `start` never creates weak keys.
    static func mustBeReady() {
        guard isReady else {
            preconditionFailure("Secrets.start() failed or was not called: \(SecretsError.libraryNotStarted)")
        }
    }

    /// Returns `count` random bytes from the system's generator, for ids, salts and join codes.
    package static func randomBytes(_ count: Int) -> [UInt8] {
        mustBeReady()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// Returns the BLAKE2b hash of public data with 16 bytes, for entity tags.
    package static func fingerprint(of bytes: [UInt8]) -> [UInt8] {
        mustBeReady()
        var hash = [UInt8](repeating: 0, count: 16)
        // The call fails only if the length is out of range: "outlen … between crypto_generichash_BYTES_MIN
        // (16U) and …".
        _ = crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        return hash
    }

    /// Returns the SHA-256 hash of public data, for content security policies.
    package static func sha256(of bytes: [UInt8]) -> [UInt8] {
        mustBeReady()
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        _ = crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }

    /// Whether both arrays have equal bytes. If the lengths are equal, the duration depends only on the
    /// length. If the lengths differ, the result is false at once.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }
}
