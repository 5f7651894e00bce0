/// Reads records from text in columns (RFC 4180), as spreadsheets write it. The separator can be a comma,
/// semicolon or tab. Cells can be quoted or not. All kinds of line ends are allowed.
package struct SeparatedText: Sendable {
    /// One record of the text: a row of cells.
    package struct Record: Hashable, Sendable {
        /// The number of the line in which the record begins, counted from 1. A quoted cell can span several
        /// lines.
        package let line: Int
        package let cells: [String]
    }

    /// The reason why the file cannot be read.
    package enum Failure: Error, Hashable, Sendable {
        case notUTF8
        /// A quoted cell has no closing quote, or text follows the closing quote.
        case badQuotes(line: Int)
        case tooManyRecords
        /// A cell after column `mostColumns` is not empty.
        case tooManyColumns(line: Int)
    }

    private static let newline = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")

    /// The largest number of columns. Spreadsheets may write empty cells after the used columns. The reader
    /// ignores these empty cells.
    package static let mostColumns = 100

    /// Returns the records of the text. The function ignores empty lines and a byte order mark. Excel's first
    /// line `sep=;` sets the separator.
    /// - Parameter most: the largest number of records. The function throws if there are more, so that many
    ///   short lines cannot use much memory.
    /// - Throws: `Failure`.
    package static func records(of bytes: [UInt8], most: Int) throws(Failure) -> [Record] {
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else { throw .notUTF8 }
        var reader = Reader(rest: bytes)
        if let separator = reader.declaredSeparator() {
            reader.separator = separator
        } else {
            reader.separator = Self.likeliestSeparator(in: bytes)
        }
        return try reader.all(most: most)
    }

    /// Returns the separator that occurs most often in the first line. Separators inside quotes do not count.
    private static func likeliestSeparator(in bytes: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == quote { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == newline || byte == UInt8(ascii: "\r") { break }
            counts[byte, default: 0] += 1
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let most = candidates.map { counts[$0] ?? 0 }.max() ?? 0
        return candidates.first { counts[$0] ?? 0 == most } ?? candidates[0]
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>
        var separator = UInt8(ascii: ",")
        var line = 1

        mutating func declaredSeparator() -> UInt8? {
            let head = Array(rest.prefix(7))
            guard head.count >= 5, head.prefix(4).elementsEqual("sep=".utf8) else { return nil }
            var after = rest.dropFirst(5)
            if after.first == UInt8(ascii: "\r") { after = after.dropFirst() }
            guard after.first == SeparatedText.newline else { return nil }
            rest = after.dropFirst()
            line = 2
            return head[4]
        }

        mutating func all(most: Int) throws(Failure) -> [Record] {
            var records: [Record] = []
            while !rest.isEmpty {
                let start = line
                let cells = try record()
                guard cells.contains(where: { !$0.isEmpty }) else { continue }
                guard records.count < most else { throw .tooManyRecords }
                records.append(Record(line: start, cells: cells))
            }
            return records
        }

        /// Reads to the end of the record's last line, and consumes the line end.
        private mutating func record() throws(Failure) -> [String] {
            var cells: [String] = []
            while true {
                let (start, found) = (line, try cell())
                if cells.count < SeparatedText.mostColumns {
                    cells.append(found)
                } else if !found.isEmpty {
                    throw .tooManyColumns(line: start)
                }
                guard let byte = rest.first else { return cells }
                rest.removeFirst()
                if byte == separator { continue }
                if byte == UInt8(ascii: "\r"), rest.first == SeparatedText.newline { rest.removeFirst() }
                line += 1
                return cells
            }
        }

        /// Reads to the separator or line end, and does not consume it.
        private mutating func cell() throws(Failure) -> String {
            guard rest.first == SeparatedText.quote else {
                let end = rest.firstIndex { isEnd($0) } ?? rest.endIndex
                defer { rest = rest[end...] }
                return String(decoding: rest[..<end], as: UTF8.self).streamSafe.trimmingSpaces
            }
            let start = line
            var content: [UInt8] = []
            rest.removeFirst()
            while let byte = rest.popFirst() {
                if byte == SeparatedText.newline { line += 1 }
                if byte != SeparatedText.quote {
                    content.append(byte)
                } else if rest.first == SeparatedText.quote {
                    content.append(byte)
                    rest.removeFirst()
                } else {
                    guard rest.first.map(isEnd) ?? true else { throw .badQuotes(line: line) }
                    return String(decoding: content, as: UTF8.self).streamSafe.trimmingSpaces
                }
            }
            throw .badQuotes(line: start)
        }

        private func isEnd(_ byte: UInt8) -> Bool {
            byte == separator || byte == SeparatedText.newline || byte == UInt8(ascii: "\r")
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        guard let first = first, let last = last, isSpace(first) || isSpace(last) else { return self }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
