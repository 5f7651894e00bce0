/// A text in one language or several, by language tag (RFC 5646, in lower case: `ko`, `en`, `pt-br`). A text
/// that was written without a language has the tag `und` ("undetermined"), and is what languages without a
/// text of their own see.
package struct LocalizedText: Sendable {
    package private(set) var texts: [String: String]
    /// In which language `plain` speaks: the caller's, in an answer. Two texts are equal whoever they are
    /// told to.
    private var language = undetermined

    package static let undetermined = "und"
    package static let mostLanguages = 20

    /// Empty texts and what is no language tag are left out.
    package init(_ texts: [String: String]) {
        self.texts = [:]
        for (tag, text) in texts where !text.isEmpty {
            if let tag = Self.tag(tag) { self.texts[tag] = text }
        }
    }

    /// A text in no language in particular.
    package init(_ text: String) { self.init([Self.undetermined: text]) }

    package static let none = LocalizedText([:])

    package var isEmpty: Bool { texts.isEmpty }

    /// Whether nothing tells its language.
    package var isPlain: Bool { texts.keys.allSatisfy { $0 == Self.undetermined } }

    /// In that language, else in one that it is a kind of (`pt` for `pt-br`), else the text without a
    /// language, else English, else the first by tag. Empty where there is none at all.
    package func text(in language: String) -> String {
        let tag = language.lowercased()
        if let text = texts[tag] ?? texts[String(tag.prefix { $0 != "-" })] { return text }
        return texts[Self.undetermined] ?? texts["en"] ?? texts.min { $0.key < $1.key }?.value ?? ""
    }

    /// In the language that it is told in, which is none in particular unless `told(in:)` said one.
    package var plain: String { text(in: language) }

    package func told(in language: String) -> LocalizedText {
        var told = self
        told.language = language
        return told
    }

    /// Of tags as they may be written (ECMA-262).
    package static let tagPattern = "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$"

    /// In lower case; nil where `text` is not shaped like one: letters, then parts of 1–8 letters and digits.
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

/// An object of texts by tag, in the order of the tags.
extension LocalizedText: Codable {
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
    /// A text as one field says it without a language and another by language. Those by language come first;
    /// the plain one counts where it says something that they do not.
    package init(plain: String?, byLanguage: LocalizedText?) {
        self = byLanguage ?? .none
        if let plain, texts[Self.undetermined] == nil, !texts.values.contains(plain) {
            self = LocalizedText(texts.merging([Self.undetermined: plain]) { $1 })
        }
    }
}

extension KeyedDecodingContainer {
    /// The two fields of a text.
    func localized(_ plain: Key, _ byLanguage: Key) throws -> LocalizedText {
        LocalizedText(
            plain: try decodeIfPresent(String.self, forKey: plain),
            byLanguage: try decodeIfPresent(LocalizedText.self, forKey: byLanguage))
    }
}

extension KeyedEncodingContainer {
    /// The field by language is left out where no language is told.
    mutating func encode(_ text: LocalizedText, _ plain: Key, _ byLanguage: Key) throws {
        try encode(text.plain, forKey: plain)
        if !text.isPlain { try encode(text, forKey: byLanguage) }
    }

    /// The same where an empty text is left out.
    mutating func encodeIfAny(_ text: LocalizedText, _ plain: Key, _ byLanguage: Key) throws {
        if !text.isEmpty { try encode(text, plain, byLanguage) }
    }
}
