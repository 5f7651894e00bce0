/// Lines of cells for spreadsheets (RFC 4180), in UTF-8.
package struct SpreadsheetLines: Sendable {
    package private(set) var bytes: [UInt8]

    /// - Parameter byteOrderMark: by which a Korean Excel knows that the file is UTF-8.
    package init(byteOrderMark: Bool) { bytes = byteOrderMark ? [0xEF, 0xBB, 0xBF] : [] }

    package mutating func add(_ cells: [Cell]) {
        bytes += cells.map(\.written).joined(separator: ",").utf8
        bytes += "\r\n".utf8
    }

    package mutating func add(_ texts: [String]) { add(texts.map { .text($0) }) }

    package enum Cell: Sendable {
        /// What somebody wrote: what a spreadsheet would run as a formula is made a text by an apostrophe,
        /// which it shows to nobody who edits the cell; the full-width twins are run by some, too.
        case text(String)
        /// A number of ours, in digits: a minus before it is one.
        case number(String)

        var written: String {
            guard case .text(let text) = self else {
                if case .number(let digits) = self { return digits }
                return ""
            }
            let isFormula =
                text.unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
            let safe = isFormula ? "'" + text : text
            guard safe.unicodeScalars.contains(where: { "\",\r\n;\t".unicodeScalars.contains($0) }) else {
                return safe
            }
            return "\"\(safe.replacing("\"", with: "\"\""))\""
        }
    }
}
