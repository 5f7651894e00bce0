import Journal
import Meetings
import Rooms
import Wire

/// Counts the equal texts among the answers to a set. No tally stores them: comparing texts when an answer
/// arrives would cost the writer more with each answer. So the results compare the newest answers when
/// somebody requests them.
extension SetResults {
    /// The most responses whose texts are compared. An exported file compares all.
    static let mostCompared = 5_000
    /// The most bytes of texts that are compared.
    static let mostComparedBytes = 2_000_000

    /// Returns the same results with the equal texts of each question. Hidden and pending texts do not count.
    /// Answers that are held back until their group of three is complete do not count either.
    func countingEqualTexts(of session: SessionID, from rows: any ReadableRows) throws(JournalError)
        -> SetResults
    {
        let shown = tallies.filter { $0.latest != nil && $0.hidden == nil }.map(\.questionId)
        guard !shown.isEmpty else { return self }
        let found = try Self.equalTexts(in: set, of: session, answering: Set(shown), from: rows)
        let counted = tallies.map { tally in
            var tally = tally
            tally.equalTexts = found[tally.questionId].flatMap { TallyBody.SharedTexts($0) }
            return tally
        }
        return SetResults(set: set, tallies: counted, texts: texts)
    }

    private static func equalTexts(
        in set: QuestionSet, of session: SessionID, answering questions: Set<QuestionID>,
        from rows: any ReadableRows
    ) throws(JournalError) -> [QuestionID: EqualTexts] {
        let counts = try rows.tallies(of: session, set: set.name)
        let moderation = try rows.textModeration(of: session, set: set.name)
        var found: [QuestionID: EqualTexts] = [:]
        var (compared, bytes) = (0, 0)
        var cursor: ResponseCursor?
        while compared < mostCompared, bytes < mostComparedBytes {
            let page = try rows.responses(
                of: session, set: set.name, after: cursor, limit: min(500, mostCompared - compared))
            for response in page where bytes < mostComparedBytes {
                for (id, answer) in set.shownAnswers(of: response, by: counts) where questions.contains(id) {
                    guard let text = answer.shownText,
                        try rows.textStatus(in: response.id, to: id) ?? moderation.initialStatus == .visible
                    else { continue }
                    found[id, default: EqualTexts()].add(text)
                    bytes += text.utf8.count
                }
            }
            compared += page.count
            guard page.count == 500, let last = page.last else { break }
            cursor = ResponseCursor(at: last.at, id: last.id)
        }
        return found
    }
}

extension QuestionSet {
    /// Whether comparing the texts is cheap, so that the results need no scan.
    var comparesFewTexts: Bool { responses <= 100 || !questions.contains(where: \.takesTexts) }
}
