/// A text in one or several languages. Each language has a tag (RFC 5646, in lower case: `ko`, `en`,
/// `pt-br`). A text without a language has the tag `und` ("undetermined"). Readers see this text if their own
/// language is missing.
package struct LocalizedText: Sendable {
    /// The texts by language tag. No text is empty.
    package private(set) var texts: [String: String]
    /// The language of `plain`. In a response, it is the language that the caller requested. It does not
    /// affect equality.
    private var language = undetermined

    /// The tag of a text without a language (RFC 5646 §4.1).
    package static let undetermined = "und"
    /// The largest number of languages of one text.
    package static let mostLanguages = 20

    /// Makes a localized text from texts by language tag. Empty texts and malformed tags are ignored.
    package init(_ texts: [String: String]) {
        self.texts = [:]
        for (tag, text) in texts where !text.isEmpty {
            if let tag = Self.tag(tag) { self.texts[tag] = text }
        }
    }

    /// Makes a localized text whose text has no language.
    package init(_ text: String) { texts = text.isEmpty ? [:] : [Self.undetermined: text] }

    /// The localized text without any text.
    package static let none = LocalizedText([:])

    /// Whether there is no text in any language.
    package var isEmpty: Bool { texts.isEmpty }

    /// Whether the text has no language, or is empty.
    package var isPlain: Bool { texts.keys.allSatisfy { $0 == Self.undetermined } }

    /// Returns the text in `language`. If this text is missing, returns the first of these that exists: the
    /// text in the base language (`pt` for `pt-br`), the text without a language, the English text, the text
    /// with the first tag. Returns an empty text if there is none.
    package func text(in language: String) -> String {
        let tag = language.lowercased()
        if let text = texts[tag] ?? texts[String(tag.prefix { $0 != "-" })] { return text }
        return texts[Self.undetermined] ?? texts["en"] ?? texts.min { $0.key < $1.key }?.value ?? ""
    }

    /// The text in the language that `localized(in:)` chose. If no language was chosen, the rules for an
    /// unknown language apply.
    package var plain: String { text(in: language) }

    /// Returns the same texts. Their `plain` is the text in this language.
    package func localized(in language: String) -> LocalizedText {
        var localized = self
        localized.language = language
        return localized
    }

    /// The regular expression (ECMA-262) of valid tags, for the OpenAPI document.
    package static let tagPattern = "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$"

    /// Returns the language tag in lower case, with hyphens. Returns nil if `text` is malformed. A tag is 2–3
    /// letters, then parts of 1–8 letters or digits.
    package static func tag(_ text: String) -> String? {
        let tag = text.lowercased().replacing("_", with: "-")
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard let primary = parts.first, (2...3).contains(primary.utf8.count), tag.utf8.count <= 35 else {
            return nil
        }
        let isLetter: (UInt8) -> Bool = { (97...122).contains($0) }
        guard primary.utf8.allSatisfy(isLetter) else { return nil }
        let rest = parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) }
        }
        return rest ? tag : nil
    }
}

extension LocalizedText: Hashable {
    package static func == (left: LocalizedText, right: LocalizedText) -> Bool { left.texts == right.texts }
    package func hash(into hasher: inout Hasher) { hasher.combine(texts) }
}

extension LocalizedText: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(text) }
}

/// The JSON form: an object of texts by language tag, sorted by tag.
extension LocalizedText: Codable {
    /// A language tag as the name of a JSON field.
    package struct Tag: CodingKey {
        package let stringValue: String
        package var intValue: Int? { nil }

        package init(stringValue: String) { self.stringValue = stringValue }
        package init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Tag.self)
        var texts: [String: String] = [:]
        for tag in container.allKeys {
            texts[tag.stringValue] = try container.decode(String.self, forKey: tag)
        }
        self.init(texts)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Tag.self)
        for (tag, text) in texts.sorted(by: { $0.key < $1.key }) {
            try container.encode(text, forKey: Tag(stringValue: tag))
        }
    }
}

extension LocalizedText {
    /// Combines two JSON fields: a text without a language, and texts by language. If the text without a
    /// language equals one of the texts by language, it is ignored as a copy.
    package init(plain: String?, byLanguage: LocalizedText?) {
        self = byLanguage ?? .none
        if let plain, texts[Self.undetermined] == nil, !texts.values.contains(plain) {
            self = LocalizedText(texts.merging([Self.undetermined: plain]) { $1 })
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a localized text from its two JSON fields. Both fields may be missing.
    func localized(_ plain: Key, _ byLanguage: Key) throws -> LocalizedText {
        LocalizedText(
            plain: try decodeIfPresent(String.self, forKey: plain),
            byLanguage: try decodeIfPresent(LocalizedText.self, forKey: byLanguage))
    }
}

extension KeyedEncodingContainer {
    /// Encodes a localized text as its two JSON fields. Omits the field of texts by language if the text has
    /// no language.
    mutating func encode(_ text: LocalizedText, _ plain: Key, _ byLanguage: Key) throws {
        try encode(text.plain, forKey: plain)
        if !text.isPlain { try encode(text, forKey: byLanguage) }
    }

    /// Encodes a localized text as its two JSON fields. Omits both fields if the text is empty.
    mutating func encodeIfAny(_ text: LocalizedText, _ plain: Key, _ byLanguage: Key) throws {
        if !text.isEmpty { try encode(text, plain, byLanguage) }
    }
}
