import Testing

@testable import Wire

@Suite struct SpreadsheetTextTests {
    // The text "이름,이메일" and "김지수,k@x.kr" in CP949, the encoding of a Korean Excel's "CSV".
    private static let korean: [UInt8] = [
        0xC0, 0xCC, 0xB8, 0xA7, 0x2C, 0xC0, 0xCC, 0xB8, 0xDE, 0xC0, 0xCF, 0x0D, 0x0A, 0xB1, 0xE8, 0xC1, 0xF6,
        0xBC, 0xF6, 0x2C, 0x6B, 0x40,
        0x78, 0x2E, 0x6B, 0x72, 0x0D, 0x0A,
    ]

    @Test func `the reader reads a CSV file that a Korean Excel saved`() {
        let (bytes, encoding) = SpreadsheetText.utf8(of: Self.korean)
        #expect(String(decoding: bytes, as: UTF8.self) == "이름,이메일\r\n김지수,k@x.kr\r\n")
        #expect(encoding == .cp949)
    }

    @Test func `the reader reads a syllable that only CP949 has`() {
        // The syllable 똠 is missing in KS X 1001.
        #expect(SpreadsheetText.utf8(of: Self.korean + [0x8C, 0x63]).bytes.suffix(3) == Array("똠".utf8)[...])
    }

    @Test(arguments: ["이름\n김", "name\nMüller", "", "\u{FEFF}이름"])
    func `the reader leaves UTF-8 unchanged`(text: String) {
        let (bytes, encoding) = SpreadsheetText.utf8(of: Array(text.utf8))
        #expect(bytes == Array(text.utf8) && encoding == .utf8)
    }

    @Test(
        arguments: [
            // The names Müller, José, Ñandú and Åse in Windows-1252; a text in UTF-16; and CP949 that ends
            // inside a character.
            [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72], [0x4A, 0x6F, 0x73, 0xE9, 0x2C],
            [0xD1, 0x61, 0x6E, 0x64, 0xFA],
            [0xC5, 0x73, 0x65],
            [0xFF, 0xFE, 0x40, 0xC7], Array(korean.prefix(3)),
        ] as [[UInt8]])
    func `the reader does not guess other encodings`(bytes: [UInt8]) {
        let (kept, encoding) = SpreadsheetText.utf8(of: bytes)
        #expect(kept == bytes && encoding == .utf8)
    }
}
