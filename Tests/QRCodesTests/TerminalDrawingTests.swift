import Testing

@testable import QRCodes

struct TerminalDrawingTests {
    @Test(arguments: Sample.texts) func `zbar reads the exact text from the code that the terminal shows`(
        text: String
    )
        throws
    {
        let code = try QRCode.encode(text)
        for style: TerminalStyle in [
            .colour, .halfBlocks(on: .dark), .halfBlocks(on: .light), .ascii(on: .dark), .ascii(on: .light),
        ] {
            let screen = try TerminalScreen(code.terminalText(style), style: style)
            #expect(try Reader.decode(screen.graymap(pixels: 4), suffix: "pgm") == text, "\(style)")
            let (columns, rows) = code.terminalSize(style)
            #expect(screen.columns == columns && screen.rows == rows, "\(style)")
        }
    }

    @Test func `in colour, a cell with equal halves is a space, so that no font leaves gaps`() throws {
        #expect(!(try QRCode.encode(Sample.checkIn).terminalText(.colour).contains("█")))
    }

    @Test func `without colour, a code that is drawn for a dark terminal is inverted on a light one`() throws
    {
        let code = try QRCode.encode(Sample.checkIn)
        let right = try TerminalScreen(
            code.terminalText(.halfBlocks(on: .dark)), style: .halfBlocks(on: .dark))
        let wrong = try TerminalScreen(
            code.terminalText(.halfBlocks(on: .dark)), style: .halfBlocks(on: .light))
        #expect(right.isLight(0, 0) && !wrong.isLight(0, 0))
    }

    @Test func `the code of a check-in URL in a home network fits 41 columns and 21 rows`() throws {
        let code = try QRCode.encodeForTerminal(Sample.checkIn)
        #expect(code.errorCorrection == .medium)
        #expect(code.terminalSize(.colour) == (41, 21))
    }

    @Test(arguments: [("A", 122, 154), ("a", 84, 106)])
    func `a text within the limits fits 45 columns and 23 rows, and a longer text is rejected`(
        letter: String, medium: Int, low: Int
    ) throws {
        for (length, correction) in [(medium, ErrorCorrection.medium), (medium + 1, .low), (low, .low)] {
            let code = try QRCode.encodeForTerminal(String(repeating: letter, count: length))
            #expect(code.errorCorrection == correction)
            #expect(code.terminalSize(.colour) == QRCode.terminalLimit)
        }
        // The library confirms the limits: a text with one more character needs the next QR version.
        #expect(
            try QRCode.encode(String(repeating: letter, count: medium + 1), errorCorrection: .medium).version
                == 6)
        #expect(
            try QRCode.encode(String(repeating: letter, count: low + 1), errorCorrection: .low).version == 6)
        #expect(throws: QRCodeError.tooLong(length: low + 1, limit: low)) {
            try QRCode.encodeForTerminal(String(repeating: letter, count: low + 1))
        }
    }

    @Test func `the half-block style sends no escape codes, and the ASCII style sends only ASCII`() throws {
        let code = try QRCode.encode("A")
        for ground in [TerminalStyle.Ground.dark, .light] {
            #expect(!code.terminalText(.halfBlocks(on: ground)).contains("\u{1B}"))
            #expect(code.terminalText(.ascii(on: ground)).allSatisfy { "# \n".contains($0) })
        }
    }
}
