package import Meetings

/// A question's tally, or the reason why it is hidden.
package struct TallyBody: Codable, Hashable, Sendable {
    package let questionId: QuestionID
    package let set: String
    package let title: String
    /// The title in several languages; nil if the title has no languages.
    package let titles: LocalizedText?
    package let kind: Question.KindName
    package let answers: Int
    /// The choices, ordered by count, highest first.
    package var choices: [ChoiceCount]?
    /// The number of answers for each number of stars. `counts[0]` is for one star.
    package var counts: [Int]?
    /// The average, rounded to two decimals. For numbers, it has two decimals more than the answers may have.
    package var average: Double?
    /// The number of decimals that answers may have. This field and the following fields up to `precision`
    /// are for numbers only.
    package var decimals: Int?
    /// The lowest answer.
    package var min: Double?
    package var max: Double?
    package var median: Double?
    /// The three values below which a quarter, half and three quarters of the answers lie.
    package var quartiles: [Double]?
    package var histogram: [Bar]?
    /// The greatest possible error of the median and the quartiles. If an answer was withdrawn, it applies to
    /// `min` and `max` too. Absent if the values are exact.
    package var precision: Double?
    /// The newest texts: short answers, or the texts of the choice "other".
    package var latest: [TextAnswerBody]?
    package var hidden: Hidden?

    /// A choice and the number of answers that selected it.
    package struct ChoiceCount: Codable, Hashable, Sendable {
        package let id: String
        package let label: String
        package let labels: LocalizedText?
        package let count: Int
    }

    /// The number of answers of at least `from` and below `to`.
    package struct Bar: Codable, Hashable, Sendable {
        package let from: Double
        package let to: Double
        package let count: Int
    }

    /// The reason why a tally is hidden. `minimum` is the lowest number of answers for which a tally is
    /// shown.
    package struct Hidden: Codable, Hashable, Sendable {
        /// The reason, which is always `too_few_responses`.
        package let reason: String
        package let minimum: Int
    }

    /// The highest number of texts in a tally.
    package static let mostTexts = 7

    /// - Parameter latest: the newest texts. They are used only if the question accepts texts.
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
        case .number(_, _, let decimals): summarize(count.numbers ?? NumberCounts(), decimals: decimals)
        }
    }

    private mutating func summarize(_ numbers: NumberCounts, decimals: Int) {
        func number(_ steps: Int) -> Double { Amount.number(steps, decimals: decimals) }
        // A mean can lie between two possible answers, so it has two decimals more than the answers.
        let fine = Double(Amount.scale(decimals)) * 100
        func mean(_ steps: Double) -> Double { (steps * 100).rounded() / fine }
        self.decimals = decimals
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
    /// The text by language; nil if the text has no language.
    var byLanguage: LocalizedText? { isPlain ? nil : self }
    /// The text without a language; nil if it is empty.
    var plainIfAny: String? { isEmpty ? nil : plain }
}
