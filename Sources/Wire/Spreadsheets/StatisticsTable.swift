package import Meetings
import Phrases

/// The equal texts among the answers to a question.
package struct RepeatedTexts: Codable, Hashable, Sendable {
    package let questionId: QuestionID
    /// The texts that at least two answers share (`EqualTexts`), the most frequent first.
    package let texts: [EqualTexts.Count]

    /// Counts the texts of all responses of a set. Questions without repeated texts are left out.
    package static func among(_ shown: [ShownResponse], to set: QuestionSet) -> [RepeatedTexts] {
        var found: [QuestionID: EqualTexts] = [:]
        for response in shown {
            for (id, answer) in response.response.answers {
                if let text = answer.shownText { found[id, default: EqualTexts()].add(text) }
            }
        }
        return set.questions.compactMap { question in
            guard let texts = found[question.id]?.repeated, !texts.isEmpty else { return nil }
            return RepeatedTexts(questionId: question.id, texts: texts)
        }
    }
}

/// The statistics of a set's questions as CSV (RFC 4180): a line for each row of a result, each figure, and
/// each repeated text. A choice has its label, and its value for other programs in a column of its own.
package struct StatisticsTable: Sendable {
    private struct Line: Sendable {
        let question: String
        let name: String
        let value: SpreadsheetLines.Cell
        var percent: Double?
        /// The value of the choice for other programs.
        var choice: String?
    }

    private typealias Words = Phrase.Export
    private let form: TableForm
    private var table: SpreadsheetTable<Line>

    package var bytes: [UInt8] { table.bytes }

    package init(_ tallies: [TallyBody], _ repeated: [RepeatedTexts], _ form: TableForm) {
        self.form = form
        table = SpreadsheetTable(
            form,
            [
                .init("question", form.word(Words.question)) { .text($0.question) },
                .init("answer", form.word(Words.answerOrFigure)) { .text($0.name) },
                .init("value", form.word(Words.value)) { $0.value },
                .init("percent", form.word(Words.percent)) {
                    $0.percent.map { .number(Amount.text($0)) } ?? .text("")
                },
                .init("choiceValue", form.word(Words.choiceValue)) { .text($0.choice ?? "") },
            ])
        for tally in tallies {
            // A hidden result has no figures, not even the number of answers.
            if tally.hidden != nil { continue }
            add(tally, repeated.first { $0.questionId == tally.questionId }?.texts ?? [])
        }
    }

    private mutating func add(_ tally: TallyBody, _ texts: [EqualTexts.Count]) {
        let title = tally.titles?.text(in: form.language.rawValue) ?? tally.title
        func line(_ name: String, _ value: String, _ percent: Double? = nil, of choice: String? = nil) {
            table.add(
                Line(question: title, name: name, value: .number(value), percent: percent, choice: choice))
        }
        line(form.word(Words.answers), String(tally.answers))
        func named(_ phrase: Phrase, _ row: ResultRow) -> String {
            phrase.text(in: form.language, ["choice": row.name])
        }
        let rows = tally.rows(in: form.language)
        for (index, row) in rows.enumerated() {
            guard let points = row.points else {
                line(row.name, String(row.count), tally.percents?[index], of: row.value)
                continue
            }
            line(named(Words.rankedPoints, row), Amount.text(points.average), of: row.value)
            line(named(Words.rankedFirst, row), String(points.first), of: row.value)
        }
        for (phrase, figure) in [
            (Words.average, tally.average), (Words.deviation, tally.standardDeviation),
            (Words.least, tally.min), (Words.median, tally.median), (Words.most, tally.max),
        ] {
            if let figure { line(form.word(phrase), Amount.text(figure)) }
        }
        if let mode = tally.mode {
            // A number or a day is its own name.
            let names = mode.map { answer -> (name: String, value: String?) in
                rows.first { $0.answer == answer }.map { ($0.name, $0.value) } ?? (answer, nil)
            }
            table.add(
                Line(
                    question: title, name: form.word(Words.mode),
                    value: .text(names.map(\.name).joined(separator: "; ")),
                    choice: names.compactMap(\.value).joined(separator: "; ")))
        }
        for equal in texts {
            let percent = (Double(equal.count) / Double(max(1, tally.answers)) * 1000).rounded() / 10
            line(equal.text, String(equal.count), percent)
        }
    }
}
