/// A command line as a POSIX shell reads it, up to the cursor: bash gives it raw, cut at characters of its
/// own.
struct ShellLine: Equatable {
    /// Every word as the program would get it; the last is being typed.
    private(set) var words: [String] = []
    /// The last word as it is written.
    private(set) var rawLast = ""
    /// The quote that is still open, and where in `rawLast` it stands.
    private(set) var openQuote: (mark: Character, at: Int)?

    static func == (left: ShellLine, right: ShellLine) -> Bool {
        left.words == right.words && left.rawLast == right.rawLast
            && left.openQuote?.mark == right.openQuote?.mark
    }

    init(_ line: String) {
        var word = ""
        var raw = ""
        var isEscaped = false
        var quote: (mark: Character, at: Int)?
        for character in line {
            if isEscaped {
                // Within double quotes a backslash stands for itself before most characters.
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

    /// A whole word as readline must insert it: without what stands before the part that it replaces, and
    /// quoted as the part is.
    /// - Parameter breaks: bash's `COMP_WORDBREAKS`, at the last of which the replaced part begins. Nil for a
    ///   word that does not go on with what is written before that part.
    func insertion(of word: String, breaks: String) -> String? {
        if let openQuote {
            let before = ShellLine(String(rawLast.prefix(openQuote.at))).words.last ?? ""
            guard word.hasPrefix(before) else { return nil }
            let rest = word.dropFirst(before.count)
            return openQuote.mark == "'"
                ? String(rest) : rest.map { "\"\\$`".contains($0) ? "\\\($0)" : String($0) }.joined()
        }
        let before = ShellLine(replacedAfter(breaks)).words.last ?? ""
        guard word.lowercased().hasPrefix(before.lowercased()) else { return nil }
        return Self.escaped(String(word.dropFirst(before.count)), isBeginning: before.isEmpty)
    }

    /// What stands before the part that readline replaces.
    private func replacedAfter(_ breaks: String) -> String {
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

    private static func escaped(_ text: String, isBeginning: Bool) -> String {
        let special = " \t\"'\\$`!&|;<>()*?[]{}^"
        return text.enumerated().map { index, character in
            special.contains(character) || isBeginning && index == 0 && "#~".contains(character)
                ? "\\\(character)" : String(character)
        }.joined()
    }
}
