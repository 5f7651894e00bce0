/// The content of a screen as a value, with one cell for each column of each row.
///
/// A character that is two columns wide is in the cell of its first column, and the next cell is empty. Text
/// never reaches beyond the grid. Characters without a width, such as control characters, are omitted, so
/// that no text moves the cursor.
package struct Grid: Hashable, Sendable {
    package struct Cell: Hashable, Sendable {
        /// The character of the cell; nil in the second column of a wide character.
        package fileprivate(set) var character: Character?
        package fileprivate(set) var style: Style
    }

    package let size: Size
    package private(set) var cells: [Cell]

    package init(_ size: Size) {
        self.size = size
        cells = Array(repeating: Cell(character: " ", style: .plain), count: max(0, size.columns * size.rows))
    }

    package subscript(column: Int, row: Int) -> Cell { cells[row * size.columns + column] }

    /// Puts text into a row, starting at a column. Text that is wider than `limit` columns is cut, with `…`
    /// at its end (`~` if `ascii` is true).
    /// - Returns: the column after the text.
    @discardableResult
    package mutating func put(
        _ text: String, column: Int, row: Int, _ style: Style = .plain, limit: Int = .max, ascii: Bool = false
    ) -> Int {
        guard 0..<size.rows ~= row, column >= 0 else { return column }
        let end = column + min(limit, size.columns - column)
        guard column < end else { return column }
        var at = column
        let fits = limit == .max || DisplayWidth.of(text) <= end - column
        let last = fits ? end : end - 1
        for character in text {
            let width = DisplayWidth.of(character)
            if width == 0 { continue }
            if at + width > last { break }
            if ascii, !character.isASCII {
                // Replace a character that is not in ASCII with as many question marks as it has columns.
                for place in at..<at + width { set("?", 1, place, row, style) }
            } else {
                set(character, width, at, row, style)
            }
            at += width
        }
        if !fits {
            set(ascii ? "~" : "…", 1, at, row, style)
            at += 1
        }
        return at
    }

    /// Puts text so that it ends before a column.
    package mutating func put(
        _ text: String, endingAt column: Int, row: Int, _ style: Style = .plain, ascii: Bool = false
    ) {
        put(text, column: max(0, column - DisplayWidth.of(text)), row: row, style, ascii: ascii)
    }

    private mutating func set(_ character: Character, _ width: Int, _ column: Int, _ row: Int, _ style: Style)
    {
        let index = row * size.columns + column
        // Replace the remaining half of an overwritten wide character with a space.
        if cells[index].character == nil, column > 0 { cells[index - 1].character = " " }
        let behind = column + width
        if behind < size.columns, cells[row * size.columns + behind].character == nil {
            cells[row * size.columns + behind].character = " "
        }
        cells[index] = Cell(character: character, style: style)
        if width == 2, column + 1 < size.columns { cells[index + 1] = Cell(character: nil, style: style) }
    }

    /// Fills an area with one character.
    package mutating func fill(_ area: Area, _ character: Character = " ", _ style: Style = .plain) {
        for row in max(0, area.row)..<max(0, min(size.rows, area.row + area.rows)) {
            for column in max(0, area.column)..<max(0, min(size.columns, area.column + area.columns)) {
                set(character, 1, column, row, style)
            }
        }
    }

    /// Changes the style of an area without changing its characters.
    package mutating func restyle(_ area: Area, _ change: (inout Style) -> Void) {
        for row in max(0, area.row)..<max(0, min(size.rows, area.row + area.rows)) {
            for column in max(0, area.column)..<max(0, min(size.columns, area.column + area.columns)) {
                change(&cells[row * size.columns + column].style)
            }
        }
    }
}

extension Grid {
    /// The text of the grid, row by row, without spaces at the ends of the rows.
    package var text: String {
        (0..<size.rows).map { row in
            var line = ""
            for column in 0..<size.columns {
                if let character = self[column, row].character { line.append(character) }
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    /// The styles of the grid as text: one letter for each style and `.` for the plain style. A legend below
    /// explains the letters.
    package var styleMap: String {
        var letters: [Style: Character] = [.plain: "."]
        var legend: [(Character, Style)] = []
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var map = ""
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let style = self[column, row].style
                if letters[style] == nil {
                    let letter = alphabet[min(legend.count, alphabet.count - 1)]
                    letters[style] = letter
                    legend.append((letter, style))
                }
                map.append(letters[style] ?? "?")
            }
            map += "\n"
        }
        return map + legend.map { "\($0.0) \($0.1.name)\n" }.joined()
    }
}

extension Style {
    fileprivate var name: String {
        var words = [ink.map { "\($0)" } ?? "plain"]
        if let ground { words.append("on \(ground)") }
        if isBold { words.append("bold") }
        if isDim { words.append("dim") }
        if isReversed { words.append("reversed") }
        return words.joined(separator: " ")
    }
}
