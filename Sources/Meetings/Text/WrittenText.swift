import UnicodeForms

extension String {
    /// The largest number of combining characters in a row. No written language uses more (UAX #15 §13).
    private static let mostInARow = 30
    private static let joiner: Unicode.Scalar = "\u{034F}"

    /// The text in Stream-Safe Text Format (UAX #15 §13). If a run has more than 30 combining characters, the
    /// invisible character U+034F (combining grapheme joiner) is inserted after every 30 of them.
    ///
    /// Swift sorts the combining characters of each letter in quadratic time when it compares, hashes or
    /// composes a text. With a text of one megabyte, this could take hours. Therefore every text from outside
    /// must be made stream-safe before any other use.
    package var streamSafe: String {
        // A run of 31 combining characters has at least 62 bytes, and each character's first byte is at least
        // 0xCC. Most texts fail these tests and return here.
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

extension Unicode.Scalar {
    /// Whether the scalar is a control character. A control character could move a terminal's cursor or end a
    /// C string. Texts may hold only two kinds of control characters: line ends and tabs.
    package var isControl: Bool { properties.generalCategory == .control }
}

extension String {
    /// Whether all characters are ASCII. The loop has no branches, so that the processor examines many bytes
    /// in one step.
    package var isASCII: Bool {
        utf8.withContiguousStorageIfAvailable { $0.reduce(0, |) < 0x80 } ?? utf8.allSatisfy { $0 < 0x80 }
    }
}

extension StringProtocol {
    /// The text without white space, line ends and zero-width spaces at both ends.
    package var trimmed: String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace || $0.value == 0x200B }
        guard let first = unicodeScalars.firstIndex(where: { !isSpace($0) }),
            let last = unicodeScalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[first..<unicodeScalars.index(after: last)])
    }

    /// Whether the text holds only ASCII characters from the space to the tilde, as most names and addresses
    /// do. Their Unicode categories need not be read.
    package var hasOnlyPrintableASCII: Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy { (0x20...0x7E).contains($0) } } ?? false
    }

    /// Whether the text holds no control characters except line ends and tabs.
    package var isPlainText: Bool {
        hasOnlyPrintableASCII
            || unicodeScalars.allSatisfy { !$0.isControl || $0 == "\n" || $0 == "\r" || $0 == "\t" }
    }

    /// Whether the text holds characters that do not belong on one line: control characters, line separators,
    /// and invisible characters that change how the following characters are read (reversed direction,
    /// zero-width spaces). With such characters, one name could look like another name. Joiners are allowed,
    /// because emoji and several scripts need them. Tag characters are allowed only after a black flag,
    /// because they spell the flags of England, Scotland and Wales.
    package var hasUnfitForLine: Bool {
        if hasOnlyPrintableASCII { return false }
        var isFlag = false
        for scalar in unicodeScalars {
            let isTag = (0xE0020...0xE007F).contains(scalar.value)
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: return true
            case .unassigned where scalar.properties.isNoncharacterCodePoint: return true
            case .format where !(scalar.value == 0x200C || scalar.value == 0x200D || (isTag && isFlag)):
                return true
            default: break
            }
            isFlag = scalar.value == 0x1F3F4 || (isFlag && isTag)
        }
        return false
    }

    /// Whether the text holds characters that do not belong into a text of several lines: control characters
    /// except line ends and tabs, and overrides of the direction (U+202D, U+202E), which show letters in
    /// another order than they were typed.
    ///
    /// Other invisible characters are allowed. Copied texts hold them, nobody can see where, and Arabic and
    /// Hebrew need some of them. Pages isolate the direction of each text (`look.css`), terminals leave the
    /// marks out (`TerminalEscaping`), and comparisons ignore them (`foldedForComparing`).
    package var hasUnfitForLines: Bool {
        !isPlainText || unicodeScalars.contains { $0.value == 0x202D || $0.value == 0x202E }
    }

    /// Whether at least one character is visible. Fillers and joiners are not visible.
    package var isVisible: Bool { unicodeScalars.contains(where: \.isVisible) }

    /// Whether at least one character is visible and is no mark, such as an accent, of another character.
    package var hasVisibleBase: Bool {
        unicodeScalars.contains {
            $0.isVisible && ![.nonspacingMark, .enclosingMark].contains($0.properties.generalCategory)
        }
    }
}

extension String {
    /// The text in the form in which texts that look equal are the same: without invisible characters, in
    /// Unicode compatibility composition (NFKC), and with small letters.
    package var foldedForComparing: String {
        if isASCII { return lowercased() }
        return withoutInvisibles.compatibilityComposed.lowercased()
    }

    /// The text without default-ignorable characters, in Stream-Safe Text Format. Those that change what a
    /// reader sees stay: the joiners, selectors and tags of an emoji, and a joiner after a virama or between
    /// letters of a script that joins them (RFC 5892 §A.1 and §A.2).
    package var withoutInvisibles: String {
        guard unicodeScalars.contains(where: \.properties.isDefaultIgnorableCodePoint) else { return self }
        var visible = UnicodeScalarView()
        var before: Unicode.Scalar?
        for scalar in unicodeScalars {
            if scalar.properties.isDefaultIgnorableCodePoint, !scalar.isSeen(after: before) { continue }
            visible.append(scalar)
            before = scalar
        }
        return String(visible).streamSafe
    }
}

extension Unicode.Scalar {
    /// The empty Braille pattern, the musical null notehead, and the place of an object in a text.
    private static let blanks: Set<UInt32> = [0x2800, 0x1D159, 0xFFFC]

    fileprivate var isVisible: Bool {
        !properties.isDefaultIgnorableCodePoint && !properties.isWhitespace && !Self.blanks.contains(value)
    }

    /// Whether this default-ignorable character changes what a reader sees after `before`.
    fileprivate func isSeen(after before: Unicode.Scalar?) -> Bool {
        guard let before else { return false }
        let continuesEmoji = !before.isASCII && before.properties.isEmoji || before.value == 0xFE0F
        return switch value {
        case 0xFE0F: continuesEmoji || (before.isASCII && before.properties.isEmoji)
        case 0xE0020...0xE007F: before.value == 0x1F3F4 || (0xE0020...0xE007E).contains(before.value)
        case 0x200C, 0x200D:
            (value == 0x200D && continuesEmoji) || before.properties.canonicalCombiningClass == .virama
                || before.joinsNeighbors
        default: false
        }
    }

    /// Whether the scalar belongs to a block whose letters join their neighbours: Arabic, Syriac, NKo,
    /// Mandaic and Mongolian.
    private var joinsNeighbors: Bool {
        (0x600...0x8FF).contains(value) || (0x1800...0x18AF).contains(value)
    }
}
