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

/// A colour. Text without a colour has the terminal's own foreground, which is readable on any theme.
package enum Colour: UInt8, Hashable, Sendable, CaseIterable {
    case red, green, yellow, blue, magenta, cyan, grey, faint, bar, pureBlack, pureWhite

    /// The colour's number on a terminal with 256 colours. All colours of text have a contrast of at least 3
    /// (WCAG 2.2 §1.4.11) on black, on white and on both grounds of Solarized, because a program cannot know
    /// the ground. Only one grey has at least 4.5 on black and on white, so both greys are this one.
    package var number: Int32 {
        switch self {
        case .red: 167
        case .green: 64
        case .yellow: 136
        case .blue: 68
        case .magenta: 133
        case .cyan: 30
        case .grey, .faint: 243
        case .bar: 24
        case .pureBlack: 16
        case .pureWhite: 231
        }
    }

    /// The colour's number on a terminal with 8 colours (0–7). The terminal's theme decides how it looks.
    fileprivate var basicNumber: Int32 {
        switch self {
        case .red: 1
        case .green: 2
        case .yellow: 3
        case .blue, .bar: 4
        case .magenta: 5
        case .cyan: 6
        case .grey, .faint, .pureWhite: 7
        case .pureBlack: 0
        }
    }
}

/// The attributes and colours that show a cell on a terminal.
package struct CellLook: Hashable, Sendable {
    /// The number of the foreground; nil for the terminal's own.
    package var ink: Int32?
    /// The number of the background; nil for the terminal's own.
    package var ground: Int32?
    package var isBold: Bool
    package var isDim: Bool
    package var isReversed: Bool

    /// - Parameters:
    ///   - colours: the number of the terminal's colours. With fewer than 256, only blocks have a colour,
    ///     because a theme's yellow or white is unreadable as text on a light ground.
    ///   - theme: the user's colours of text.
    package init(_ style: Style, of character: Character, colours: Int, theme: Theme = .standard) {
        (isBold, isDim, isReversed) = (style.isBold, style.isDim, style.isReversed)
        if colours >= 256 {
            (ink, ground) = (style.ink.flatMap(theme.number), style.ground?.number)
        } else if colours >= 8,
            Self.isBlock(character) || style.ground == .pureBlack
                || style.ground == .pureWhite
        {
            (ink, ground) = (style.ink?.basicNumber, style.ground?.basicNumber)
        } else if style.ground == .bar {
            isReversed = true
        }
        // Without colours of text, bold letters tell a status that needs attention from the others.
        if colours < 256, style.ink == .yellow || style.ink == .red { isBold = true }
    }

    /// Whether the character is a block or a shade (Unicode block U+2580), and no text.
    private static func isBlock(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { 0x2580...0x259F ~= $0.value } ?? false
    }
}

/// The appearance of a cell. A nil colour means the terminal's default colour.
package struct Style: Hashable, Sendable {
    package var ink: Colour?
    package var ground: Colour?
    package var isBold = false
    package var isDim = false
    package var isReversed = false

    package init(
        _ ink: Colour? = nil, on ground: Colour? = nil, bold: Bool = false, dim: Bool = false,
        reversed: Bool = false
    ) {
        self.ink = ink
        self.ground = ground
        isBold = bold
        isDim = dim
        isReversed = reversed
    }

    package static let plain = Style()
}

/// The number of columns and rows of a terminal, or of a part of it.
package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A part of a grid; column 0 and row 0 are at the top left.
package struct Area: Hashable, Sendable {
    package var column: Int
    package var row: Int
    package var columns: Int
    package var rows: Int

    package init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    package init(_ size: Size) { self.init(column: 0, row: 0, columns: size.columns, rows: size.rows) }

    package func contains(column: Int, row: Int) -> Bool {
        self.column..<(self.column + columns) ~= column && self.row..<(self.row + rows) ~= row
    }

    /// Removes the upper `count` rows from this area and returns them. Returns fewer if the area has fewer.
    package mutating func takeTop(_ count: Int) -> Area {
        let taken = min(max(0, count), rows)
        defer {
            row += taken
            rows -= taken
        }
        return Area(column: column, row: row, columns: columns, rows: taken)
    }

    package mutating func takeBottom(_ count: Int) -> Area {
        let taken = min(max(0, count), rows)
        rows -= taken
        return Area(column: column, row: row + rows, columns: columns, rows: taken)
    }

    /// Removes the right `count` columns from this area and returns them.
    package mutating func takeRight(_ count: Int) -> Area {
        let taken = min(max(0, count), columns)
        columns -= taken
        return Area(column: column + columns, row: row, columns: taken, rows: rows)
    }

    package mutating func takeLeft(_ count: Int) -> Area {
        let taken = min(max(0, count), columns)
        defer {
            column += taken
            columns -= taken
        }
        return Area(column: column, row: row, columns: taken, rows: rows)
    }
}
