package import Meetings

/// A command under an idempotency key. The answer is kept in the command's own transaction, so that whoever
/// was not told of a commit, a crash included, can ask again. Two at once are one after the other here: the
/// second finds what the first has kept, and is answered after the same commit or a later one.
package struct Keyed<Inner: Command, Shown: Sendable>: Command {
    package enum Answer: Sendable {
        case new(Shown)
        /// What was kept at the first time.
        case repeated([UInt8])
    }

    package let command: Inner
    package let key: RetryKey
    /// What is shown of the command's answer, and what is kept of it; nil keeps nothing. It runs on the
    /// writer's queue: a few microseconds.
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
    /// What is kept under a key, and has not expired. Refuses another request than the first.
    package func storedResponse(_ key: RetryKey, at now: Instant) throws(JournalError) -> [UInt8]? {
        guard let kept = try storedResponse(key.id), now < kept.expiresAt else { return nil }
        guard kept.key.fingerprint == key.fingerprint else { throw .refused(.keyUsedForAnotherRequest) }
        return kept.content
    }
}

/// Deletes answers that were kept for long enough, a bounded number at once.
package struct ForgetStoredResponses: Command {
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.deleteStoredResponses(expiredAt: transaction.now, limit: limit)
    }
}

extension Storage {
    /// At 1,000 in each second a server's busiest day is forgotten as it was kept, and no check-in waits
    /// longer than for one batch.
    package func forgetStoredResponses(at now: Instant, limit: Int = 1000) async throws(JournalError) {
        // Looked at beside the writer: once a second, an idle server commits nothing.
        guard try await read({ rows throws(JournalError) in try rows.hasStoredResponse(expiredAt: now) })
        else { return }
        try await perform(ForgetStoredResponses(limit: limit))
    }
}
