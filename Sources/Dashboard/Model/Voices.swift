internal import Meetings
internal import Wire

/// The questions of attendees to the host, and the texts of their answers. Both follow the room, and a host
/// can show and hide each.
struct Voices: Sendable {
    /// A question or a text.
    enum ID: Hashable, Sendable {
        case question(AudienceQuestionID)
        case text(QuestionID, String)
    }

    /// The questions from the audience in the order of the API's lists.
    private(set) var questions: [AudienceQuestionBody] = []
    /// The settings and counts; nil if the session has never used questions from the audience.
    private(set) var board: AudienceQuestionsFrame?
    /// The texts of each question that takes texts, the newest first, and the words of each word cloud, the
    /// most frequent first.
    private(set) var texts: [QuestionID: [TextAnswerBody]] = [:]

    mutating func take(_ frame: AudienceQuestionsFrame) {
        board = frame
        var known = Dictionary((frame.complete ? [] : questions).map { ($0.id, $0) }) { first, _ in first }
        for question in frame.items { known[question.id] = question }
        for count in frame.votes { known[count.id] = known[count.id]?.with(votes: count.votes) }
        for id in frame.removed { known[id] = nil }
        questions = known.values.sorted { $0.rank < $1.rank }
    }

    mutating func take(_ frame: ModeratedTextsFrame) {
        let replaced = Set(frame.items.compactMap(\.id)).union(frame.removed)
        let known = frame.complete ? [] : texts[frame.questionId, default: []]
        let kept = known.filter { !replaced.contains($0.id ?? "") }
        texts[frame.questionId] = (frame.items + kept).sorted { one, other in
            if let first = one.count, let second = other.count, first != second { return first > second }
            guard let first = one.at, let second = other.at, first != second else {
                return (one.id ?? "") < (other.id ?? "")
            }
            return first > second
        }
    }

    mutating func remove(_ questions: [QuestionID]) { for id in questions { texts[id] = nil } }

    /// Returns the questions in the order of the screen: pending ones first, because they wait for the host,
    /// and hidden ones last.
    var sortedQuestions: [AudienceQuestionBody] {
        questions.filter { $0.status == .pending } + questions.filter(\.status.isShown)
            + questions.filter { $0.status == .hidden }
    }

    /// Returns the texts of a question in the same order.
    func sortedTexts(of question: QuestionID) -> [TextAnswerBody] {
        TextStatus.allCases.flatMap { status in
            texts[question, default: []].filter { $0.status == status }
        }
    }

    func text(_ id: String, of question: QuestionID) -> TextAnswerBody? {
        texts[question]?.first { $0.id == id }
    }
}

extension SessionState {
    /// The questions whose texts the screen lists, in the order of the tallies.
    var textQuestions: [TallyBody] { tallies.filter { voices.texts[$0.questionId]?.isEmpty == false } }

    /// The items of the audience pane, from top to bottom.
    var voiceOrder: [Voices.ID] {
        voices.sortedQuestions.map { Voices.ID.question($0.id) }
            + textQuestions.flatMap { tally in
                voices.sortedTexts(of: tally.questionId).compactMap { text in
                    text.id.map { Voices.ID.text(tally.questionId, $0) }
                }
            }
    }
}
