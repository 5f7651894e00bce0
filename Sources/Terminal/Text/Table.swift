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
