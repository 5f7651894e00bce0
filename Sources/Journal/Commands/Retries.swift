package import Meetings

/// A client's idempotency key. Both parts are MACs, so that nothing which the client sent can be read in
/// them.
package struct RetryKey: Hashable, Sendable {
    /// The MAC of the caller and the key, 16 bytes.
    package let id: [UInt8]
    /// The MAC of the whole request, 16 bytes. It tells another request under the same key apart.
    package let fingerprint: [UInt8]

    package init(id: [UInt8], fingerprint: [UInt8]) {
        self.id = id
        self.fingerprint = fingerprint
    }
}

/// The answer to a request under a key, so that its retry gets the same answer. It is written in the
/// transaction of the change itself.
package struct StoredResponse: Hashable, Sendable {
    package let key: RetryKey
    /// The server, which made it, knows how to read it.
    package let content: [UInt8]
    package let expiresAt: Instant

    package static let lifetime = Duration.hours(24)

    package init(key: RetryKey, content: [UInt8], expiresAt: Instant) {
        self.key = key
        self.content = content
        self.expiresAt = expiresAt
    }
}

package protocol StoredResponseReading {
    /// Returns the answer under a key's id; also one that has expired.
    func storedResponse(_ id: [UInt8]) throws(JournalError) -> StoredResponse?
    func hasStoredResponse(expiredAt now: Instant) throws(JournalError) -> Bool
}

package protocol StoredResponseWriting {
    /// Inserts the answer, or replaces the one with the same id.
    func keep(_ answer: StoredResponse) throws(JournalError)
    /// Deletes expired answers, the oldest first, `limit` at most. An answer has expired at its `expiresAt`.
    func deleteStoredResponses(expiredAt now: Instant, limit: Int) throws(JournalError)
}

/// A command under an idempotency key. The answer is stored in the command's own transaction, so that a
/// client that got no answer can send the request again, also after a crash. Of two such requests at once,
/// the writer runs one after the other: the second finds the answer of the first.
package struct Keyed<Inner: Command, Shown: Sendable>: Command {
    package enum Answer: Sendable {
        case new(Shown)
        /// The content that was stored the first time.
        case repeated([UInt8])
    }

    package let command: Inner
    package let key: RetryKey
    /// Turns the command's answer into the answer that is shown and the content that is stored; nil stores
    /// nothing. It runs on the writer's queue, and should take a few microseconds.
    private let keep: @Sendable (Inner.Answer) -> (shown: Shown, content: [UInt8]?)

    package init(
        _ command: Inner, key: RetryKey,
        keep: @escaping @Sendable (Inner.Answer) -> (shown: Shown, content: [UInt8]?)
    ) {
        self.command = command
        self.key = key
        self.keep = keep
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Answer {
        guard try command.takesKey(in: transaction) else {
            return .new(keep(try command.run(in: transaction)).shown)
        }
        if let kept = try transaction.rows.storedResponse(key, at: transaction.now) { return .repeated(kept) }
        let (shown, content) = keep(try command.run(in: transaction))
        if let content {
            try transaction.rows.keep(
                StoredResponse(
                    key: key, content: content, expiresAt: transaction.now + StoredResponse.lifetime))
        }
        return .new(shown)
    }
}

extension ReadableRows {
    /// Returns the content under a key that has not expired.
    /// - Throws: `keyUsedForAnotherRequest` if another request was sent under the key.
    package func storedResponse(_ key: RetryKey, at now: Instant) throws(JournalError) -> [UInt8]? {
        guard let kept = try storedResponse(key.id), now < kept.expiresAt else { return nil }
        guard kept.key.fingerprint == key.fingerprint else { throw .refused(.keyUsedForAnotherRequest) }
        return kept.content
    }
}

/// Deletes expired answers, a bounded number at once.
package struct ForgetStoredResponses: Command {
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.deleteStoredResponses(expiredAt: transaction.now, limit: limit)
    }
}

extension Storage {
    /// Deletes expired answers, if there are any. With 1,000 a second, the answers of a server's busiest day
    /// are deleted as fast as they came, and no check-in waits longer than for one batch.
    package func forgetStoredResponses(at now: Instant, limit: Int = 1000) async throws(JournalError) {
        // Read first, so that an idle server commits nothing once a second.
        guard try await read({ rows throws(JournalError) in try rows.hasStoredResponse(expiredAt: now) })
        else { return }
        try await perform(ForgetStoredResponses(limit: limit))
    }
}
