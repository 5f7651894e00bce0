/// A language of the product's texts. The raw value is its tag (BCP 47).
package enum Language: String, Sendable, Codable, CaseIterable {
    case english = "en"
    case korean = "ko"
    case japanese = "ja"
    case simplifiedChinese = "zh-Hans"
    case german = "de"
    case spanish = "es"
    case french = "fr"

    /// The languages with the texts for hosts, operators and the command line. The others have only the texts
    /// for attendees, the hall and mails.
    package static let forHosts: [Language] = [.english, .korean]

    /// The language in which a host who prefers this language gets the texts for hosts.
    package var forHosts: Language { Self.forHosts.contains(self) ? self : .english }

    /// Reads a tag such as `ko`, `ko-KR`, `ko_KR.UTF-8` or `KO`. The language alone decides, so `zh-TW` is
    /// Simplified Chinese, the nearest of the product's languages. Nil for other languages.
    package init?(tag: some StringProtocol) {
        let primary = tag.lowercased().prefix { $0 != "-" && $0 != "_" && $0 != "." }
        guard let language = Self.allCases.first(where: { $0.rawValue.prefix(2) == primary }) else {
            return nil
        }
        self = language
    }

    /// The language's name in the language itself.
    package var ownName: String {
        switch self {
        case .english: "English"
        case .korean: "한국어"
        case .japanese: "日本語"
        case .simplifiedChinese: "简体中文"
        case .german: "Deutsch"
        case .spanish: "Español"
        case .french: "Français"
        }
    }

    /// Returns the language for a request. The first of these that names a language of the product decides:
    /// `?lang=`, a cookie, `Accept-Language` (RFC 9110 §12.5.4), English.
    package static func negotiated(query: String?, cookie: String?, acceptLanguage: String?) -> Language {
        for asked in [query, cookie] {
            if let asked, let language = Language(tag: asked) { return language }
        }
        return acceptLanguage.flatMap(preferred) ?? .english
    }

    private static func preferred(in header: String) -> Language? {
        var best: (language: Language, quality: Double)?
        for range in header.prefix(500).split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let tag = parts.first, let language = Language(tag: tag) else { continue }
            let quality =
                parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }.map {
                    Double($0.dropFirst(2)) ?? 0
                } ?? 1
            if quality > 0, quality > best?.quality ?? 0 { best = (language, quality) }
        }
        return best?.language
    }
}
