import Terminal
import Testing

struct TextTests {
    @Test(arguments: [
        ("abc", 3), ("김민지", 6), ("e\u{301}", 1), ("👩‍👩‍👧", 2),
        ("❤️", 2), ("★5", 2), ("한 a", 4), ("", 0), ("…", 1),
    ])
    func `the display width counts columns, and a Korean syllable takes two`(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test func `cut text never exceeds the given number of columns`() {
        #expect(DisplayWidth.cut("김민지", to: 6) == "김민지")
        #expect(DisplayWidth.cut("김민지", to: 5) == "김민…")
        #expect(DisplayWidth.cut("김민지", to: 4) == "김…")
        #expect(DisplayWidth.padded("김", to: 4) == "김  ")
    }

    @Test func `a table aligns its columns for both Latin and Korean text`() {
        var table = Table(["NAME", "ID"])
        table.add(["김민지", "1"])
        table.add(["Lee", "22"])
        #expect(table.text(width: nil) == "NAME    ID\n김민지  1\nLee     22\n")
        #expect(table.text(width: 9) == "NAME\n김민지\nLee\n")
    }

    @Test func `control characters in a user's text cannot move the cursor`() {
        #expect(TerminalEscaping.safe("a\u{1B}[2Jb\nc\u{202E}d\u{9B}1m") == "a[2Jb cd1m")
        var table = Table(["A"])
        table.add(["x\u{1B}]0;y\u{7}"])
        #expect(!table.text(width: nil).unicodeScalars.contains("\u{1B}"))
    }

    @Test func `the length of a bar is proportional to its share`() {
        #expect(Bars.bar(1, width: 4, plain: false) == "████")
        #expect(Bars.bar(0.5, width: 3, plain: false) == "█▌")
        #expect(Bars.bar(0, width: 4, plain: false) == "")
        #expect(Bars.bar(7, width: 4, plain: true) == "####")
        #expect(Bars.bar(29.0 / 31, width: 6, plain: true) == "#####")
        #expect(Bars.bar(0.999, width: 4, plain: false) == "███▉")
        #expect(Bars.bar(0.001, width: 4, plain: true) == "#")
    }
}
