internal import CSodium

/// The cost of a password hash (Argon2id, RFC 9106). A higher cost makes a password harder to guess from its
/// hash, and makes a sign-in slower.
package struct PasswordCost: Equatable, Sendable {
    /// The number of passes over the memory, 1 to 10.
    package let passes: Int
    /// The memory for one hash in KiB, 8 to 1,048,576.
    package let memoryKibibytes: Int

    /// Two passes over 64 MiB, which is the "interactive" cost of libsodium. A hash takes about 0.1 s on one
    /// core.
    package static let interactive = PasswordCost(checkedPasses: 2, checkedMemoryKibibytes: 65_536)

    /// - Throws: `costOutOfRange` if a parameter is outside its range.
    package init(passes: Int, memoryKibibytes: Int) throws(SecretsError) {
        guard 1...10 ~= passes else { throw .costOutOfRange(setting: "passes \(passes), not 1…10") }
        guard 8...1_048_576 ~= memoryKibibytes else {
            throw .costOutOfRange(setting: "memory \(memoryKibibytes) KiB, not 8…1,048,576")
        }
        self.init(checkedPasses: passes, checkedMemoryKibibytes: memoryKibibytes)
    }

    private init(checkedPasses: Int, checkedMemoryKibibytes: Int) {
        passes = checkedPasses
        memoryKibibytes = checkedMemoryKibibytes
    }

    var memoryBytes: Int { memoryKibibytes * 1024 }
}

/// An Argon2id hash with its salt and cost, in the form that the database stores. `PasswordHasher` creates
/// and checks these hashes.
package struct PasswordHash: Unprintable, Equatable, Sendable {
    /// The text form `$argon2id$v=19$m=…,t=…,p=1$salt$hash`, with at most 127 ASCII characters. It must not
    /// be logged.
    package let encoded: String

    /// Creates a hash from its stored text.
    /// - Throws: `malformedPasswordHash` if the text is not an Argon2id hash.
    package init(encoded: String) throws(SecretsError) {
        self.encoded = encoded
        guard encoded.hasPrefix("$argon2id$"), encoded.utf8.count < crypto_pwhash_argon2id_STRBYTES,
            compare(with: .interactive) >= 0
        else { throw .malformedPasswordHash }
    }

    /// Whether the hash has another cost than `cost`. If so, the caller should hash the password again after
    /// the next successful sign-in.
    package func needsRenewal(for cost: PasswordCost) -> Bool { compare(with: cost) != 0 }

    /// Compares the cost of the hash. Returns "0 if the parameters already match, 1 if the string appears to
    /// be correct but doesn't match, -1 on failure".
    private func compare(with cost: PasswordCost) -> Int32 {
        crypto_pwhash_argon2id_str_needs_rehash(encoded, UInt64(cost.passes), cost.memoryBytes)
    }
}
