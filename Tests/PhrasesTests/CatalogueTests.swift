import Testing

@testable import Phrases

struct CatalogueTests {
    private func catalogue(_ text: String) -> Catalogue {
        Array(text.utf8).withUnsafeBufferPointer { Catalogue($0) }
    }

    @Test func `a translation is found by the English sentence`() {
        let one = catalogue(
            """
            # A comment with "quotes".
            msgid ""
            msgstr ""
            "Language: ko\\n"

            #. save
            #: Sources/Page.swift
            msgid "Save"
            msgstr "저장"

            msgid "Delete"
            msgstr ""
            """)
        #expect(one.text(of: Phrase(verbatim: "Save")) == "저장")
        #expect(one.text(of: Phrase(verbatim: "Delete")) == nil)
        #expect(one.text(of: Phrase(verbatim: "Close")) == nil)
        #expect(one.text(of: Phrase(verbatim: "")) == nil)
    }

    @Test func `the context tells equal sentences apart`() {
        let one = catalogue(
            """
            msgid "open"
            msgstr "열림"

            msgctxt "command"
            msgid "open"
            msgstr "열기"

            msgid "closed"
            msgstr "닫힘"
            """)
        #expect(one.text(of: Phrase(verbatim: "open")) == "열림")
        #expect(one.text(of: Phrase("open", context: "command")) == "열기")
        #expect(one.text(of: Phrase("open", context: "report")) == nil)
        #expect(one.text(of: Phrase("closed", context: "command")) == nil)
    }

    @Test func `a long sentence continues on the next lines, and escapes are read`() {
        let one = catalogue(
            """
            msgid ""
            "One \\"two\\" "
            "\\\\ three\\n"
            "four"
            msgstr ""
            "하나 \\"둘\\"\\n"
            "셋"
            """)
        #expect(one.text(of: Phrase(verbatim: "One \"two\" \\ three\nfour")) == "하나 \"둘\"\n셋")
    }

    @Test func `the program has the Korean texts`() {
        #expect(Phrase.Page.checkIn.text(in: .korean) == "체크인")
        #expect(Phrase(verbatim: "never translated").text(in: .korean) == "never translated")
    }
}
