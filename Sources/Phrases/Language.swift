/// A language of the product's texts.
package enum Language: String, Sendable, Codable, CaseIterable {
    case english = "en"
    case korean = "ko"

    /// Reads a tag such as `ko`, `ko-KR`, `ko_KR.UTF-8` or `KO`. Nil for other languages.
    package init?(tag: some StringProtocol) {
        let primary = tag.lowercased().prefix { $0 != "-" && $0 != "_" && $0 != "." }
        self.init(rawValue: String(primary))
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
