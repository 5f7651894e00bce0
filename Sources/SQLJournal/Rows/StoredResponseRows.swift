package import Journal
package import Meetings

extension Query {
    fileprivate static let storedResponse = Query(
        "find stored response", "SELECT id, fingerprint, expires_at, content FROM kept_answers WHERE id = ?")
    fileprivate static let expired = Query(
        "find expired response", "SELECT 1 FROM kept_answers WHERE expires_at <= ? LIMIT 1")
    fileprivate static let store = Query(
        "store response",
        """
        INSERT INTO kept_answers (id, fingerprint, expires_at, content) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint,
            expires_at = excluded.expires_at, content = excluded.content
        """)
    fileprivate static let forget = Query(
        "delete stored responses",
        "DELETE FROM kept_answers WHERE id IN (SELECT id FROM kept_answers WHERE expires_at <= ? ORDER BY "
            + "expires_at LIMIT ?)"
    )
}

extension SQLRows {
    package func storedResponse(_ id: [UInt8]) throws(JournalError) -> StoredResponse? {
        try connection.first(.storedResponse, id) { row in
            StoredResponse(
                key: RetryKey(id: row.bytes(0), fingerprint: row.bytes(1)), content: row.bytes(3),
                expiresAt: row.instant(2))
        }
    }

    package func hasStoredResponse(expiredAt now: Instant) throws(JournalError) -> Bool {
        try connection.first(.expired, now) { _ in true } ?? false
    }

    package func store(_ answer: StoredResponse) throws(JournalError) {
        try connection.run(.store, answer.key.id, answer.key.fingerprint, answer.expiresAt, answer.content)
    }

    package func deleteStoredResponses(expiredAt now: Instant, limit: Int) throws(JournalError) {
        try connection.run(.forget, now, limit)
    }
}
