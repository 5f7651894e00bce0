import Journal
import Meetings

extension WatchedRows {
    func publishedForm(_ name: String) throws(JournalError) -> (session: SessionID, set: String)? {
        try inner.publishedForm(name)
    }
    func hasAnswered(device: [UInt8], set: String, of session: SessionID) throws(JournalError) -> Bool {
        try inner.hasAnswered(device: device, set: set, of: session)
    }
    func markAnswered(device: [UInt8], set: String, of session: SessionID) throws(JournalError) -> Bool {
        try inner.markAnswered(device: device, set: set, of: session)
    }

    func storedResponse(_ id: [UInt8]) throws(JournalError) -> StoredResponse? {
        try inner.storedResponse(id)
    }
    func hasStoredResponse(expiredAt now: Instant) throws(JournalError) -> Bool {
        try inner.hasStoredResponse(expiredAt: now)
    }
    func store(_ answer: StoredResponse) throws(JournalError) { try inner.store(answer) }
    func deleteStoredResponses(expiredAt now: Instant, limit: Int) throws(JournalError) {
        try inner.deleteStoredResponses(expiredAt: now, limit: limit)
    }
}
