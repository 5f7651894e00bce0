package import Meetings

/// What a client's idempotency key comes to. Both are MACs: nothing that a client sent can be read in them.
package struct RetryKey: Hashable, Sendable {
    /// Of the caller and the key, 16 bytes.
    package let id: [UInt8]
    /// Of all that was asked, 16 bytes: another request under the same key is told apart by it.
    package let fingerprint: [UInt8]

    package init(id: [UInt8], fingerprint: [UInt8]) {
        self.id = id
        self.fingerprint = fingerprint
    }
}

/// What a request under a key was answered, so that its retry is answered alike. Written in the transaction
/// of the change itself.
package struct StoredResponse: Hashable, Sendable {
    package let key: RetryKey
    /// Whoever asked knows how to read it.
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
    /// By the key's id. One that has expired may still be found.
    func storedResponse(_ id: [UInt8]) throws(JournalError) -> StoredResponse?
    func hasStoredResponse(expiredAt now: Instant) throws(JournalError) -> Bool
}

package protocol StoredResponseWriting {
    /// In the place of one with the same id, where there is one.
    func keep(_ answer: StoredResponse) throws(JournalError)
    /// The oldest first, `limit` at most. An answer has expired at its `expiresAt`.
    func deleteStoredResponses(expiredAt now: Instant, limit: Int) throws(JournalError)
}
