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
    package static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: safe.append(" ")
            case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: continue
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }
}

/// A table of text. If it is wider than the terminal, its widest columns are cut until it fits. Without a
/// terminal, nothing is cut.
package struct Table: Sendable {
    package let headings: [String]
    package private(set) var rows: [[String]] = []

    package init(_ headings: [String]) { self.headings = headings }

    /// Adds a row. The cells may contain text of other people, so this function escapes them.
    package mutating func add(_ cells: [String]) { rows.append(cells.map(TerminalEscaping.safe)) }

    /// Returns the table as text.
    /// - Parameter width: the terminal's columns; nil without a terminal.
    package func text(width: Int?) -> String {
        let all = [headings] + rows
        let natural = headings.indices.map { column in all.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        let widths = width.map { Self.fitted(natural, to: $0 - 2 * (natural.count - 1)) } ?? natural
        return all.map { cells in
            let line = zip(cells, widths).map { DisplayWidth.padded(DisplayWidth.cut($0, to: $1), to: $1) }
                .joined(separator: "  ")
            let trimmed = String(
                line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)])
            return (width.map { DisplayWidth.cut(trimmed, to: $0) } ?? trimmed) + "\n"
        }.joined()
    }

    /// Returns the widths of the columns. Only the widest columns become narrower, and none is cut below 6
    /// columns.
    static func fitted(_ natural: [Int], to width: Int) -> [Int] {
        var widths = natural
        while widths.reduce(0, +) > width, let widest = widths.max(), widest > 6 {
            let second = widths.filter { $0 < widest }.max() ?? 0
            let columns = widths.filter { $0 == widest }.count
            let loss = max(
                1, min(widest - max(second, 6), (widths.reduce(0, +) - width + columns - 1) / columns))
            // Of equally wide columns, cut the last one last, because it often has ids, which are less useful
            // if letters are missing.
            var rest = widths.reduce(0, +) - width
            for index in widths.indices where widths[index] == widest && rest > 0 {
                widths[index] -= min(loss, rest)
                rest -= loss
            }
        }
        return widths
    }
}
