import Foundation
import Meetings
import Testing

struct LocalizedTextTests {
    private let both = LocalizedText(["ko": "안녕", "en": "Hello"])

    @Test(arguments: [("ko", "안녕"), ("KO-KR", "안녕"), ("en", "Hello"), ("de", "Hello"), ("und", "Hello")])
    func `a text is read in the given language, or in the nearest existing one`(tag: String, text: String) {
        #expect(both.text(in: tag) == text)
    }

    @Test func `a text without a language is for readers whose language is missing`() {
        let text = LocalizedText(
            plain: "Hi",
            byLanguage: ["ko": "안녕"].reduce(into: LocalizedText.none) {
                $0 = LocalizedText([$1.key: $1.value])
            })
        #expect(text.text(in: "ko") == "안녕" && text.text(in: "de") == "Hi")
        #expect(LocalizedText(["ja": "あ", "fr": "a"]).text(in: "de") == "a")
        #expect(LocalizedText.none.text(in: "ko").isEmpty && LocalizedText("").isEmpty)
    }

    @Test func `a plain text that equals a text by language adds nothing`() {
        #expect(LocalizedText(plain: "안녕", byLanguage: both) == both)
        #expect(LocalizedText(plain: "Hey", byLanguage: both).texts.count == 3)
        #expect(LocalizedText(plain: nil, byLanguage: nil).isEmpty)
    }

    @Test(arguments: [
        ("ko", "ko"), ("pt-BR", "pt-br"), ("zh_Hant", "zh-hant"), ("x", nil), ("", nil), ("ko-", nil),
        ("k0", nil), ("영어", nil),
    ])
    func `a language tag is letters, then parts of letters and digits`(written: String, tag: String?) {
        #expect(LocalizedText.tag(written) == tag)
    }

    @Test func `a localized question has its language in the plain fields, and no language is removed`()
        throws
    {
        let question = Question(
            id: QuestionID(high: 0, low: 1), title: both, detail: "D",
            kind: .multipleChoice(
                choices: [
                    .init(id: "a", label: LocalizedText(["ko": "가", "en": "A"])), .init(id: "b", label: "B"),
                ], minSelections: 1,
                maxSelections: 1), rules: [Rule(.not(.text("b")), message: both)])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let korean = String(decoding: try encoder.encode(question.localized(in: "ko")), as: UTF8.self)
        #expect(korean.contains(#""title":"안녕","titles":{"en":"Hello","ko":"안녕"}"#))
        #expect(korean.contains(#"{"id":"a","label":"가","labels":{"en":"A","ko":"가"}}"#))
        #expect(
            korean.contains(#"{"id":"b","label":"B"}"#) && korean.contains(#""detail":"D""#)
                && !korean.contains("details"))
        #expect(korean.contains(#""message":"안녕""#))
        #expect(try JSONDecoder().decode(Question.self, from: Data(korean.utf8)) == question)
        #expect(
            String(decoding: try encoder.encode(question.localized(in: "en")), as: UTF8.self).contains(
                #""title":"Hello""#))
    }
}
