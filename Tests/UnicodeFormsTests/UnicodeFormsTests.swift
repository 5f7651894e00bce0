import Testing
import UnicodeForms

struct UnicodeFormsTests {
    /// The scalars of a text, because Swift compares texts by canonical equivalence.
    private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    @Test func `Korean letters and accents are composed`() {
        #expect(scalars("\u{1100}\u{1161}".composed) == [0xAC00])
        #expect(scalars("e\u{301}".composed) == [0xE9])
        // Accents of different classes get one order.
        #expect(scalars("e\u{301}\u{323}".composed) == scalars("e\u{323}\u{301}".composed))
    }

    @Test func `compatibility forms become ordinary letters`() {
        #expect("Ｋｉｍ① ﬁ".compatibilityComposed == "Kim1 fi")
        #expect("Ｋｉｍ① ﬁ".composed == "Ｋｉｍ① ﬁ")
    }

    @Test func `texts that differ in case are the same`() {
        #expect(scalars("E\u{301}MILE".caseFolded) == scalars("\u{E9}mile"))
        #expect(scalars("ＥE\u{301}".compatibilityCaseFolded) == scalars("e\u{E9}"))
        #expect("STRASSE".caseFolded == "Straße".caseFolded)
        #expect("ΣΊΣΥΦΟΣ".caseFolded == "Σίσυφος".caseFolded)
        #expect("ＳＰＡＭ".compatibilityCaseFolded == "spam")
        #expect("ＳＰＡＭ".caseFolded != "spam")
        #expect("ℋ℡".compatibilityCaseFolded == "htel")
        #expect("Α\u{345}\u{301}".caseFolded == "ᾴ".caseFolded)
    }

    @Test func `empty texts, null characters and long rows of accents stay whole`() {
        #expect("".composed.isEmpty && "".compatibilityCaseFolded.isEmpty)
        #expect(scalars("a\u{0}e\u{301}".composed) == [0x61, 0, 0xE9])
        let accents = String(repeating: "\u{323}\u{301}", count: 20_000)
        #expect(("x" + accents).composed.unicodeScalars.count == 40_001)
    }
}
