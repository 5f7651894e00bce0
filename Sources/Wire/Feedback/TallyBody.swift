package import Meetings
package import Phrases

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
    /// The labels of points of a scale; `counts[0]` is for point 1. Nil if no point has a label.
    package var points: [Point]?
    /// The most frequent words of a word cloud, the most frequent first; at most 100.
    package var words: [WordCount]?
    /// The days of a date question, or spans of days if there are many. This field and the following fields
    /// up to `medianDate` are for dates only.
    package var dates: [Days]?
    package var firstDate: String?
    package var lastDate: String?
    package var medianDate: String?
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

    /// The label of a point of a scale.
    package struct Point: Codable, Hashable, Sendable {
        package let point: Int
        package let label: String
        package let labels: LocalizedText?

        /// Returns the labels in the order of their points; nil if there are none.
        static func listed(_ labels: [Int: LocalizedText]) -> [Point]? {
            labels.isEmpty
                ? nil
                : labels.sorted { $0.key < $1.key }.map {
                    Point(point: $0.key, label: $0.value.plain, labels: $0.value.byLanguage)
                }
        }
    }

    /// The number of answers with a day from `from` to `to`, both included.
    package struct Days: Codable, Hashable, Sendable {
        package let from: String
        package let to: String
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

    /// - Parameters:
    ///   - latest: the newest texts. They are used only if the question accepts texts.
    ///   - words: the most frequent words, for a word cloud.
    package init(
        _ question: Question, in set: QuestionSet, count: TallyCount, latest: [TextAnswerBody],
        words: [WordCount] = []
    ) {
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
        case .scale(_, let labels):
            counts = count.counts
            average = count.average.map { ($0 * 100).rounded() / 100 }
            points = Point.listed(labels)
        case .yesNo:
            choices = zip(YesNo.allCases, count.counts).map { choice, count in
                let label = choice.label
                return ChoiceCount(
                    id: choice.rawValue, label: label.text(in: "en"), labels: label, count: count)
            }
        case .wordCloud: self.words = words
        case .date: summarize(days: count.numbers ?? NumberCounts())
        case .number(_, _, let decimals): summarize(count.numbers ?? NumberCounts(), decimals: decimals)
        }
    }

    /// The largest number of single days that a tally lists. More days are listed as spans.
    private static let mostDays = 31

    private mutating func summarize(days: NumberCounts) {
        func date(_ day: Int) -> String { CivilDate(daysSince1970: Int64(day)).text }
        if days.width == 1, days.bins.count <= Self.mostDays {
            dates = days.bins.sorted { $0.key < $1.key }.map {
                Days(from: date($0.key), to: date($0.key), count: $0.value)
            }
        } else {
            dates = days.bars.map { Days(from: date($0.from), to: date($0.to - 1), count: $0.count) }
        }
        firstDate = days.least.map(date)
        lastDate = days.most.map(date)
        medianDate = days.quantile(0.5).map { date(Int($0.rounded(.down))) }
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

extension YesNo {
    /// The answer in the words of a form.
    package var phrase: Phrase {
        switch self {
        case .yes: Phrase.Page.yes
        case .no: Phrase.Page.no
        }
    }

    /// The answer in all languages.
    var label: LocalizedText {
        LocalizedText(
            Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0.rawValue, phrase.text(in: $0)) }))
    }
}
