extension String {
    /// Combining characters in a row; more are in no text that people write (UAX #15 §13).
    private static let mostInARow = 30
    private static let joiner: Unicode.Scalar = "\u{034F}"

    /// The text with U+034F (combining grapheme joiner, which nobody sees) behind every thirtieth of more than 30 combining characters in a
    /// row: the Stream-Safe Text Process of UAX #15 §13.
    ///
    /// Swift compares, hashes and composes texts in canonical order, and sorts the marks of one letter in time that grows with the square of
    /// their number: a stranger's text of a megabyte would take hours. Every text from outside goes through this before anything else.
    package var streamSafe: String {
        // 31 of the shortest take 62 bytes, each with a first byte of at least 0xCC: nearly every text is done here.
        guard utf8.count > 2 * Self.mostInARow, utf8.contains(where: { $0 >= 0xCC }) else { return self }
        var safe = UnicodeScalarView()
        var run = 0
        var isSafe = true
        for scalar in unicodeScalars {
            run = scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            if run > Self.mostInARow {
                (run, isSafe) = (1, false)
                safe.append(Self.joiner)
            }
            safe.append(scalar)
        }
        return isSafe ? self : String(safe)
    }
}
