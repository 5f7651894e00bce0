import Glibc
import Meetings

/// Lines of cells for spreadsheets (RFC 4180), in UTF-8.
package struct SpreadsheetLines: Sendable {
    package private(set) var bytes: [UInt8]

    /// - Parameter byteOrderMark: whether the file begins with the mark by which Excel recognizes UTF-8.
    package init(byteOrderMark: Bool) { bytes = byteOrderMark ? [0xEF, 0xBB, 0xBF] : [] }

    /// Adds a line of cells.
    package mutating func add(_ cells: [Cell]) {
        bytes += cells.map(\.written).joined(separator: ",").utf8
        bytes += "\r\n".utf8
    }

    /// The content of a cell.
    package enum Cell: Sendable {
        /// A text that a user wrote. If a spreadsheet would run the text as a formula, a leading apostrophe
        /// prevents this. Some spreadsheets skip white space and invisible characters before a formula, and
        /// accept full-width formula characters, so such texts get an apostrophe as well.
        case text(String)
        /// A number that the server computed: digits, and perhaps a minus sign.
        case number(String)

        var written: String {
            guard case .text(let text) = self else {
                if case .number(let digits) = self { return digits }
                return ""
            }
            guard text.unicodeScalars.contains(where: { "\",\r\n;\t".unicodeScalars.contains($0) }) else {
                return Self.isFormula(text[...]) ? "'" + text : text
            }
            return "\"\(Self.safe(text).replacing("\"", with: "\"\""))\""
        }

        /// Adds an apostrophe wherever a formula could begin in a cell with quotes. In many countries, a
        /// spreadsheet separates cells by semicolons. Then a cell also begins inside the text: after a
        /// semicolon, a tab or a line end.
        private static func safe(_ text: String) -> String {
            var safe = String.UnicodeScalarView(isFormula(text[...]) ? "'".unicodeScalars : "".unicodeScalars)
            var rest = text.unicodeScalars[...]
            let separators = ";\t\r\n".unicodeScalars
            while let separator = rest.firstIndex(where: separators.contains) {
                safe += rest[...separator]
                rest = rest[separator...].dropFirst()
                let cell = rest.prefix { !separators.contains($0) }
                if isFormula(Substring(cell)) { safe.append("'") }
            }
            return String(safe + rest)
        }

        /// Whether a spreadsheet could run the text as a formula: if it begins with a tab or a line end, or
        /// if its first visible character is `=`, `+`, `-` or `@` in any width. A negative number such as
        /// `-3` is not one.
        private static func isFormula(_ text: Substring) -> Bool {
            guard let first = text.unicodeScalars.first else { return false }
            if first == "-", text.wholeMatch(of: /-[0-9]+(\.[0-9]+)?/) != nil { return false }
            if "\t\r\n".unicodeScalars.contains(first) { return true }
            let visible = text.unicodeScalars.first {
                !$0.properties.isWhitespace && !$0.isControl && $0.properties.generalCategory != .format
                    && !$0.properties.isDefaultIgnorableCodePoint
            }
            return visible.map { "=+-@＝＋－＠﹦﹢﹣﹫".unicodeScalars.contains($0) } ?? false
        }
    }
}

/// A text file that a spreadsheet program saved. In Korea, Excel's plain "CSV" is encoded in CP949, which
/// glibc's iconv converts to UTF-8.
package enum SpreadsheetText {
    /// The encoding of the file.
    package enum Encoding: String, Codable, CaseIterable, Sendable {
        case utf8 = "utf-8"
        case cp949
    }

    /// Returns the text as UTF-8. UTF-8 is not changed, and Korean text in CP949 is converted. Text in any
    /// other encoding is returned unchanged, because the encoding would be a guess.
    package static func utf8(of bytes: [UInt8]) -> (bytes: [UInt8], encoding: Encoding) {
        if String(validating: bytes, as: UTF8.self) != nil { return (bytes, .utf8) }
        guard isKorean(bytes), let converted = fromCP949(bytes) else { return (bytes, .utf8) }
        return (converted, .cp949)
    }

    /// Converts CP949 to UTF-8. Returns nil if the text is not CP949, or if this system's iconv does not
    /// support CP949.
    private static func fromCP949(_ bytes: [UInt8]) -> [UInt8]? {
        let failed = iconv_t(bitPattern: -1)
        guard let converter = iconv_open("UTF-8", "CP949"), converter != failed else { return nil }
        defer { iconv_close(converter) }
        // Two bytes of CP949 become at most three bytes of UTF-8.
        var output = [CChar](repeating: 0, count: bytes.count * 2 + 4)
        var (inLeft, outLeft) = (bytes.count, output.count)
        let isWhole = bytes.withUnsafeBytes { input in
            output.withUnsafeMutableBufferPointer { output in
                // iconv does not write to the input, although the C interface lacks a const (POSIX iconv).
                var from = UnsafeMutablePointer(mutating: input.bindMemory(to: CChar.self).baseAddress)
                var to = output.baseAddress
                return iconv(converter, &from, &inLeft, &to, &outLeft) != -1 && inLeft == 0
            }
        }
        return isWhole ? output.dropLast(outLeft).map { UInt8(bitPattern: $0) } : nil
    }

    /// Whether most characters are common Korean syllables: two bytes above ASCII (KS X 1001, rows 16–40). In
    /// a Western text, an accented letter before a plain letter looks like a rare syllable, whose second byte
    /// is a letter.
    private static func isKorean(_ bytes: [UInt8]) -> Bool {
        var (usual, others, index) = (0, 0, 0)
        while index < bytes.count {
            guard bytes[index] >= 0x80 else {
                index += 1
                continue
            }
            let isUsual =
                (0xB0...0xC8).contains(bytes[index]) && index + 1 < bytes.count && bytes[index + 1] >= 0xA1
            if isUsual { usual += 1 } else { others += 1 }
            index += 2
        }
        return usual > others
    }
}
