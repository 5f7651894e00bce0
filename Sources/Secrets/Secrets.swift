internal import CSodium

/// The library underneath. "sodium_init() must be called before any other function": everything of this
/// module that needs it sees to that itself; `start` is for finding out early and with an error.
package enum Secrets {
    /// A `static let` is initialised once and under a lock. "0 on success, -1 on failure, 1 if already
    /// initialized."
    private static let isReady = sodium_init() >= 0

    /// Starts libsodium; call it before a server listens. Calling it again does nothing.
    /// - Throws: `libraryNotStarted`, where the system has no randomness to give.
    package static func start() throws(SecretsError) {
        guard isReady else { throw .libraryNotStarted }
    }

    /// For calls that cannot throw: a program that skipped `start`, or went on after it failed, must not make
    /// weak keys.
    static func mustBeReady() {
        guard isReady else {
            preconditionFailure("Secrets.start() failed or was not called: \(SecretsError.libraryNotStarted)")
        }
    }

    /// `count` bytes from the system's generator, for ids, salts and join codes.
    package static func randomBytes(_ count: Int) -> [UInt8] {
        mustBeReady()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// BLAKE2b of what is no secret, 16 bytes: for entity tags.
    package static func fingerprint(of bytes: [UInt8]) -> [UInt8] {
        mustBeReady()
        var hash = [UInt8](repeating: 0, count: 16)
        // "outlen … between crypto_generichash_BYTES_MIN (16U) and …": fails for lengths out of range only.
        _ = crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        return hash
    }

    /// Whether both are the same bytes, in a time that depends on their length alone. Unequal lengths are
    /// unequal at once.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }
}
