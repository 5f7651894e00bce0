internal import CSodium

/// How hard a password is to guess from its hash, and how long a login takes (Argon2id, RFC 9106).
package struct PasswordCost: Equatable, Sendable {
    /// Passes over the memory, 1…10.
    package let passes: Int
    /// Memory of one hash in KiB, 8…1,048,576.
    package let memoryKibibytes: Int

    /// Two passes over 64 MiB: libsodium's "interactive", about 0.1 s of one core.
    package static let interactive = PasswordCost(checkedPasses: 2, checkedMemoryKibibytes: 65_536)

    /// - Throws: `costOutOfRange`
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

/// An Argon2id hash with its salt and cost, as the database keeps it. `PasswordHasher` makes and checks them.
package struct PasswordHash: Unprintable, Equatable, Sendable {
    /// `$argon2id$v=19$m=…,t=…,p=1$salt$hash`: at most 127 ASCII characters. Not for logs.
    package let encoded: String

    /// One that the database kept.
    /// - Throws: `malformedPasswordHash`
    package init(encoded: String) throws(SecretsError) {
        self.encoded = encoded
        guard encoded.hasPrefix("$argon2id$"), encoded.utf8.count < crypto_pwhash_argon2id_STRBYTES,
            compare(with: .interactive) >= 0
        else { throw .malformedPasswordHash }
    }

    /// Whether it was made with another cost than this one: hash the password anew at the next login that
    /// succeeds.
    package func needsRenewal(for cost: PasswordCost) -> Bool { compare(with: cost) != 0 }

    /// "0 if the parameters already match, 1 if the string appears to be correct but doesn't match, -1 on
    /// failure".
    private func compare(with cost: PasswordCost) -> Int32 {
        crypto_pwhash_argon2id_str_needs_rehash(encoded, UInt64(cost.passes), cost.memoryBytes)
    }
}
