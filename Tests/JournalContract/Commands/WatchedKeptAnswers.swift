import Journal
import Meetings

extension WatchedRows {
    func publishedForm(_ name: String) throws(JournalError) -> (session: SessionID, set: String)? { try inner.publishedForm(name) }

    func keptAnswer(_ id: [UInt8]) throws(JournalError) -> KeptAnswer? { try inner.keptAnswer(id) }
    func hasKeptAnswer(expiredAt now: Instant) throws(JournalError) -> Bool { try inner.hasKeptAnswer(expiredAt: now) }
    func keep(_ answer: KeptAnswer) throws(JournalError) { try inner.keep(answer) }
    func deleteKeptAnswers(expiredAt now: Instant, limit: Int) throws(JournalError) {
        try inner.deleteKeptAnswers(expiredAt: now, limit: limit)
    }
}
