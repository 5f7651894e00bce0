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

    /// Whether the language has the singular for this number (CLDR, plural rules): for 1, and in French for
    /// each number whose integer part is 0 or 1. `Public/phrase.js` follows the same rule.
    package func hasSingular(for number: String) -> Bool {
        guard self == .french else { return number == "1" }
        return ["0", "1"].contains(number.prefix { $0.isNumber })
    }

    /// Whether people write a comma before decimals (CLDR, `decimal`). `Public/kinds.js` follows the same
    /// rule.
    private var hasDecimalComma: Bool { [.german, .spanish, .french].contains(self) }

    /// Returns a number with the decimal sign of the language.
    /// - Parameter text: the number with a point, without grouping.
    package func number(_ text: String) -> String {
        hasDecimalComma ? String(text.map { $0 == "." ? "," : $0 }) : text
    }

    /// Returns a percentage with the space that the language has before the sign (CLDR, `percentFormat`).
    /// `Public/kinds.js` follows the same rule.
    package func percentage(_ number: String) -> String {
        switch self {
        case .german, .spanish: number + "\u{A0}%"
        case .french: number + "\u{202F}%"
        case .english, .korean, .japanese, .simplifiedChinese: number + "%"
        }
    }

    /// Returns a list of such numbers. A semicolon separates numbers that may contain a comma.
    package func list(ofNumbers texts: [String]) -> String {
        texts.map(number).joined(separator: hasDecimalComma ? "; " : ", ")
    }

    /// Returns the language that a browser prefers, if it is one of the product's (RFC 9110 §12.5.4).
    fileprivate static func preferred(in header: String) -> Language? {
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

/// The languages of the product that a request names. Their order is the one rule by which the server
/// chooses the language of a text.
package struct RequestedLanguages: Hashable, Sendable {
    /// The language in the address of the page: `?lang=`.
    private let address: Language?
    /// The language that the person chose on an earlier page. A cookie holds it.
    private let chosen: Language?
    /// The language of `Accept-Language` that the browser prefers.
    private let browser: Language?

    /// The readers of a text.
    package enum Readers: Sendable {
        /// The person who sends the request.
        case caller
        /// People whose languages the server does not know: a hall, the readers of a poster or of a mail.
        case others
    }

    package init(query: String?, cookie: String?, acceptLanguage: String?) {
        address = query.flatMap { Language(tag: $0) }
        chosen = cookie.flatMap { Language(tag: $0) }
        browser = acceptLanguage.flatMap(Language.preferred)
    }

    /// The language that the caller gets in every meeting; nil if the caller requests no language of the
    /// product.
    package var own: Language? { address ?? chosen ?? browser }

    /// Returns the language of a text. The caller's own languages come before the meeting's language. For
    /// other readers, only the address comes before it, because a cookie and a browser speak for the caller.
    /// English is the last choice.
    /// - Parameter meeting: the meeting's language for attendees; nil if it has none.
    package func language(for readers: Readers = .caller, in meeting: Language? = nil) -> Language {
        switch readers {
        case .caller: own ?? meeting ?? .english
        case .others: address ?? meeting ?? own ?? .english
        }
    }
}
