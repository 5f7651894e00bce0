/// What a screen shows, as a value: a cell for each column of each row.
///
/// A character that takes two columns has the cell of its first, and the one behind it is empty. Nothing that
/// is put reaches beyond the grid, and nothing moves the cursor: what has no width of its own is left out.
package struct Grid: Hashable, Sendable {
    package struct Cell: Hashable, Sendable {
        /// Nil behind a character of two columns.
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

    /// Puts text from a cell on; what does not fit into `limit` columns is cut, with `…` (`~` where it must
    /// be ASCII) at its end.
    /// - Returns: the column behind it.
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
                // What ASCII has not takes the columns that it would have taken.
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
        // Half of a wide character that was there before would stand alone.
        if cells[index].character == nil, column > 0 { cells[index - 1].character = " " }
        let behind = column + width
        if behind < size.columns, cells[row * size.columns + behind].character == nil {
            cells[row * size.columns + behind].character = " "
        }
        cells[index] = Cell(character: character, style: style)
        if width == 2, column + 1 < size.columns { cells[index + 1] = Cell(character: nil, style: style) }
    }

    /// One character over and over.
    package mutating func fill(_ area: Area, _ character: Character = " ", _ style: Style = .plain) {
        for row in max(0, area.row)..<max(0, min(size.rows, area.row + area.rows)) {
            for column in max(0, area.column)..<max(0, min(size.columns, area.column + area.columns)) {
                set(character, 1, column, row, style)
            }
        }
    }

    /// Another style for what stands there.
    package mutating func restyle(_ area: Area, _ change: (inout Style) -> Void) {
        for row in max(0, area.row)..<max(0, min(size.rows, area.row + area.rows)) {
            for column in max(0, area.column)..<max(0, min(size.columns, area.column + area.columns)) {
                change(&cells[row * size.columns + column].style)
            }
        }
    }
}

extension Grid {
    /// Row by row, without the blanks at their ends.
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

    /// The styles as text: a letter for each, `.` for the plain one, and what each letter means below.
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
