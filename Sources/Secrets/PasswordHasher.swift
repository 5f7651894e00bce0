internal import CSodium
internal import Glibc
internal import Synchronization

/// Hashes and checks passwords, one at a time on a separate thread. Argon2id takes 0.1 s and 64 MiB, and
/// Swift's pool, which runs all other tasks, may have only two threads.
///
/// Passwords wait by `Priority`: each one waits for the password that is on the thread, and for none of a
/// lower priority. If `waitingLimit` passwords are waiting, further passwords are refused, so that many
/// simultaneous sign-ins need only limited time and memory. The last priority may occupy half of the
/// places. Known clients have a quarter of the places in addition, so that strangers cannot take theirs.
/// Passwords are compared as UTF-8 bytes, so the caller must normalise them to NFC first (RFC 8265 §4.2).
package actor PasswordHasher {
    private nonisolated let queue = QueueExecutor(label: "qring.passwords")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    package nonisolated let cost: PasswordCost
    /// The most passwords that may be waiting or running at the same time.
    package nonisolated let waitingLimit: Int
    /// The most passwords of the last priority that may be waiting or running at the same time.
    package nonisolated var lastLimit: Int { max(1, waitingLimit / 2) }
    private nonisolated let underWay = Mutex(UnderWay())
    /// The number of passwords that are waiting or running now.
    nonisolated var load: Int { underWay.withLock { $0.count } }
    /// The hash with which a password is compared if there is no such account.
    private var nobody: PasswordHash?

    /// The order in which passwords get the thread.
    package enum Priority: Int, CaseIterable, Sendable {
        /// The client has proved that it signed in to this account before.
        case known
        case usual
        /// New accounts, and clients whose address has sent many wrong passwords.
        case last
    }

    private struct UnderWay {
        /// The passwords of each priority that are waiting or running.
        var counts = [Int](repeating: 0, count: Priority.allCases.count)
        /// Whether a password waits for the thread or is on it.
        var isTaken = false
        var waiting = [ArraySlice<CheckedContinuation<Void, Never>>](
            repeating: [], count: Priority.allCases.count)

        var count: Int { counts.reduce(0, +) }
    }

    /// The longest password in bytes. Longer passwords would only cost time. 1,024 bytes are about 340 Korean
    /// syllables.
    package static let longestPasswordBytes = 1024

    package init(cost: PasswordCost = .interactive, waitingLimit: Int = 64) {
        self.cost = cost
        self.waitingLimit = waitingLimit
    }

    /// Returns a hash of `password` with a new salt. New accounts have the last priority.
    /// - Throws: `passwordLength` (unless 1 to 1,024 bytes), `hasherBusy`, `outOfMemory`,
    ///   `libraryNotStarted`.
    package nonisolated func hash(_ password: Redacted<String>, _ priority: Priority = .usual)
        async throws(SecretsError) -> PasswordHash
    {
        let bytes = try Self.checked(password)
        try await takeTurn(priority)
        defer { passTurn(priority) }
        return try await hashNow(bytes)
    }

    /// Whether `hash` is the hash of `password`. If there is no such account, the caller passes nil. The
    /// result is then false after the same time, so that the duration does not reveal which accounts exist.
    /// - Throws: `passwordLength`, `hasherBusy`, `outOfMemory`, `libraryNotStarted`. A wrong password is not
    ///   an error.
    package nonisolated func verify(
        _ password: Redacted<String>, against hash: PasswordHash?, _ priority: Priority = .usual
    ) async throws(SecretsError) -> Bool {
        let bytes = try Self.checked(password)
        try await takeTurn(priority)
        defer { passTurn(priority) }
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

    /// The most passwords of this and lower priorities together.
    private nonisolated func limit(_ priority: Priority) -> Int {
        switch priority {
        case .known: waitingLimit + waitingLimit / 4
        case .usual: waitingLimit
        case .last: lastLimit
        }
    }

    /// Takes a place, and waits until no password of the same or a higher priority has waited longer.
    /// - Throws: `hasherBusy` if no place is free.
    private nonisolated func takeTurn(_ priority: Priority) async throws(SecretsError) {
        let limit = limit(priority)
        let isFull = underWay.withLock { underWay in
            // A password takes no place of a higher priority.
            let taken = underWay.counts[priority.rawValue...].reduce(0, +)
            guard taken < limit, underWay.count < self.limit(.known) else { return true }
            underWay.counts[priority.rawValue] += 1
            return false
        }
        if isFull { throw .hasherBusy(waiting: limit) }
        await withCheckedContinuation { continuation in
            let isFree = underWay.withLock { underWay in
                if !underWay.isTaken {
                    underWay.isTaken = true
                    return true
                }
                underWay.waiting[priority.rawValue].append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private nonisolated func passTurn(_ priority: Priority) {
        let next = underWay.withLock { underWay -> CheckedContinuation<Void, Never>? in
            underWay.counts[priority.rawValue] -= 1
            for index in underWay.waiting.indices {
                if let next = underWay.waiting[index].popFirst() { return next }
            }
            underWay.isTaken = false
            return nil
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
