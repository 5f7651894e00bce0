package import Meetings

/// A client's idempotency key. Both parts are MACs, so they reveal nothing that the client sent.
package struct RetryKey: Hashable, Sendable {
    /// The MAC of the caller and the client's key, 16 bytes.
    package let id: [UInt8]
    /// The MAC of the whole request, 16 bytes. It shows whether another request was sent under the same key.
    package let fingerprint: [UInt8]

    package init(id: [UInt8], fingerprint: [UInt8]) {
        self.id = id
        self.fingerprint = fingerprint
    }
}

/// The stored answer to a request with an idempotency key. A retry of the request gets this answer. It is
/// written in the transaction of the command itself.
package struct StoredResponse: Hashable, Sendable {
    package let key: RetryKey
    /// The answer in the server's own format.
    package let content: [UInt8]
    package let expiresAt: Instant

    /// The time for which an answer is stored.
    package static let lifetime = Duration.hours(24)

    package init(key: RetryKey, content: [UInt8], expiresAt: Instant) {
        self.key = key
        self.content = content
        self.expiresAt = expiresAt
    }
}

/// The queries for stored answers.
package protocol StoredResponseReading {
    /// Returns the stored answer with this key id, even if the answer has expired.
    func storedResponse(_ id: [UInt8]) throws(JournalError) -> StoredResponse?
    /// Whether an answer has expired at `now` or before.
    func hasStoredResponse(expiredAt now: Instant) throws(JournalError) -> Bool
}

/// The writes of stored answers.
package protocol StoredResponseWriting {
    /// Inserts the answer, or replaces the stored answer with the same id.
    func store(_ answer: StoredResponse) throws(JournalError)
    /// Deletes at most `limit` expired answers, the oldest first. An answer has expired when the time is
    /// `expiresAt` or later.
    func deleteStoredResponses(expiredAt now: Instant, limit: Int) throws(JournalError)
}

/// A command with an idempotency key. The answer is stored in the command's own transaction, so that a client
/// that received no answer can send the request again, even after a crash. If two such requests arrive at
/// once, the writer runs one after the other, and the second finds the answer of the first.
/// - Throws: `keyUsedForAnotherRequest` if the client sent another request with the same key; the refusals
///   of `command`.
package struct Keyed<Inner: Command, Shown: Sendable>: Command {
    /// The answer for the client.
    package enum Answer: Sendable {
        /// The answer of the command, which has run now.
        case new(Shown)
        /// The content that was stored for the first request.
        case repeated([UInt8])
    }

    package let command: Inner
    package let key: RetryKey
    /// Converts the command's answer into the answer for the client and the content to store; nil stores
    /// nothing. It runs on the writer's queue, so it should take only a few microseconds.
    private let encode: @Sendable (Inner.Answer) -> (shown: Shown, content: [UInt8]?)

    package init(
        _ command: Inner, key: RetryKey,
        encode: @escaping @Sendable (Inner.Answer) -> (shown: Shown, content: [UInt8]?)
    ) {
        self.command = command
        self.key = key
        self.encode = encode
    }

    package var checksIn: Bool { command.checksIn }

    package var responds: Bool { command.responds }

    package func lookAhead(in transaction: Transaction) throws(JournalError) {
        _ = try transaction.rows.storedResponse(key, at: transaction.now)
        try command.lookAhead(in: transaction)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Answer {
        guard try command.takesKey(in: transaction) else {
            return .new(encode(try command.run(in: transaction)).shown)
        }
        if let stored = try transaction.rows.storedResponse(key, at: transaction.now) {
            return .repeated(stored)
        }
        return .new(try store(try command.run(in: transaction), in: transaction))
    }

    private func store(_ answer: Inner.Answer, in transaction: Transaction) throws(JournalError) -> Shown {
        let (shown, content) = encode(answer)
        if let content {
            try transaction.rows.store(
                StoredResponse(
                    key: key, content: content, expiresAt: transaction.now + StoredResponse.lifetime))
        }
        return shown
    }

    // MARK: Long commands

    package var planning: Planning { command.planning }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        // The first request has done the work, so the plan of this one would be another command's.
        if try rows.storedResponse(key, at: now) != nil { return nil }
        return try command.work(in: rows, at: now)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        Answer
    > {
        if let stored = try transaction.rows.storedResponse(key, at: transaction.now) {
            return .answered(.repeated(stored))
        }
        switch try command.begin(work, in: transaction) {
        case .begun: return .begun
        case .outdated: return .outdated
        case .answered(let answer): return .answered(.new(try store(answer, in: transaction)))
        }
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> Answer {
        .new(try store(try command.answer(to: work, in: transaction), in: transaction))
    }
}

extension ReadableRows {
    /// Returns the stored content for this key; nil if there is none or if it has expired.
    /// - Throws: `keyUsedForAnotherRequest` if the client sent another request with the same key.
    package func storedResponse(_ key: RetryKey, at now: Instant) throws(JournalError) -> [UInt8]? {
        guard let stored = try storedResponse(key.id), now < stored.expiresAt else { return nil }
        guard stored.key.fingerprint == key.fingerprint else { throw .refused(.keyUsedForAnotherRequest) }
        return stored.content
    }
}

/// Deletes at most `limit` expired answers.
package struct ForgetStoredResponses: Command {
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.deleteStoredResponses(expiredAt: transaction.now, limit: limit)
    }
}

extension Storage {
    /// Deletes expired answers, if there are any. The server calls it once a second. At 1,000 answers per
    /// call, it deletes answers as fast as they arrive on a busy server, and no check-in waits longer than
    /// for one batch.
    package func forgetStoredResponses(at now: Instant, limit: Int = 1000) async throws(JournalError) {
        // The query comes first, so that an idle server does not commit once a second.
        guard try await read({ rows throws(JournalError) in try rows.hasStoredResponse(expiredAt: now) })
        else { return }
        try await perform(ForgetStoredResponses(limit: limit))
    }
}
