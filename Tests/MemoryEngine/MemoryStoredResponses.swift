import Journal
import Meetings

extension MemoryRows {
    func storedResponse(_ id: [UInt8]) throws(JournalError) -> StoredResponse? {
        try tables().storedResponses[id]
    }

    func hasStoredResponse(expiredAt now: Instant) throws(JournalError) -> Bool {
        try tables().storedResponses.values.contains { $0.expiresAt <= now }
    }

    func store(_ answer: StoredResponse) throws(JournalError) {
        try change("keep answer") { $0.storedResponses[answer.key.id] = answer }
    }

    func deleteStoredResponses(expiredAt now: Instant, limit: Int) throws(JournalError) {
        try change("delete kept answers") { tables in
            let expired = tables.storedResponses.values.filter { $0.expiresAt <= now }.sorted {
                $0.expiresAt < $1.expiresAt
            }
            for answer in expired.prefix(limit) { tables.storedResponses[answer.key.id] = nil }
        }
    }
}
