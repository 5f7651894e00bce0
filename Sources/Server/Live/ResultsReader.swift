import Journal
import Meetings
import Rooms
import Wire

/// Reads the results of question sets from the database. Results are always read completely, and never
/// computed from events.
struct ResultsReader: Sendable {
    let storage: Storage

    /// Returns the results of the existing sets among `sets`. If the read fails, returns no results; the next
    /// change of a set reads that set again.
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

    /// Returns the newest texts for each question with text answers, from the newest 100 responses. If few
    /// people answer a question, the result may contain fewer texts than exist; the question's page of
    /// answers shows all of them.
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
