import Meetings

extension MemoryRows {
    func keptAnswer(_ id: [UInt8]) throws(JournalError) -> KeptAnswer? { try tables().keptAnswers[id] }

    func hasKeptAnswer(expiredAt now: Instant) throws(JournalError) -> Bool {
        try tables().keptAnswers.values.contains { $0.expiresAt <= now }
    }

    func keep(_ answer: KeptAnswer) throws(JournalError) { try change("keep answer") { $0.keptAnswers[answer.key.id] = answer } }

    func deleteKeptAnswers(expiredAt now: Instant, limit: Int) throws(JournalError) {
        try change("delete kept answers") { tables in
            let expired = tables.keptAnswers.values.filter { $0.expiresAt <= now }.sorted { $0.expiresAt < $1.expiresAt }
            for answer in expired.prefix(limit) { tables.keptAnswers[answer.key.id] = nil }
        }
    }
}
