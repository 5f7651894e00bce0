package import Journal
package import Meetings

enum StoredResponseColumn: Int32, Columns {
    case id, fingerprint, expiresAt, content

    static let table = "kept_answers"
    var writing: ColumnWriting { self == .id ? .key : .always }

    func bind(_ answer: StoredResponse, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(answer.key.id)
        case .fingerprint: parameters.bind(answer.key.fingerprint)
        case .expiresAt: parameters.bind(answer.expiresAt)
        case .content: parameters.bind(answer.content)
        }
    }
}

extension Writing where Column == StoredResponseColumn {
    fileprivate static let store = save("store response")
}

extension Query {
    fileprivate static let storedResponse = Query(
        "find stored response", "SELECT \(StoredResponseColumn.selected()) FROM kept_answers WHERE id = ?")
    fileprivate static let expired = Query(
        "find expired response", "SELECT 1 FROM kept_answers WHERE expires_at <= ? LIMIT 1")
    fileprivate static let forget = Query(
        "delete stored responses",
        "DELETE FROM kept_answers WHERE id IN (SELECT id FROM kept_answers WHERE expires_at <= ? ORDER BY "
            + "expires_at LIMIT ?)"
    )
}

extension SQLRows {
    package func storedResponse(_ id: [UInt8]) throws(JournalError) -> StoredResponse? {
        try connection.first(.storedResponse, id) { row in
            let cells = Cells<StoredResponseColumn>(row)
            return StoredResponse(
                key: RetryKey(id: cells.bytes(.id), fingerprint: cells.bytes(.fingerprint)),
                content: cells.bytes(.content), expiresAt: cells.instant(.expiresAt))
        }
    }

    package func hasStoredResponse(expiredAt now: Instant) throws(JournalError) -> Bool {
        try connection.first(.expired, now) { _ in true } ?? false
    }

    package func store(_ answer: StoredResponse) throws(JournalError) {
        try connection.run(.store, answer)
    }

    package func deleteStoredResponses(expiredAt now: Instant, limit: Int) throws(JournalError) {
        try connection.run(.forget, now, limit)
    }
}
