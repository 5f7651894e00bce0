internal import CSodium
internal import Glibc
internal import Synchronization

/// Hashes and checks passwords, one at a time on a separate thread. Argon2id takes 0.1 s and 64 MiB, and
/// Swift's pool, which runs all other tasks, may have only two threads.
///
/// If `waitingLimit` passwords are waiting, further passwords are refused, so that many simultaneous sign-ins
/// need only limited time and memory. Passwords are compared as UTF-8 bytes, so the caller must normalise
/// them to NFC first (RFC 8265 §4.2).
package actor PasswordHasher {
    private nonisolated let queue = QueueExecutor(label: "qring.passwords")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    package nonisolated let cost: PasswordCost
    /// The most passwords that may be waiting or running at the same time.
    package nonisolated let waitingLimit: Int
    private nonisolated let underWay = Mutex(0)
    /// The number of passwords that are waiting or running now.
    nonisolated var load: Int { underWay.withLock { $0 } }
    /// The hash with which a password is compared if there is no such account.
    private var nobody: PasswordHash?

    /// The longest password in bytes. Longer passwords would only cost time. 1,024 bytes are about 340 Korean
    /// syllables.
    package static let longestPasswordBytes = 1024

    package init(cost: PasswordCost = .interactive, waitingLimit: Int = 64) {
        self.cost = cost
        self.waitingLimit = waitingLimit
    }

    /// Returns a hash of `password` with a new salt.
    /// - Throws: `passwordLength` (unless 1 to 1,024 bytes), `hasherBusy`, `outOfMemory`,
    ///   `libraryNotStarted`.
    package nonisolated func hash(_ password: Redacted<String>) async throws(SecretsError) -> PasswordHash {
        let bytes = try Self.checked(password)
        try enter()
        defer { leave() }
        return try await hashNow(bytes)
    }

    /// Whether `hash` is the hash of `password`. If there is no such account, the caller passes nil. The
    /// result is then false after the same time, so that the duration does not reveal which accounts exist.
    /// - Throws: `passwordLength`, `hasherBusy`, `outOfMemory`, `libraryNotStarted`. A wrong password is not
    ///   an error.
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
        // "-1 if it didn't complete successfully": if all parameters are in range, the reason is a lack of
        // memory.
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
        // libsodium returns -1 for all errors, but sets `errno` to EINVAL if the password is wrong and to
        // ENOMEM if there is not enough memory. A lack of memory must not look like a wrong password.
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
