/// The running count of a question's answers, kept with each response and never recounted on the way.
package struct TallyCount: Hashable, Sendable, Codable {
    /// How many answered this question.
    package private(set) var answers: Int
    /// For each choice in the question's order, or for each number of stars from one; empty for texts.
    package private(set) var counts: [Int]

    /// Of no answers yet.
    package init(for question: Question) {
        answers = 0
        counts =
            switch question.kind {
            case .multipleChoice(let choices, _, _): Array(repeating: 0, count: choices.count)
            case .rating(let scale): Array(repeating: 0, count: scale)
            case .shortAnswer: []
            }
    }

    package mutating func add(_ answer: Answer, to question: Question) { change(answer, of: question, by: 1) }
    package mutating func remove(_ answer: Answer, from question: Question) { change(answer, of: question, by: -1) }

    private mutating func change(_ answer: Answer, of question: Question, by difference: Int) {
        answers += difference
        switch (question.kind, answer) {
        case (.multipleChoice(let choices, _, _), .choices(let ids)):
            for (index, choice) in choices.enumerated() where ids.contains(choice.id) { counts[index] += difference }
        case (.rating, .rating(let stars)): counts[stars - 1] += difference
        default: break
        }
    }

    package mutating func add(_ other: TallyCount) {
        answers += other.answers
        for index in counts.indices { counts[index] += other.counts[index] }
    }

    /// Of stars; nil without answers.
    package var average: Double? {
        guard answers > 0 else { return nil }
        let sum = counts.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }
        return Double(sum) / Double(answers)
    }
}
