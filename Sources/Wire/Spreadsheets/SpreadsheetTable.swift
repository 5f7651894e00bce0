package import Phrases

/// How a caller wants a table.
package struct TableForm: Hashable, Sendable {
    /// What stands above the columns.
    package enum Headings: String, CaseIterable, Sendable {
        /// Words in the caller's language.
        case words
        /// The keys of the columns, which are the same in every language and version.
        case keys
    }

    /// The language of the headings and of the words in the cells.
    package let language: Language
    package let headings: Headings
    /// Whether the file begins with the mark by which Excel recognizes UTF-8.
    package let byteOrderMark: Bool

    package init(in language: Language, headings: Headings = .words, byteOrderMark: Bool = false) {
        (self.language, self.headings, self.byteOrderMark) = (language, headings, byteOrderMark)
    }

    func word(_ phrase: Phrase) -> String { phrase.text(in: language) }

    /// Returns a cell with the word for yes, or an empty cell.
    func yes(_ isTrue: Bool) -> SpreadsheetLines.Cell { .text(isTrue ? word(Phrase.Export.yes) : "") }
}

/// All about a column of a table whose lines show values of one type.
struct TableColumn<Line: Sendable>: Sendable {
    /// The name for scripts. It never changes.
    let key: String
    let heading: String
    let cell: @Sendable (Line) -> SpreadsheetLines.Cell

    init(_ key: String, _ heading: String, _ cell: @escaping @Sendable (Line) -> SpreadsheetLines.Cell) {
        (self.key, self.heading, self.cell) = (key, heading, cell)
    }
}

/// A table as CSV (RFC 4180).
struct SpreadsheetTable<Line: Sendable>: Sendable {
    private let columns: [TableColumn<Line>]
    private var lines: SpreadsheetLines

    var bytes: [UInt8] { lines.bytes }

    init(_ form: TableForm, _ columns: [TableColumn<Line>]) {
        self.columns = columns
        lines = SpreadsheetLines(byteOrderMark: form.byteOrderMark)
        lines.add(columns.map { .text(form.headings == .keys ? $0.key : $0.heading) })
    }

    mutating func add(_ line: Line) { lines.add(columns.map { $0.cell(line) }) }
}
