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
        #expect(
            RequestedLanguages(query: query, cookie: cookie, acceptLanguage: header).language() == expected)
    }

    @Test(
        arguments: [
            (nil, nil, "nl-NL, nl;q=0.9", Language.german, Language.german),
            (nil, nil, nil, .german, .german),
            (nil, nil, "*", .german, .german), (nil, nil, "nl, en;q=0.5", .english, .german),
            (nil, nil, "ko-KR", .korean, .german), (nil, "fr", "nl", .french, .german),
            ("ja", "fr", "ko", .japanese, .japanese),
        ] as [(String?, String?, String?, Language, Language)])
    func `a caller's own languages come before the meeting's, and for others only the address does`(
        query: String?, cookie: String?, header: String?, caller: Language, others: Language
    ) {
        let asked = RequestedLanguages(query: query, cookie: cookie, acceptLanguage: header)
        #expect(asked.language(in: .german) == caller)
        #expect(asked.language(for: .others, in: .german) == others)
    }

    @Test func `without a language of the meeting, other readers get the caller's language, or English`() {
        let asked = RequestedLanguages(query: nil, cookie: "ko", acceptLanguage: "fr")
        #expect(asked.language(for: .others) == .korean)
        #expect(
            RequestedLanguages(query: "xx", cookie: nil, acceptLanguage: "nl").language(for: .others)
                == .english)
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

    @Test func `no answers are singular in French, and plural in an English sentence without translation`() {
        let count = ["count": "0"]
        #expect(Phrase.Page.answersCount.text(in: .french, count) == "0 réponse")
        #expect(Phrase.Page.answersCount.text(in: .english, count) == "0 answers")
        let untranslated = Phrase(verbatim: "{count} {count|balloon|balloons}")
        #expect(untranslated.text(in: .french, count) == "0 balloons")
    }

    @Test func `a value that looks like a placeholder is not replaced`() {
        let phrase = Phrase(verbatim: "{a} and {b}")
        #expect(phrase.text(in: .english, ["a": "{b}", "b": "2"]) == "{b} and 2")
        #expect(Phrase.filled("{b}와 {a}", ["a": "1", "b": "2"], in: .korean) == "2와 1")
        #expect(Phrase.placeholders(in: phrase.english) == ["a", "b"])
    }
}
