import Terminal
import Testing

struct TextTests {
    @Test(arguments: [
        ("abc", 3), ("김민지", 6), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("❤️", 2), ("★5", 2), ("한 a", 4), ("", 0), ("…", 1),
    ])
    func `a width is in columns, and Korean takes two`(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test func `what is cut never takes more than it may`() {
        #expect(DisplayWidth.cut("김민지", to: 6) == "김민지")
        #expect(DisplayWidth.cut("김민지", to: 5) == "김민…")
        #expect(DisplayWidth.cut("김민지", to: 4) == "김…")
        #expect(DisplayWidth.padded("김", to: 4) == "김  ")
    }

    @Test func `a table's columns stand one below the other in either script`() {
        var table = Table(["NAME", "ID"])
        table.add(["김민지", "1"])
        table.add(["Lee", "22"])
        #expect(table.text(width: nil) == "NAME    ID\n김민지  1\nLee     22\n")
        #expect(table.text(width: 9) == "NAME    …\n김민지  1\nLee     …\n")
    }

    @Test func `what people wrote cannot move the cursor`() {
        #expect(TerminalEscaping.safe("a\u{1B}[2Jb\nc\u{202E}d\u{9B}1m") == "a[2Jb cd1m")
        var table = Table(["A"])
        table.add(["x\u{1B}]0;y\u{7}"])
        #expect(!table.text(width: nil).unicodeScalars.contains("\u{1B}"))
    }

    @Test func `a bar is as long as its share`() {
        #expect(Bars.bar(1, width: 4, plain: false) == "████")
        #expect(Bars.bar(0.5, width: 3, plain: false) == "█▌")
        #expect(Bars.bar(0, width: 4, plain: false) == "")
        #expect(Bars.bar(7, width: 4, plain: true) == "####")
    }
}
