import Terminal
import Testing

struct GridTests {
    @Test func `a wide character takes two cells, and writing over one half clears the other half`() {
        var grid = Grid(Size(columns: 6, rows: 1))
        #expect(grid.put("김민지", column: 0, row: 0) == 6)
        #expect(grid.text == "김민지\n")
        grid.put("x", column: 3, row: 0)
        #expect(grid.text == "김 x지\n")
        grid.put("y", column: 4, row: 0)
        #expect(grid.text == "김 xy\n")
    }

    @Test func `the grid cuts text that does not fit and marks the cut`() {
        var grid = Grid(Size(columns: 5, rows: 1))
        grid.put("abcdefgh", column: 0, row: 0, limit: 5)
        #expect(grid.text == "abcd…\n")
        var plain = Grid(Size(columns: 5, rows: 1))
        plain.put("김민지이준", column: 0, row: 0, limit: 5, ascii: true)
        #expect(plain.text == "????~\n")
    }

    @Test func `the grid ignores writes outside its area and drops control characters`() {
        var grid = Grid(Size(columns: 4, rows: 2))
        grid.put("a", column: 4, row: 0)
        grid.put("a", column: 0, row: 2)
        grid.put("a", column: -1, row: 0)
        grid.fill(Area(column: -3, row: -3, columns: 4, rows: 4), "#")
        grid.put("\u{1B}[\n\u{202E}b", column: 1, row: 1)
        #expect(grid.text == "#\n [b\n")
    }
}

struct ChartTests {
    @Test func `the highest value of a sparkline reaches the top, and a count of 1 is visible`() {
        #expect(Sparkline.rows([0, 1, 50, 100], rows: 1, plain: false) == [" ▁▄█"])
        #expect(Sparkline.rows([0, 1, 50, 100], rows: 2, plain: false) == ["   █", " ▁██"])
        #expect(Sparkline.rows([0, 0], rows: 1, plain: false) == ["  "])
        #expect(Sparkline.rows([0, 100], rows: 1, plain: true) == [" @"])
    }

    @Test func `all large letters have the same width, and each letter of a join code looks different`() {
        let alphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
        let drawn = alphabet.map { LargeLetters.lines(String($0), plain: false) }
        #expect(Set(drawn).count == alphabet.count)
        #expect(drawn.allSatisfy { $0.count == 3 && $0.allSatisfy { $0.count == 5 } })
        #expect(
            LargeLetters.lines("L2", plain: true) == [
                "#     #### ", "#         #", "#      ### ", "#     #    ", "##### #####",
            ])
        #expect(LargeLetters.columns(of: "K7QX2M") == 35)
    }
}
