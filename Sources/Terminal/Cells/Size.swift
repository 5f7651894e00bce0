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
