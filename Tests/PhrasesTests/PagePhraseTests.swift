import Foundation
import Phrases
import Testing

struct PagePhraseTests {
    /// The page phrases with placeholders, and the names of these placeholders. The compiler ensures that
    /// each phrase has both languages.
    static let filled: [(Phrase, [String])] = [
        (Phrase.Page.onTime, ["time"]), (Phrase.Page.late, ["time"]), (Phrase.Page.round, ["round"]),
        (Phrase.Page.feedbackOpens, ["time"]),
        (Phrase.Page.stars, ["count", "scale"]), (Phrase.Page.checkInOpensAt, ["time"]),
        (Phrase.Page.checkInClosedAt, ["time"]),
        (Phrase.Page.characters, ["count"]), (Phrase.Page.orType, ["address"]),
        (Phrase.Page.ofPlanned, ["count"]),
        (Phrase.Page.chooseUpTo, ["min", "max"]),
    ]

    @Test(arguments: filled) func `a page phrase has the same placeholders in both languages`(
        phrase: Phrase, names: [String]
    ) {
        #expect(Set(Phrase.placeholders(in: phrase.english)) == Set(names))
        #expect(Set(Phrase.placeholders(in: phrase.text(in: .korean))) == Set(names))
        let values = Dictionary(uniqueKeysWithValues: names.map { ($0, "<\($0)>") })
        for language in Language.allCases {
            let text = phrase.text(in: language, values)
            #expect(!text.contains("{") && names.allSatisfy { text.contains("<\($0)>") })
        }
    }

    struct Fixture: Decodable {
        struct Case: Decodable {
            let language: Language
            let sentence: String
            let values: [String: String]
            let text: String
        }
        let cases: [Case]
    }

    /// The browser tests compare `Public/phrase.js` with the same cases.
    @Test func `a phrase is filled in exactly as the pages' script fills it in`() throws {
        let file = URL(filePath: #filePath).appending(path: "../../Fixtures/phrases.json").standardizedFileURL
        let fixture = try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: file))
        #expect(fixture.cases.count > 10)
        for one in fixture.cases {
            #expect(Phrase.filled(one.sentence, one.values, in: one.language) == one.text)
        }
        #expect(Phrase.placeholders(in: "{count|a|b}") == ["count"])
    }

    @Test(
        arguments: [
            ("", [:], ""), ("{", ["": "x"], "{"), ("a{b", ["b": "x"], "a{b"), ("}{a}", ["a": "1"], "}1"),
            ("{a}{a}", ["a": "1"], "11"),
            ("{a}", ["b": "1"], "{a}"), ("{}", ["": "x"], "x"), ("{a}", ["a": ""], ""),
        ] as [(String, [String: String], String)])
    func `braces around a name without a value stay unchanged`(
        sentence: String, values: [String: String], text: String
    ) {
        #expect(Phrase.filled(sentence, values, in: .english) == text)
    }
}

struct LanguageTagTests {
    @Test(arguments: [
        ("ko", Language.korean), ("KO", .korean), ("ko-KR", .korean), ("en_US.UTF-8", .english),
        ("en-GB-oxendict", .english), ("de-AT", .german), ("es-419", .spanish), ("fr_CA", .french),
        ("ja", .japanese), ("zh", .simplifiedChinese), ("zh-Hans-CN", .simplifiedChinese),
        ("zh-TW", .simplifiedChinese),
    ])
    func `the primary language tag decides, in capitals or small letters`(tag: String, language: Language) {
        #expect(Language(tag: tag) == language)
    }

    @Test(arguments: ["", "kor", "POSIX", "pt", "-ko", "*", "zho", "d"])
    func `a tag of an unsupported language gives no language`(
        tag: String
    ) {
        #expect(Language(tag: tag) == nil)
    }

    @Test(arguments: [
        ("ko;q=0.5,en;q=0.5", Language.korean), ("en , ko;q=0.9", .english), ("ko;q=x,en;q=0.1", .english),
        ("*;q=1,ko;q=0.1", .korean),
        (";;,,=", .english),
        ("ko ; q=1", .korean), ("ko;Q=0.1,en;q=0.2", .english),
    ])
    func `malformed parts of an Accept-Language header are ignored`(header: String, language: Language) {
        #expect(RequestedLanguages(query: nil, cookie: nil, acceptLanguage: header).language() == language)
    }

    @Test func `only the first 500 characters of an Accept-Language header are read`() {
        #expect(
            RequestedLanguages(
                query: nil, cookie: nil, acceptLanguage: String(repeating: "x", count: 490) + ",ko"
            ).language()
                == .korean)
        #expect(
            RequestedLanguages(
                query: nil, cookie: nil, acceptLanguage: String(repeating: "x", count: 500) + ",ko"
            ).language()
                == .english)
    }
}
