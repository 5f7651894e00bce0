/// A sentence for people. The code has its English text, and the folder `Languages` its translations.
///
/// `{name}` is replaced with a value. `{count|answer|answers}` becomes the first word if the language has the
/// singular for the value of `count`, and otherwise the second word. A Korean particle pair after a value,
/// such as `{name}을(를)`, becomes the particle that fits the value. `Public/phrase.js` follows the same rules.
package struct Phrase: Sendable {
    /// The English sentence, by which the files of the other languages find their translation.
    package let english: String
    /// The context of the sentence, if another sentence with equal English words has another translation.
    let context: String?

    /// - Parameter english: a literal, because `scripts/sentences` collects the sentences from the code.
    package init(_ english: String, context: String? = nil) {
        self.english = english
        self.context = context
    }

    /// Makes a phrase that is not translated: a name, or text from outside.
    package init(verbatim english: String) { self.init(english) }

    /// Returns the sentence in `language`, with its values filled in.
    package func text(in language: Language, _ values: [String: String] = [:]) -> String {
        let translated = Catalogue.of(language)?.text(of: self)
        let sentence = translated ?? english
        guard !values.isEmpty else { return sentence }
        return Self.filled(sentence, values, in: translated == nil ? .english : language)
    }

    /// Returns the names of the values in `sentence`, in order of appearance.
    package static func placeholders(in sentence: String) -> [String] {
        sentence.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
            .compactMap { part in
                part.firstIndex(of: "}").map { close in String(part[..<close].prefix { $0 != "|" }) }
            }
    }

    /// Returns a sentence of `language` with each placeholder replaced by its value. Placeholders without a
    /// value are not changed. All values are inserted in one pass, so a value that looks like a placeholder
    /// is not replaced.
    package static func filled(_ sentence: String, _ values: [String: String], in language: Language)
        -> String
    {
        var text = ""
        var rest = sentence[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            let placeholder = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
            let parts = placeholder.split(separator: "|", omittingEmptySubsequences: false)
            guard let value = values[String(parts.first ?? "")] else {
                text += "{\(placeholder)}"
                continue
            }
            if parts.count == 3 {
                text += language.hasSingular(for: value) ? parts[1] : parts[2]
            } else {
                text += value
                text += particle(after: value, in: &rest)
            }
        }
        return text + rest
    }

    /// The Korean particles. Each has the written pair, the form after a consonant, and the form after a
    /// vowel.
    private static let particles = [
        ("을(를)", "을", "를"), ("이(가)", "이", "가"), ("은(는)", "은", "는"), ("과(와)", "과", "와"),
        ("와(과)", "과", "와"), ("(으)로", "으로", "로"),
    ]

    /// Removes a particle pair from the beginning of `rest`, perhaps with a closing quotation mark before it.
    /// Returns the mark and the particle that fits `value`. If the sound of the value is unknown, the pair is
    /// not removed.
    private static func particle(after value: String, in rest: inout Substring) -> String {
        let mark = rest.prefix { "\"”’)".contains($0) }.prefix(1)
        let behind = rest.dropFirst(mark.count)
        guard let pair = particles.first(where: { behind.hasPrefix($0.0) }), let sound = FinalSound(of: value)
        else { return "" }
        rest = behind.dropFirst(pair.0.count)
        // The particle 로 follows ㄹ as well as a vowel.
        let isOpen = sound == .vowel || sound == .rieul && pair.2 == "로"
        return mark + (isOpen ? pair.2 : pair.1)
    }

    /// The final sound of a value, as a Korean reader pronounces it.
    private enum FinalSound {
        case vowel, rieul, consonant

        /// Nil if the value ends with neither a Hangul syllable nor a digit.
        init?(of value: String) {
            // Stored names are in NFC, so a Hangul syllable is one scalar.
            guard let last = value.unicodeScalars.last else { return nil }
            switch last.value {
            case 0xAC00...0xD7A3:
                // A syllable's code point is 0xAC00 + (initial × 21 + vowel) × 28 + final (Unicode §3.12).
                let final = (last.value - 0xAC00) % 28
                self = final == 0 ? .vowel : final == 8 ? .rieul : .consonant
            // These digits are read 일, 칠, 팔 · 영, 삼, 육 · 이, 사, 오, 구.
            case 0x31, 0x37, 0x38: self = .rieul
            case 0x30, 0x33, 0x36: self = .consonant
            case 0x32, 0x34, 0x35, 0x39: self = .vowel
            default: return nil
            }
        }
    }
}
