import Journal
import Meetings
import Rooms
import Wire

/// Reads a set's tallies afresh: they are state, and never folded from events.
struct ResultsReader: Sendable {
    let storage: Storage

    /// Sets that cannot be read now are left out; the next change reads them again.
    func read(_ session: SessionID, sets: Set<String>) async -> [SetResults] {
        let found = try? await storage.read { rows throws(JournalError) -> [SetResults] in
            var results: [SetResults] = []
            for name in sets.sorted() {
                guard let set = try rows.questionSet(name, of: session) else { continue }
                results.append(try Self.results(of: set, in: session, from: rows))
            }
            return results
        }
        return found ?? []
    }

    static func results(of set: QuestionSet, in session: SessionID, from rows: any ReadableRows)
        throws(JournalError) -> SetResults
    {
        let counts = try rows.tallies(of: session, set: set.name)
        let texts = try newestTexts(of: set, in: session, by: counts, from: rows)
        let tallies = set.questions.map { question in
            TallyBody(
                question, in: set, count: counts[question.id]?.published ?? TallyCount(for: question),
                latest: texts[question.id] ?? [])
        }
        return SetResults(set: set, tallies: tallies)
    }

    /// The newest texts of each question that takes some, from the newest responses; a question that hardly
    /// anybody answers may show fewer than there are, and its page of answers has them all.
    private static func newestTexts(
        of set: QuestionSet, in session: SessionID, by tallies: [QuestionID: TallyRecord],
        from rows: any ReadableRows
    ) throws(JournalError) -> [QuestionID: [TextAnswerBody]] {
        var missing = Set(set.questions.filter(\.takesTexts).map(\.id))
        var texts: [QuestionID: [TextAnswerBody]] = [:]
        guard !missing.isEmpty else { return [:] }
        for response in try rows.responses(of: session, set: set.name, after: nil, limit: 100)
        where !missing.isEmpty {
            for (id, answer) in set.shownAnswers(of: response, by: tallies) where missing.contains(id) {
                guard let text = answer.shownText else { continue }
                texts[id, default: []].append(TextAnswerBody(text: text, at: response.at))
                if texts[id, default: []].count == TallyBody.mostTexts { missing.remove(id) }
            }
        }
        return texts
    }
}
