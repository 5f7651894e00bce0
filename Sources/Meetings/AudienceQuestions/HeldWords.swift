import UnicodeForms

/// A meeting's list of words. If a question from the audience contains one of them, it is held back until a
/// host shows it.
///
/// Texts and words are compared without case, width, compatibility forms (NFKC, case-folded) and invisible
/// characters, so that `s\u{200B}pam` does not pass as another word. A word that
/// begins or ends with a Latin letter or a digit must begin or end there in the text too, so that `ass` does
/// not match `class`. Korean attaches particles to a word, so a Korean word matches anywhere.
package struct HeldWords: Hashable, Sendable, Codable {
    /// The words as the host wrote them, in the host's order.
    package let words: [String]
    package let version: Int

    /// The most words of a meeting, and the most characters of a word.
    package static let most = (words: 200, characters: 40)

    package init(_ words: [String], version: Int) {
        self.words = words
        self.version = version
    }

    package static let none = HeldWords([], version: 0)

    /// Returns whether the text contains one of the words.
    package func match(_ text: String) -> Bool {
        guard !words.isEmpty else { return false }
        let text = Array(Self.folded(text).unicodeScalars)
        return words.contains { Self.contains(Array(Self.folded($0).unicodeScalars), in: text) }
    }

    /// Returns the form in which words and texts are compared.
    package static func folded(_ text: String) -> String {
        if text.isASCII { return text.lowercased() }
        return text.withoutInvisibles.compatibilityCaseFolded
    }

    private static func contains(_ word: [Unicode.Scalar], in text: [Unicode.Scalar]) -> Bool {
        guard let first = word.first, let last = word.last, word.count <= text.count else { return false }
        for start in 0...(text.count - word.count) where text[start] == first {
            let end = start + word.count
            guard text[start..<end].elementsEqual(word) else { continue }
            let runsOnBefore = start > 0 && first.isLatinOrDigit && text[start - 1].isLatinOrDigit
            let runsOnAfter = end < text.count && last.isLatinOrDigit && text[end].isLatinOrDigit
            if !runsOnBefore, !runsOnAfter { return true }
        }
        return false
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is an ASCII digit or a letter of the blocks Basic Latin to Latin Extended-B.
    fileprivate var isLatinOrDigit: Bool {
        (48...57).contains(value) || (value < 0x250 && properties.isAlphabetic)
    }
}
