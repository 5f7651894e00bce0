internal import CSodium
internal import Glibc
internal import Synchronization

/// Hashes and checks passwords, one at a time on a thread of its own: Argon2id takes a tenth of a second and
/// 64 MiB, and the pool that runs everything else may have two threads only.
///
/// More than `waitingLimit` at once are refused instead of queued, so that a flood of logins costs a bounded
/// time and memory. Texts are compared as their UTF-8 bytes: bring them to NFC before (RFC 8265 §4.2).
package actor PasswordHasher {
    private nonisolated let queue = QueueExecutor(label: "qring.passwords")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    package nonisolated let cost: PasswordCost
    /// How many may be under way, the running one included.
    package nonisolated let waitingLimit: Int
    private nonisolated let underWay = Mutex(0)
    /// How many passwords are being hashed or wait for it.
    nonisolated var load: Int { underWay.withLock { $0 } }
    /// What a password is checked against where there is no account.
    private var nobody: PasswordHash?

    /// Longer ones would only cost time; 1024 bytes are about 340 Korean syllables.
    package static let longestPasswordBytes = 1024

    package init(cost: PasswordCost = .interactive, waitingLimit: Int = 64) {
        self.cost = cost
        self.waitingLimit = waitingLimit
    }

    /// A hash of `password` with a new salt.
    /// - Throws: `passwordLength` (1…1024 bytes), `hasherBusy`, `outOfMemory`, `libraryNotStarted`.
    package nonisolated func hash(_ password: Redacted<String>) async throws(SecretsError) -> PasswordHash {
        let bytes = try Self.checked(password)
        try enter()
        defer { leave() }
        return try await hashNow(bytes)
    }

    /// Whether `hash` was made of `password`. Give nil where no such account exists: the answer is false and
    /// takes as long, so that the time does not tell who has an account.
    /// - Throws: `passwordLength`, `hasherBusy`, `outOfMemory`, `libraryNotStarted`. A wrong password is no
    ///   error.
    package nonisolated func verify(_ password: Redacted<String>, against hash: PasswordHash?)
        async throws(SecretsError) -> Bool
    {
        let bytes = try Self.checked(password)
        try enter()
        defer { leave() }
        return try await verifyNow(bytes, against: hash)
    }

    private static func checked(_ password: Redacted<String>) throws(SecretsError) -> [CChar] {
        let bytes = password.revealed.utf8.map(CChar.init(bitPattern:))
        guard 1...longestPasswordBytes ~= bytes.count else {
            throw .passwordLength(bytes: bytes.count, limit: longestPasswordBytes)
        }
        try Secrets.start()
        return bytes
    }

    private nonisolated func enter() throws(SecretsError) {
        let isFull = underWay.withLock { count in
            if count < waitingLimit { count += 1 } else { return true }
            return false
        }
        if isFull { throw .hasherBusy(waiting: waitingLimit) }
    }

    private nonisolated func leave() {
        underWay.withLock { $0 -= 1 }
    }

    private func hashNow(_ password: [CChar]) throws(SecretsError) -> PasswordHash {
        queue.mustBeCurrent()
        var encoded = [CChar](repeating: 0, count: Int(crypto_pwhash_argon2id_STRBYTES))
        // "-1 if it didn't complete successfully", which with parameters in range is a lack of memory.
        guard
            crypto_pwhash_argon2id_str(
                &encoded, password, UInt64(password.count), UInt64(cost.passes), cost.memoryBytes) == 0
        else {
            throw .outOfMemory(operation: "crypto_pwhash_argon2id_str")
        }
        return try PasswordHash(
            encoded: String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    private func verifyNow(_ password: [CChar], against hash: PasswordHash?) throws(SecretsError) -> Bool {
        queue.mustBeCurrent()
        let existing = if let hash { hash } else { try nobodyHash() }
        // -1 is all that the library says; a wrong password leaves EINVAL behind, memory that it could not
        // have ENOMEM. A login must not fail as if the password were wrong because the machine is full.
        errno = 0
        let matches =
            crypto_pwhash_argon2id_str_verify(existing.encoded, password, UInt64(password.count)) == 0
        guard matches || errno != ENOMEM else {
            throw .outOfMemory(operation: "crypto_pwhash_argon2id_str_verify")
        }
        return matches && hash != nil
    }

    private func nobodyHash() throws(SecretsError) -> PasswordHash {
        if let nobody { return nobody }
        let made = try hashNow(Secrets.randomBytes(32).map(CChar.init(bitPattern:)))
        nobody = made
        return made
    }
}
