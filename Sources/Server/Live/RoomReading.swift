import Journal
import Meetings
import Rooms
import Wire

/// Reads the tallies of sets and the questions from the audience. They are state, and never computed from
/// events.
struct ResultsReader: Sendable {
    let storage: Storage
    /// The keys of the ids by which hosts moderate texts.
    let keys: Keys

    /// Returns the results of these sets, and the names of the sets that were deleted. A set that cannot be
    /// read now is left out; the next change reads it again.
    func read(_ session: SessionID, sets: Set<String>) async -> (found: [SetResults], deleted: [String]) {
        let read = try? await storage.read { rows throws(JournalError) -> ([SetResults], [String]) in
            var results: [SetResults] = []
            var deleted: [String] = []
            for name in sets.sorted() {
                if let set = try rows.questionSet(name, of: session) {
                    results.append(try Self.results(of: set, in: session, from: rows, membersBy: keys))
                } else {
                    deleted.append(name)
                }
            }
            return (results, deleted)
        }
        return read ?? ([], [])
    }

    /// Returns the session's questions from the audience; nil if they cannot be read now. The next change
    /// reads them again.
    func board(of session: SessionID) async -> AudienceBoard? {
        try? await storage.read { rows throws(JournalError) in try rows.audienceBoard(of: session) }
    }

    /// Returns the session's sequence in the database; nil if the session does not exist.
    func sequence(of session: SessionID) async throws(JournalError) -> Int64? {
        try await storage.lookUp { rows throws(JournalError) in try rows.session(session)?.sequence }
    }

    /// Returns the tallies of a set. With `keys`, they are for a room: also the texts for members.
    static func results(
        of set: QuestionSet, in session: SessionID, from rows: any ReadableRows,
        membersBy keys: Keys? = nil
    ) throws(JournalError) -> SetResults {
        let counts = try rows.tallies(of: session, set: set.name)
        var texts = try newestTexts(of: set, in: session, by: counts, from: rows, keys)
        var tallies: [TallyBody] = []
        for question in set.questions {
            let count = counts[question.id]?.published ?? TallyCount(for: question, set.promise)
            var words: [WordCount] = []
            if question.countsWords {
                let moderation = try rows.textModeration(of: session, set: set.name)
                let found = try rows.words(of: question.id, limit: CloudWord.mostListed)
                words = found.shown(moderation)
                if let keys, !set.hides(count) {
                    texts.moderated.append(Self.moderated(found, of: question, in: set, moderation, keys))
                }
            }
            var tally = TallyBody(
                question, in: set, count: count, latest: texts.latest[question.id] ?? [], words: words)
            // Frames leave out the pairs, which are up to 144 numbers.
            if keys != nil { tally.pairs = nil }
            tallies.append(tally)
        }
        return SetResults(set: set, tallies: tallies, texts: texts.moderated)
    }

    /// Returns the most frequent words of each status.
    private static func moderated(
        _ words: [ModeratedWord], of question: Question, in set: QuestionSet, _ moderation: TextModeration,
        _ keys: Keys
    ) -> QuestionTexts {
        QuestionTexts(
            question: question.id, set: set.name, moderation: moderation,
            texts: TextStatus.allCases.flatMap { status in
                words.lazy.filter { $0.status(moderation) == status }
                    .prefix(ModeratedTextsFrame.mostItems).map { $0.body(of: question.id, moderation, keys) }
            })
    }

    /// Returns texts of each question that takes texts, from the newest 100 responses: the newest visible
    /// ones for tallies, and with `keys` the newest ones of each status for members. A question with few
    /// answers may show fewer texts than there are; its page of answers has them all.
    private static func newestTexts(
        of set: QuestionSet, in session: SessionID, by tallies: [QuestionID: TallyRecord],
        from rows: any ReadableRows, _ keys: Keys?
    ) throws(JournalError) -> (latest: [QuestionID: [TextAnswerBody]], moderated: [QuestionTexts]) {
        let asked = set.questions.filter(\.takesTexts).map(\.id)
        guard !asked.isEmpty else { return ([:], []) }
        var (missing, latest) = (Set(asked), [QuestionID: [TextAnswerBody]]())
        var found: [QuestionID: [TextStatus: [TextAnswerBody]]] = [:]
        let moderation = try rows.textModeration(of: session, set: set.name)
        for response in try rows.responses(of: session, set: set.name, after: nil, limit: 100)
        where keys != nil || !missing.isEmpty {
            for (id, answer) in set.shownAnswers(of: response, by: tallies)
            where keys != nil || missing.contains(id) {
                guard let text = answer.shownText else { continue }
                let status = try rows.textStatus(in: response.id, to: id) ?? moderation.initialStatus
                if status == .visible, missing.contains(id) {
                    latest[id, default: []].append(TextAnswerBody(text: text, at: response.at, in: set))
                    if latest[id, default: []].count == TallyBody.mostTexts { missing.remove(id) }
                }
                if let keys, found[id]?[status]?.count ?? 0 < ModeratedTextsFrame.mostItems {
                    found[id, default: [:]][status, default: []].append(
                        TextAnswerBody(
                            text: text, at: response.at, in: set, id: response.place.id(keys: keys),
                            status: status))
                }
            }
        }
        guard keys != nil else { return (latest, []) }
        let moderated = asked.map { id in
            QuestionTexts(
                question: id, set: set.name, moderation: moderation,
                texts: TextStatus.allCases.flatMap { found[id]?[$0] ?? [] })
        }
        return (latest, moderated)
    }
}

extension ReadableRows {
    /// Returns what the session's rooms show of the questions from the audience.
    func audienceBoard(of session: SessionID) throws(JournalError) -> AudienceBoard {
        guard let settings = try audienceSettings(of: session) else { return .empty }
        var questions: [AudienceQuestion] = []
        for status in AudienceQuestion.Status.allCases {
            questions += try audienceQuestions(
                of: session, status: status, after: nil, limit: AudienceQuestionsFrame.mostItems)
        }
        return AudienceBoard(
            settings: settings, counts: try audienceCounts(of: session),
            questions: try bodiesForMembers(of: questions.sorted { $0.rank < $1.rank }))
    }
}
