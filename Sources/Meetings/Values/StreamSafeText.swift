extension String {
    /// The limit of combining characters in a row. No text that people write has more (UAX #15 §13).
    private static let mostInARow = 30
    private static let joiner: Unicode.Scalar = "\u{034F}"

    /// The text with U+034F (combining grapheme joiner, invisible) after every 30 combining characters of a
    /// longer run: the Stream-Safe Text Process of UAX #15 §13.
    ///
    /// To compare, hash or compose a text, Swift sorts the marks of each letter in quadratic time. A text of
    /// a megabyte would take hours. Every text from outside is made stream-safe before any other use.
    package var streamSafe: String {
        // 31 combining characters have at least 62 bytes and first bytes of at least 0xCC, so most texts
        // return here.
        guard utf8.count > 2 * Self.mostInARow, utf8.contains(where: { $0 >= 0xCC }) else { return self }
        var safe = UnicodeScalarView()
        var run = 0
        var isSafe = true
        for scalar in unicodeScalars {
            run =
                scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered
                ? 0 : run + 1
            if run > Self.mostInARow {
                (run, isSafe) = (1, false)
                safe.append(Self.joiner)
            }
            safe.append(scalar)
        }
        return isSafe ? self : String(safe)
    }
}
