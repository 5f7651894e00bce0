package import Meetings

/// The running result of a question, or the reason why it is hidden.
package struct TallyBody: Codable, Hashable, Sendable {
    package let questionId: QuestionID
    package let set: String
    package let title: String
    /// Where the title has languages.
    package let titles: LocalizedText?
    package let kind: Question.KindName
    package let answers: Int
    /// Most chosen first.
    package var choices: [ChoiceCount]?
    /// `counts[0]` is one star.
    package var counts: [Int]?
    /// Two decimals; of numbers two more than the question takes.
    package var average: Double?
    /// Of numbers, as are all that follow.
    package var min: Double?
    package var max: Double?
    package var median: Double?
    /// A quarter, the half and three quarters of the answers lie below these.
    package var quartiles: [Double]?
    package var histogram: [Bar]?
    /// By how much median, quartiles and, after a withdrawal, `min` and `max` may be off: absent where they
    /// are exact.
    package var precision: Double?
    /// Texts: of short answers, or given with the choice that takes one.
    package var latest: [TextAnswerBody]?
    package var hidden: Hidden?

    package struct ChoiceCount: Codable, Hashable, Sendable {
        package let id: String
        package let label: String
        package let labels: LocalizedText?
        package let count: Int
    }

    /// From `from` up to below `to`.
    package struct Bar: Codable, Hashable, Sendable {
        package let from: Double
        package let to: Double
        package let count: Int
    }

    package struct Hidden: Codable, Hashable, Sendable {
        /// `too_few_responses`.
        package let reason: String
        package let minimum: Int
    }

    /// At most this many newest texts stand in a tally.
    package static let mostTexts = 7

    /// `latest` is read for questions that take texts only.
    package init(_ question: Question, in set: QuestionSet, count: TallyCount, latest: [TextAnswerBody]) {
        questionId = question.id
        self.set = set.name
        title = question.title.plain
        titles = question.title.byLanguage
        kind = question.kindName
        guard !set.hides(count) else {
            answers = 0
            hidden = Hidden(reason: "too_few_responses", minimum: QuestionSet.smallestGroup)
            return
        }
        answers = count.answers
        if question.takesTexts { self.latest = latest }
        switch question.kind {
        case .multipleChoice(let options, _, _):
            choices = zip(options, count.counts)
                .map { ChoiceCount(id: $0.id, label: $0.label.plain, labels: $0.label.byLanguage, count: $1) }
                .enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map(
                    \.element)
        case .rating:
            counts = count.counts
            average = count.average.map { ($0 * 100).rounded() / 100 }
        case .shortAnswer: break
        case .number(_, _, let decimals): tell(count.numbers ?? NumberCounts(), decimals: decimals)
        }
    }

    private mutating func tell(_ numbers: NumberCounts, decimals: Int) {
        func number(_ steps: Int) -> Double { Amount.number(steps, decimals: decimals) }
        // Two digits more than the answers have: a mean lies between them.
        let fine = Double(Amount.scale(decimals)) * 100
        func mean(_ steps: Double) -> Double { (steps * 100).rounded() / fine }
        histogram = numbers.bars.map { Bar(from: number($0.from), to: number($0.to), count: $0.count) }
        guard numbers.count > 0 else { return }
        min = numbers.least.map(number)
        max = numbers.most.map(number)
        average = mean(Double(numbers.sum) / Double(numbers.count))
        quartiles = [0.25, 0.5, 0.75].compactMap { numbers.quantile($0).map(mean) }
        median = quartiles?[1]
        precision = numbers.width > 1 ? number(numbers.width) : nil
    }
}

extension LocalizedText {
    /// What a field by language holds: nil where nothing tells a language.
    var byLanguage: LocalizedText? { isPlain ? nil : self }
    /// Beside it, what a field of one text holds: nil where there is none.
    var plainIfAny: String? { isEmpty ? nil : plain }
}
