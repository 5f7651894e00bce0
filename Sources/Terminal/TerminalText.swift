/// Measures how many columns of a terminal a text takes. Korean, Chinese and Japanese characters and most
/// pictographs take two columns; combining marks take none (UAX #11).
package enum DisplayWidth {
    package static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    /// Returns the text with spaces at its end, so that it is at least `width` columns wide.
    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - of(text)))
    }

    /// Returns the text cut to at most `width` columns, with `…` at its end if something is missing.
    package static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        var cut = ""
        var used = 0
        for character in text {
            let next = of(character)
            if used + next > width - 1 { break }
            cut.append(character)
            used += next
        }
        return cut + "…"
    }

    /// Returns the text as rows of at most `width` columns, broken between words. A word that is wider than a
    /// row is broken within the word. Returns one empty row for an empty text.
    package static func wrapped(_ text: String, to width: Int) -> [String] {
        var rows: [String] = []
        var row = ""
        var used = 0
        func flush() {
            rows.append(row)
            (row, used) = ("", 0)
        }
        for word in text.split(separator: " ") {
            let length = of(String(word))
            if used > 0, used + 1 + length > width { flush() }
            if used > 0 {
                row.append(" ")
                used += 1
            }
            for character in word {
                let next = of(character)
                if used + next > width, used > 0 { flush() }
                row.append(character)
                used += next
            }
        }
        flush()
        return rows
    }

    package static func of(_ character: Character) -> Int {
        // Handle ASCII first, because most characters are ASCII and the screen calls this function for every
        // cell.
        if let ascii = character.asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
        guard let first = character.unicodeScalars.first else { return 0 }
        // A terminal draws a joined sequence, or a sequence that ends with the emoji selector, as one
        // picture.
        if character.unicodeScalars.dropFirst().contains(where: { $0.value == 0xFE0F || $0.value == 0x200D })
        {
            return 2
        }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        return first.properties.isEmojiPresentation || isWide(first.value) ? 2 : 1
    }

    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

/// Escapes text of other people before it goes to a terminal, so that it cannot move the cursor, change
/// colours or reverse the direction of the line.
package enum TerminalEscaping {
    /// Returns the text on one line. Control characters, line separators and direction marks become a space
    /// or are removed.
    package static func safe(_ text: String) -> String { safe(text, keepsLines: false) }

    /// Returns the text with its lines and tabulators, and otherwise as `safe`.
    package static func safeLines(_ text: String) -> String { safe(text, keepsLines: true) }

    private static func safe(_ text: String, keepsLines: Bool) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09 where keepsLines, 0x0A where keepsLines: safe.append(scalar)
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: safe.append(" ")
            case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: continue
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }
}

