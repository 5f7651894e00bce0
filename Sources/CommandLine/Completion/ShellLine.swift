/// A command line up to the cursor, split as a POSIX shell splits it. The bash script passes the line
/// unsplit, because bash's completion splits lines at other characters.
package struct ShellLine: Equatable {
    /// All words as the program would receive them. The user is typing the last one.
    package private(set) var words: [String] = []
    /// The last word with its quotes and backslashes.
    private var rawLast = ""
    /// The quote that is still open, and its offset in `rawLast`.
    private var openQuote: (mark: Character, at: Int)?

    package static func == (left: ShellLine, right: ShellLine) -> Bool {
        left.words == right.words && left.rawLast == right.rawLast
            && left.openQuote?.mark == right.openQuote?.mark
    }

    package init(_ line: String) {
        var word = ""
        var raw = ""
        var isEscaped = false
        var quote: (mark: Character, at: Int)?
        for character in line {
            if isEscaped {
                // Within double quotes, a backslash is literal before most characters.
                if quote != nil, !"\"\\$`".contains(character) { word.append("\\") }
                (isEscaped, word, raw) = (false, word + String(character), raw + String(character))
                continue
            }
            switch (character, quote?.mark) {
            case ("\\", nil), ("\\", "\""): isEscaped = true
            case (let mark, let open?) where mark == open: quote = nil
            case ("\"", nil), ("'", nil): quote = (character, raw.count)
            case (" ", nil), ("\t", nil):
                if !raw.isEmpty { words.append(word) }
                (word, raw) = ("", "")
                continue
            default: word.append(character)
            }
            raw.append(character)
        }
        words.append(word)
        (rawLast, openQuote) = (raw, quote)
    }

    /// Returns the text that readline must insert for a whole word. The text omits the part that readline
    /// does not replace, and has the same quotes as the typed text. Returns nil if the word does not continue
    /// the typed text.
    /// - Parameter breaks: bash's `COMP_WORDBREAKS`. Readline replaces the text after the last of these
    ///   characters.
    package func insertion(of word: String, breaks: String) -> String? {
        if let openQuote {
            let before = ShellLine(String(rawLast.prefix(openQuote.at))).words.last ?? ""
            guard word.hasPrefix(before) else { return nil }
            let rest = word.dropFirst(before.count)
            return openQuote.mark == "'"
                ? String(rest) : rest.map { "\"\\$`".contains($0) ? "\\\($0)" : String($0) }.joined()
        }
        let before = ShellLine(unreplaced(breaks)).words.last ?? ""
        guard word.lowercased().hasPrefix(before.lowercased()) else { return nil }
        return Self.escaped(String(word.dropFirst(before.count)), isBeginning: before.isEmpty)
    }

    /// Returns the typed text that readline does not replace.
    private func unreplaced(_ breaks: String) -> String {
        let marks = breaks.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
        var (before, written) = ("", "")
        var (isEscaped, quote): (Bool, Character?) = (false, nil)
        for character in rawLast {
            written.append(character)
            if isEscaped {
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            } else if quote == nil, marks.contains(character) {
                before = written
            }
        }
        return before
    }

    /// Returns the line with another last word, which is escaped as a shell needs it.
    package static func replacingLastWord(of line: String, with word: String) -> String {
        line.dropLast(ShellLine(line).rawLast.count) + escaped(word, isBeginning: true)
    }

    /// Returns the words of a whole line, without an empty word at its end.
    package static func words(of line: String) -> [String] {
        let read = ShellLine(line)
        return read.rawLast.isEmpty ? read.words.dropLast() : read.words
    }

    private static func escaped(_ text: String, isBeginning: Bool) -> String {
        let special = " \t\"'\\$`!&|;<>()*?[]{}^"
        return text.enumerated().map { index, character in
            special.contains(character) || isBeginning && index == 0 && "#~".contains(character)
                ? "\\\(character)" : String(character)
        }.joined()
    }
}
