internal import CSodium
internal import Glibc
internal import Synchronization

/// Hashes and checks passwords, one at a time on a separate thread. Argon2id takes 0.1 s and 64 MiB, and
/// Swift's pool, which runs all other tasks, may have only two threads.
///
/// If `waitingLimit` passwords are waiting, further passwords are refused, so that many simultaneous
/// sign-ins need only limited time and memory. New accounts may occupy half of the places, and only one of
/// their passwords at a time waits for the thread. A sign-in therefore waits for at most one new account.
/// Passwords are compared as UTF-8 bytes, so the caller must normalise them to NFC first (RFC 8265 §4.2).
package actor PasswordHasher {
    private nonisolated let queue = QueueExecutor(label: "qring.passwords")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    package nonisolated let cost: PasswordCost
    /// The most passwords that may be waiting or running at the same time.
    package nonisolated let waitingLimit: Int
    /// The most passwords of new accounts that may be waiting or running at the same time.
    package nonisolated var newAccountLimit: Int { max(1, waitingLimit / 2) }
    private nonisolated let underWay = Mutex(UnderWay())
    /// The number of passwords that are waiting or running now.
    nonisolated var load: Int { underWay.withLock { $0.count } }
    /// The hash with which a password is compared if there is no such account.
    private var nobody: PasswordHash?

    private struct UnderWay {
        var count = 0
        var newAccounts = 0
        /// Whether the password of a new account waits for the thread or is on it.
        var newAccountHasTurn = false
        var waitingForTurn: ArraySlice<CheckedContinuation<Void, Never>> = []
    }

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

    /// Returns a hash of a new account's password. All passwords that are waiting to be checked come first.
    /// - Throws: the errors of `hash`; `hasherBusy` also if `newAccountLimit` new accounts are waiting.
    package nonisolated func hashOfNewAccount(_ password: Redacted<String>)
        async throws(SecretsError) -> PasswordHash
    {
        let bytes = try Self.checked(password)
        try enter(asNewAccount: true)
        defer { leave(asNewAccount: true) }
        await takeTurn()
        defer { passTurn() }
        return try await hashNow(bytes)
    }

    /// Whether `hash` is the hash of `password`. If there is no such account, the caller passes nil. The
    /// result is then false after the same time, so that the duration does not reveal which accounts exist.
    /// - Throws: `passwordLength`, `hasherBusy`, `outOfMemory`, `libraryNotStarted`. A wrong password is not
    ///   an error.
    /// - Parameter isSuspect: whether the password waits with those of new accounts, because its client has
    ///   sent many wrong ones. The passwords of other clients then come first.
    package nonisolated func verify(
        _ password: Redacted<String>, against hash: PasswordHash?, isSuspect: Bool = false
    ) async throws(SecretsError) -> Bool {
        let bytes = try Self.checked(password)
        try enter(asNewAccount: isSuspect)
        defer { leave(asNewAccount: isSuspect) }
        if isSuspect { await takeTurn() }
        defer { if isSuspect { passTurn() } }
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

    private nonisolated func enter(asNewAccount: Bool = false) throws(SecretsError) {
        let limit = asNewAccount ? newAccountLimit : waitingLimit
        let isFull = underWay.withLock { underWay in
            guard underWay.count < waitingLimit, !asNewAccount || underWay.newAccounts < limit else {
                return true
            }
            underWay.count += 1
            if asNewAccount { underWay.newAccounts += 1 }
            return false
        }
        if isFull { throw .hasherBusy(waiting: limit) }
    }

    private nonisolated func leave(asNewAccount: Bool = false) {
        underWay.withLock { underWay in
            underWay.count -= 1
            if asNewAccount { underWay.newAccounts -= 1 }
        }
    }

    /// Waits until no other new account has the turn.
    private nonisolated func takeTurn() async {
        await withCheckedContinuation { continuation in
            let isFree = underWay.withLock { underWay in
                if !underWay.newAccountHasTurn {
                    underWay.newAccountHasTurn = true
                    return true
                }
                underWay.waitingForTurn.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private nonisolated func passTurn() {
        let next = underWay.withLock { underWay in
            let next = underWay.waitingForTurn.popFirst()
            if next == nil { underWay.newAccountHasTurn = false }
            return next
        }
        next?.resume()
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
