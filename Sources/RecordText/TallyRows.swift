internal import Meetings
package import Phrases
package import Wire

/// The result of a question as rows, in the reader's language. Commands and the dashboard show these rows.
/// The web pages build the same rows: both implementations must pass the cases in
/// `Tests/Fixtures/tally-rows.json`.
package struct TallyRows: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        /// The label of a choice, a number of stars (`5 ★`), or a bin (`10 – 14`).
        package let title: String
        package let count: Int
        /// The average points of a ranked choice, which stand in place of the count and the percentage.
        package let points: String?
        /// The length of the row's bar, 0…1: the part of the people who answered the question, or the part of
        /// the most points.
        package let share: Double
        /// `share` in whole percent. It is `0%` only for nobody and `100%` only for everybody: 1 of 432 is
        /// `<1%`, and 299 of 300 is `>99%`. German, Spanish and French have a space before the sign.
        package let percent: String

        fileprivate init(_ row: ResultRow, of answers: Int, in language: Language) {
            title = row.title
            count = row.count
            points = row.points.map { TallyBody.text($0.average, in: language) }
            share =
                row.points.map { $0.average / Double($0.most) }
                ?? (answers > 0 ? Double(count) / Double(answers) : 0)
            percent = language.percentage(Self.percent(count, of: answers))
        }

        private static func percent(_ count: Int, of answers: Int) -> String {
            guard count > 0, answers > 0 else { return "0" }
            guard count < answers else { return "100" }
            return switch (200 * count + answers) / (2 * answers) {
            case 0: "<1"
            case 100: ">99"
            case let rounded: String(rounded)
            }
        }
    }

    /// The figures above the rows. Numbers have at most four decimals, with the decimal sign of the language.
    /// They have no exponent and no thousands separators.
    package struct Summary: Hashable, Sendable {
        /// The number of answers; nil if the result is hidden.
        package var answers: Int?
        /// The number of answers that the result needs before it is shown; nil if the result is already
        /// shown.
        package var hiddenBelow: Int?
        package var average: String?
        /// The points of the best place, if the rows show points.
        package var mostPoints: Int?
        package var median: String?
        package var deviation: String?
        /// The most frequent stars, points, numbers or days. The rows of other kinds show it by their order.
        package var mode: String?
        package var lowest: String?
        package var highest: String?
        package var lowerQuartile: String?
        package var upperQuartile: String?
        /// The number of responses to the question's set that are held back to protect anonymity.
        package var pending: Int
    }

    package let title: String
    /// The rows from top to bottom: choices in the tally's order, stars and bins from the lowest number, as
    /// on the form.
    package let rows: [Row]
    /// The newest texts; the first is the newest.
    package let texts: [String]
    package let summary: Summary

    /// - Parameter pending: the number of responses to the question's set that are held back.
    package init(_ tally: TallyBody, pending: Int = 0, in language: Language) {
        title = tally.titles?.text(in: language.rawValue) ?? tally.title
        let shown = tally.hidden == nil ? tally.rows(in: language) : []
        var summary = Summary(tally, pending: pending, in: language)
        summary.mostPoints = shown.first?.points?.most
        self.summary = summary
        rows = shown.map { Row($0, of: tally.answers, in: language) }
        texts = tally.hidden == nil ? (tally.latest ?? []).map(\.text) : []
    }
}

extension TallyRows.Row {
    /// The points of a ranked choice, or the count.
    package var figure: String { points ?? String(count) }
    fileprivate var percentage: String { points == nil ? "  \(percent)" : "" }
}

/// The count and the percentage of each row, aligned to the right: ` 9  38%`; or the points of each row.
package struct TallyFigures: Sendable {
    private let widths: (figure: Int, percentage: Int)

    package init(_ rows: [TallyRows.Row]) {
        widths = (rows.map(\.figure.count).max() ?? 0, rows.map(\.percentage.count).max() ?? 0)
    }

    /// The number of columns of each text.
    package var width: Int { widths.figure + widths.percentage }

    package func text(of row: TallyRows.Row) -> String {
        func aligned(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: width - text.count) + text
        }
        return aligned(row.figure, widths.figure) + aligned(row.percentage, widths.percentage)
    }
}

extension TallyRows.Summary {
    fileprivate init(_ tally: TallyBody, pending: Int, in language: Language) {
        func text(_ number: Double) -> String { TallyBody.text(number, in: language) }
        self.pending = pending
        if let hidden = tally.hidden {
            hiddenBelow = hidden.minimum
            return
        }
        answers = tally.answers
        average = tally.average.map(text)
        median = tally.median.map(text)
        deviation = tally.standardDeviation.map(text)
        if !tally.isOrderedByCount { mode = tally.mode.map(language.list(ofNumbers:)) }
        lowest = tally.min.map(text)
        highest = tally.max.map(text)
        if let day = tally.medianDate { median = day }
        if let day = tally.firstDate { lowest = day }
        if let day = tally.lastDate { highest = day }
        if let quartiles = tally.quartiles, quartiles.count == 3 {
            lowerQuartile = text(quartiles[0])
            upperQuartile = text(quartiles[2])
        }
    }
}

extension CommandPhrases {
    /// The labels of the figures of a question's result.
    package enum Tally {
        package static let hidden = Phrase("shown from {minimum} answers on")
        package static let answers = Phrase.Page.answersCount
        package static let average = Phrase.Page.average
        package static let rankedPoints = Phrase.Page.rankedPoints
        /// A shorter text than `rankedPoints`, for narrow spaces.
        package static let points = Phrase("{most} to 1 points, 0 if not ranked")
        package static let median = Phrase.Page.median
        package static let deviation = Phrase.Page.deviation
        package static let mode = Phrase.Page.mode
        package static let quartiles = Phrase("quartiles {low} and {high}")
        package static let pending = Phrase.Page.pending
        /// A shorter text than `pending`, for narrow spaces.
        package static let heldBack = Phrase("{count} held back")
    }
}
