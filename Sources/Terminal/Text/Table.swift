/// Columns of text. Where they are wider than the terminal, the widest are cut until they fit; without a
/// terminal nothing is.
package struct Table: Sendable {
    package let headings: [String]
    package private(set) var rows: [[String]] = []

    package init(_ headings: [String]) { self.headings = headings }

    /// Cells are what people wrote, or ours: they are made safe here.
    package mutating func add(_ cells: [String]) { rows.append(cells.map(TerminalEscaping.safe)) }

    /// - Parameter width: of the terminal; nil without one.
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

    /// The widest columns share the loss; none is made narrower than a few letters.
    static func fitted(_ natural: [Int], to width: Int) -> [Int] {
        var widths = natural
        while widths.reduce(0, +) > width, let widest = widths.max(), widest > 6 {
            let second = widths.filter { $0 < widest }.max() ?? 0
            let columns = widths.filter { $0 == widest }.count
            let loss = max(
                1, min(widest - max(second, 6), (widths.reduce(0, +) - width + columns - 1) / columns))
            // The last of equals gives way last: it is an id, which is of less use with a letter missing.
            var rest = widths.reduce(0, +) - width
            for index in widths.indices where widths[index] == widest && rest > 0 {
                widths[index] -= min(loss, rest)
                rest -= loss
            }
        }
        return widths
    }
}
