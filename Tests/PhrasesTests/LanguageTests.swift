import Phrases
import Testing

struct LanguageTests {
    @Test(
        arguments: [
            ("ko", nil, nil, Language.korean), (nil, "ko", "en", .korean),
            ("xx", nil, "ko-KR,ko;q=0.9,en;q=0.8", .korean),
            (nil, nil, "en;q=0.5, ko;q=0.6", .korean), (nil, nil, "ko;q=0, en", .english),
            (nil, nil, "pt", .english), (nil, nil, "pt-BR, fr;q=0.7, en;q=0.3", .french),
            (nil, nil, nil, .english),
        ] as [(String?, String?, String?, Language)])
    func `the query's language overrides the cookie's, and the cookie's overrides the header's`(
        query: String?, cookie: String?, header: String?, expected: Language
    ) {
        #expect(Language.negotiated(query: query, cookie: cookie, acceptLanguage: header) == expected)
    }

    @Test func `hosts get English if the texts for hosts are not in their language`() {
        #expect(Language.allCases.map(\.forHosts).filter { $0 == .korean }.count == 1)
        #expect(Language.german.forHosts == .english && Language.english.forHosts == .english)
        #expect(Phrase.Host.all["unsaved"]?.text(in: .german) == "unsaved")
    }

    @Test(arguments: Language.allCases) func `each language has texts of its own for attendees`(
        language: Language
    ) {
        for phrase in [Phrase.Page.resultsAreShared, Phrase.Page.sessionGone, Phrase.Page.nothingOpenDetail] {
            #expect((phrase.text(in: language) == phrase.english) == (language == .english))
        }
    }

    @Test func `the language is read from the terminal's locale`() {
        #expect(Language(tag: "ko_KR.UTF-8") == .korean)
        #expect(Language(tag: "C") == nil)
    }

    @Test func `a value that looks like a placeholder is not replaced`() {
        let phrase = Phrase(verbatim: "{a} and {b}")
        #expect(phrase.text(in: .english, ["a": "{b}", "b": "2"]) == "{b} and 2")
        #expect(Phrase.filled("{b}와 {a}", ["a": "1", "b": "2"]) == "2와 1")
        #expect(Phrase.placeholders(in: phrase.english) == ["a", "b"])
    }
}
