/// Columns of text. The last column is cut where the terminal ends; without a terminal nothing is.
package struct Table: Sendable {
    package let headings: [String]
    package private(set) var rows: [[String]] = []

    package init(_ headings: [String]) { self.headings = headings }

    /// Cells are what people wrote, or ours: they are made safe here.
    package mutating func add(_ cells: [String]) { rows.append(cells.map(ForeignText.safe)) }

    /// - Parameter width: of the terminal; nil without one.
    package func text(width: Int?) -> String {
        let all = [headings] + rows
        let widths = headings.indices.map { column in all.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        return all.map { cells in
            let line = zip(cells, widths).map { DisplayWidth.padded($0, to: $1) }.joined(separator: "  ")
            let trimmed = String(line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)])
            return (width.map { DisplayWidth.cut(trimmed, to: $0) } ?? trimmed) + "\n"
        }.joined()
    }
}
