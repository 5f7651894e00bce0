/// The rules for the words of a word cloud.
///
/// Words with the same key count as one word, and the results show the key. So the same answers give the same
/// picture in any order. The key of a word is made in these steps:
/// 1. Invisible characters are removed, and Unicode compatibility composition (NFKC) folds width and forms:
///    `ＡＢＣ` becomes `ABC`.
/// 2. Letters become small, and spaces inside the word become one space.
/// 3. Marks at both ends (`# . , ! ? ; : …`, quotes and brackets) are removed.
/// 4. If the word ends with a Korean particle of `particles`, the particle is removed once. At least two
///    syllables must remain, and the final consonant before the particle must fit: `학교에서` becomes `학교`,
///    `배움을` becomes `배움`, and `고양이` stays.
package enum CloudWord {
    /// The most words of one attendee that a question can allow.
    package static let mostWords = 3
    /// The largest number of characters of a word.
    package static let mostCharacters = 30
    /// The largest number of bytes of a word and of its key. An index of PostgreSQL takes 2,704 bytes.
    package static let mostBytes = mostCharacters * PersonalText.bytesForACharacter
    /// The largest number of words that results show.
    package static let mostShown = 100
    /// The largest number of words that a host can list and moderate: the most frequent ones. Results show
    /// words of these only.
    package static let mostListed = 1_000

    /// What must precede a particle.
    private enum Before {
        case any, consonant, vowel
    }

    /// The particles, longest first. Particles that often end a noun (이, 의, 도, 만, 로) are not listed.
    private static let particles: [(text: String, before: Before)] = [
        ("에서", .any), ("에게", .any), ("까지", .any), ("부터", .any), ("처럼", .any), ("으로", .consonant),
        ("은", .consonant), ("을", .consonant), ("과", .consonant), ("는", .vowel), ("를", .vowel),
        ("가", .vowel), ("와", .vowel), ("에", .any),
    ]

    private static let marks = Set("#.,!?;:…\"'“”‘’()[]{}<>《》「」『』")

    /// Returns the words in a text that was typed into one field: its parts between commas, or between spaces
    /// if it has no commas.
    package static func words(in text: String) -> [String] {
        let commas: Set<Character> = [",", "，", "、", "\n"]
        let isListed = text.contains(where: commas.contains)
        return text.split { isListed ? commas.contains($0) : $0.isWhitespace }.map { trimmed(String($0)) }
            .filter { !$0.isEmpty }
    }

    /// Returns the word without spaces at its ends.
    package static func trimmed(_ word: String) -> String {
        String(word.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Returns the key of a word. It is not empty if the word is not empty.
    package static func key(_ word: String) -> String {
        let parts = word.foldedForComparing.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let bare = parts.drop(while: marks.contains).reversed().drop(while: marks.contains).reversed()
        guard !bare.isEmpty else { return parts.isEmpty ? word : parts }
        return withoutParticle(String(bare))
    }

    private static func withoutParticle(_ word: String) -> String {
        for (particle, before) in particles where word.hasSuffix(particle) {
            let stem = word.dropLast(particle.count)
            guard stem.count >= 2, let last = stem.unicodeScalars.last, (0xAC00...0xD7A3).contains(last.value)
            else { continue }
            // A syllable without a final consonant is a multiple of 28 in its block (Unicode §3.12).
            let hasConsonant = (last.value - 0xAC00) % 28 != 0
            if before == .any || (before == .consonant) == hasConsonant { return String(stem) }
        }
        return word
    }
}

/// A word of a word cloud, with the number of attendees who wrote it.
package struct WordCount: Hashable, Sendable, Codable {
    package let word: String
    package let count: Int

    package init(word: String, count: Int) {
        self.word = word
        self.count = count
    }
}

/// A word of a word cloud, with what a host or a held word decided about it. A decision belongs to the word,
/// whoever wrote it, so it links no answer to a person.
package struct ModeratedWord: Hashable, Sendable {
    package let word: String
    package let count: Int
    /// Nil if nothing has decided about the word.
    package let decided: TextStatus?

    package init(word: String, count: Int, decided: TextStatus?) {
        self.word = word
        self.count = count
        self.decided = decided
    }

    /// Whether shared results contain the word.
    package func status(_ moderation: TextModeration) -> TextStatus { decided ?? moderation.initialStatus }
}

extension [ModeratedWord] {
    /// The words that results show.
    package func shown(_ moderation: TextModeration) -> [WordCount] {
        filter { $0.status(moderation) == .visible }.prefix(CloudWord.mostShown).map {
            WordCount(word: $0.word, count: $0.count)
        }
    }
}