/// A table of text for a terminal. If it is too wide, its widest columns are cut. If they would become too
/// narrow to read, columns are left out, the last one first, and the main column is wrapped. A time is never
/// cut. An id is never left out or cut, because people copy it. Without a terminal, nothing is cut.
package struct Table: Sendable {
    package let headings: [String]
    package private(set) var rows: [[String]] = []
    /// The roles of cells, by row and column.
    private var roles: [[Int: Paint.Role]] = []
    private let main: Int?
    private let wrapping: Set<Int>

    /// The width below which no column is cut, in columns of the terminal.
    private static let narrowest = 8
    /// The widths below which the main column and a column of `wrapping` do not become narrower.
    private static let (narrowestMain, narrowestWrapped) = (12, 10)
    /// The width of a date and a clock. A time that is wider has a label, such as its zone's city, which may
    /// be wrapped.
    private static let time = 16
    private static let gap = 2
    private static let idLength = 26

    /// - Parameters:
    ///   - main: the column that is never left out, and is wrapped instead of cut; nil for the first column
    ///     of text, which is wrapped only if other columns are left out.
    ///   - wrapping: more columns that are wrapped instead of cut, such as sentences.
    package init(_ headings: [String], main: Int? = nil, wrapping: Set<Int> = []) {
        self.headings = headings
        self.main = main
        self.wrapping = wrapping.union(main.map { [$0] } ?? [])
    }

    /// Adds a row. The cells may contain text of other people, so this function escapes them.
    /// - Parameter roles: the roles of some cells, by column.
    package mutating func add(_ cells: [String], _ roles: [Int: Paint.Role] = [:]) {
        rows.append(cells.map(TerminalEscaping.safe))
        self.roles.append(roles)
    }

    /// Returns the table as text.
    /// - Parameters:
    ///   - width: the terminal's columns; nil without a terminal.
    ///   - paint: headings are bold, ids are dim, and cells with a role have its colour.
    package func text(width: Int?, paint: Paint = .none) -> String {
        let ids = Set(headings.indices.filter { isColumn($0, of: Self.isID) })
        let times = Set(headings.indices.filter { isColumn($0, of: Self.isTime) })
        let looks =
            [Dictionary(uniqueKeysWithValues: headings.indices.map { ($0, Paint.Role.heading) })]
            + roles.map { $0.merging(ids.map { ($0, .id) }) { given, _ in given } }
        let all = zip([headings] + rows, looks).map { Row(cells: $0, roles: $1, paint: paint) }
        let natural = headings.indices.map { column in
            all.map { DisplayWidth.of($0.cells[column]) }.max() ?? 0
        }
        guard let width else {
            return all.map { lines($0, natural, Array(headings.indices), []) }.joined()
        }
        let main =
            main
            ?? headings.indices.first { column in
                // A column without a heading has marks.
                !headings[column].isEmpty && !ids.contains(column) && !times.contains(column)
                    && rows.contains { !$0[column].isEmpty }
            }
        var shown = Array(headings.indices)
        while true {
            let areAll = shown.count == headings.count
            let texts =
                areAll
                ? shown.filter { !ids.contains($0) && !times.contains($0) } : main.map { [$0] } ?? []
            let wrapped = areAll ? wrapping.union(times) : Set(shown)
            for flexible in [texts, texts + times.filter(shown.contains)] {
                guard let widths = fitted(natural, shown, flexible, times, to: width) else { continue }
                return all.map { lines($0, widths, shown, wrapped) }.joined()
            }
            guard let last = shown.last(where: { $0 != main && !ids.contains($0) }) else { break }
            shown.removeAll { $0 == last }
        }
        // Not even the main column and an id fit side by side, so each cell has its own rows.
        return all.map { row in
            shown.flatMap { column in
                DisplayWidth.wrapped(row.cells[column], to: max(1, width)).filter { !$0.isEmpty }
                    .map { row.painted($0, column) + "\n" }
            }.joined()
        }.joined()
    }

    /// The cells of one row with their looks.
    private struct Row {
        let cells: [String]
        let roles: [Int: Paint.Role]
        let paint: Paint

        func painted(_ text: String, _ column: Int) -> String {
            // Spaces at the end stay outside, because some terminals colour them.
            let bare = text.withoutSpacesAtEnd
            return roles[column].map { paint.styled(bare, $0) + text.dropFirst(bare.count) } ?? text
        }
    }

    /// Whether a column has cells, and all of them are of this kind.
    private func isColumn(_ column: Int, of kind: (String) -> Bool) -> Bool {
        let cells = rows.map { $0[column] }.filter { !$0.isEmpty }
        return !cells.isEmpty && cells.allSatisfy(kind)
    }

    /// Whether a cell is an id: 26 capital letters and digits.
    private static func isID(_ cell: String) -> Bool {
        cell.utf8.count == idLength
            && cell.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    }

    /// Whether a cell begins with a date (`2026-11-23`) or a clock (`19:04`).
    private static func isTime(_ cell: String) -> Bool {
        func begins(with form: String) -> Bool {
            let cell = cell.prefix(form.count)
            return cell.count == form.count
                && zip(cell, form).allSatisfy { $1 == "0" ? $0.isASCII && $0.isNumber : $0 == $1 }
        }
        return begins(with: "0000-00-00") || begins(with: "00:00")
    }

    /// Returns the lines of one row. A cell that is wider than its column continues below if it belongs to
    /// `wrapped`; otherwise it is cut.
    private func lines(_ row: Row, _ widths: [Int], _ shown: [Int], _ wrapped: Set<Int>) -> String {
        let parts = shown.map { column in
            let (cell, width) = (row.cells[column], max(1, widths[column]))
            return DisplayWidth.of(cell) > width && wrapped.contains(column)
                ? DisplayWidth.wrapped(cell, to: width) : [DisplayWidth.cut(cell, to: width)]
        }
        let height = parts.map(\.count).max() ?? 0
        return (0..<height).map { line in
            zip(parts, shown).map { part, column in
                row.painted(
                    DisplayWidth.padded(part.indices.contains(line) ? part[line] : "", to: widths[column]),
                    column)
            }.joined(separator: String(repeating: " ", count: Self.gap)).withoutSpacesAtEnd + "\n"
        }.joined()
    }

    /// Returns the least width of a column that `fitted` narrows.
    private func least(of column: Int, _ times: Set<Int>) -> Int {
        if times.contains(column) { return Self.time }
        if column == main { return Self.narrowestMain }
        return wrapping.contains(column) ? Self.narrowestWrapped : Self.narrowest
    }

    /// Returns the widths of all columns, so that the `shown` columns fit into `width`. Only the widest of
    /// the `flexible` columns become narrower. Returns nil if a column would become too narrow.
    private func fitted(
        _ natural: [Int], _ shown: [Int], _ flexible: [Int], _ times: Set<Int>, to width: Int
    ) -> [Int]? {
        var widths = natural
        var excess = shown.map { widths[$0] }.reduce(0, +) + Self.gap * max(0, shown.count - 1) - width
        while excess > 0 {
            let narrowable = flexible.filter { widths[$0] > least(of: $0, times) }
            // Of equally wide columns, cut the first one first.
            guard let widest = narrowable.max(by: { (widths[$0], -$0) < (widths[$1], -$1) }) else {
                return nil
            }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}

extension String {
    fileprivate var withoutSpacesAtEnd: String {
        String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
    }
}
