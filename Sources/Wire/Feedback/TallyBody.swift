package import Meetings

/// A question's tally, or the reason why it is hidden.
package struct TallyBody: Codable, Hashable, Sendable {
    package let questionId: QuestionID
    package let set: String
    /// The question's number in its set, from 1; nil from an older server. Shared results may arrive in any
    /// order.
    package let number: Int?
    package let title: String
    /// The title in several languages; nil if the title has no languages.
    package let titles: LocalizedText?
    package let kind: Question.KindName
    package let answers: Int
    /// The choices, ordered by count, highest first; the choices of a ranking, by points.
    package var choices: [ChoiceCount]?
    /// For a ranking in a set that links responses: `pairs[a][b]` is the number of people who prefer
    /// `choices[a]` to `choices[b]`. Only the results of a set have it, not the rooms.
    package var pairs: [[Int]]?
    /// The number of answers for each number of stars. `counts[0]` is for one star.
    package var counts: [Int]?
    /// The average, rounded to two decimals. For numbers, it has two decimals more than the answers may have.
    package var average: Double?
    /// The standard deviation of stars, points or numbers (of the population, as `STDEV.P` in spreadsheets),
    /// rounded as `average`.
    package var standardDeviation: Double?
    /// The most frequent answers (`Mode`): ids of choices, numbers, days or words, as texts. Absent if no
    /// answer stands out.
    package var mode: [String]?
    /// The part of the people who answered, in percent with one decimal, for each element of `choices`,
    /// `counts`, `histogram`, `dates` or `words`. Absent without answers.
    package var percents: [Double]?
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
    /// The greatest possible error of the median, the quartiles and the standard deviation. If an answer was
    /// withdrawn, it applies to `min` and `max` too. Absent if the values are exact.
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
    /// The visible texts that at least two answers share. Only the results of a set have it, not the rooms.
    /// Absent if no two texts are equal.
    package var equalTexts: SharedTexts?
    package var hidden: Hidden?

    /// A choice and the number of answers that selected it, or that ranked it.
    package struct ChoiceCount: Codable, Hashable, Sendable {
        package let id: String
        package let label: String
        package let labels: LocalizedText?
        /// The choice's value for other programs (`Question.Choice.value`).
        package var value: String?
        package let count: Int
        /// The points of a ranked choice (`RankingCounts`), as an average of all who answered, rounded to two
        /// decimals. This field and the next one are for rankings only.
        package var points: Double?
        /// The number of people who ranked the choice best.
        package var first: Int?
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

    /// The texts that at least two answers share, without regard to spaces, width and capital letters.
    package struct SharedTexts: Codable, Hashable, Sendable {
        /// The most texts in a tally.
        package static let most = 20

        /// The most frequent texts, at most `most`.
        package let items: [EqualTexts.Count]
        /// The number of further texts that at least two answers share.
        package let more: Int
        /// The number of texts that were compared: all visible texts of the question, or the newest ones.
        package let compared: Int

        /// Returns nil if no two texts are equal.
        package init?(_ texts: EqualTexts) {
            items = Array(texts.repeated.prefix(Self.most))
            more = texts.repeatedCount - items.count
            compared = texts.counts.reduce(0) { $0 + $1.count }
            if items.isEmpty { return nil }
        }
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
        number = set.questions.firstIndex { $0.id == question.id }.map { $0 + 1 }
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
        question.kind.shown.tally(&self, count, words)
        addShares(count)
    }

    /// Adds the most frequent answers, and the shares in percent.
    private mutating func addShares(_ count: TallyCount) {
        let rows = kind.onWire.counts(self)
        guard answers > 0, !rows.isEmpty else { return }
        percents = rows.map { (Double($0) / Double(answers) * 1000).rounded() / 10 }
        let found = kind.onWire.mode(self, count)
        mode = found.isEmpty ? nil : found
    }

    /// The largest number of single days that a tally lists. More days are listed as spans.
    private static let mostDays = 31

    /// Adds the figures of days.
    mutating func summarize(days: NumberCounts) {
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

    /// Adds the figures of numbers.
    mutating func summarize(_ numbers: NumberCounts, decimals: Int) {
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
        standardDeviation = numbers.deviation.map(mean)
        quartiles = [0.25, 0.5, 0.75].compactMap { numbers.quantile($0).map(mean) }
        median = quartiles?[1]
        precision = numbers.width > 1 ? number(numbers.width) : nil
    }
}

/// The order of the choices in results. Results of other kinds have an order of their own: yes before no,
/// stars, points, numbers and days from the lowest, words by count.
package enum ResultOrder: String, Sendable, CaseIterable {
    /// The order of the question.
    case choices
    /// The highest count first. This is the order if a request names none.
    case count
    /// Numbers from the lowest, then texts in the order of Unicode. If a choice has no value, its label
    /// counts as its value.
    case value
}

extension TallyBody {
    /// Returns the tally of `question` with its choices in this order. Equal choices are in the order of the
    /// question. `percents` follow their choices.
    package func ordered(by order: ResultOrder, of question: Question) -> TallyBody {
        let all: [Question.Choice]
        switch question.kind {
        case .multipleChoice(let choices, _, _), .ranking(let choices, _): all = choices
        case .shortAnswer, .rating, .number, .wordCloud, .scale, .yesNo, .date: return self
        }
        guard let choices else { return self }
        let places = Dictionary(all.enumerated().map { ($1.id, $0) }) { first, _ in first }
        func place(_ choice: ChoiceCount) -> Int { places[choice.id] ?? .max }
        func value(_ choice: ChoiceCount) -> (kind: Int, number: Double, text: String) {
            let text = choice.value ?? choice.label
            guard let number = Double(text), number.isFinite else { return (1, 0, text) }
            return (0, number, text)
        }
        let sorted = choices.enumerated().sorted { one, other in
            let (one, other) = (one.element, other.element)
            switch order {
            case .count where one.height != other.height: return one.height > other.height
            case .value where value(one) != value(other): return value(one) < value(other)
            default: return place(one) < place(other)
            }
        }
        var ordered = self
        ordered.choices = sorted.map(\.element)
        ordered.percents = percents.map { percents in sorted.map { percents[$0.offset] } }
        ordered.pairs = pairs.map { pairs in
            sorted.map { one in sorted.map { other in pairs[one.offset][other.offset] } }
        }
        return ordered
    }
}

extension TallyBody.ChoiceCount {
    /// The figure that orders the choices.
    fileprivate var height: Double { points ?? Double(count) }
}

extension LocalizedText {
    /// The text by language; nil if the text has no language.
    var byLanguage: LocalizedText? { isPlain ? nil : self }
    /// The text without a language; nil if it is empty.
    var plainIfAny: String? { isEmpty ? nil : plain }
}
