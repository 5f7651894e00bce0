import Terminal
import Testing

struct TableFittingTests {
    private func lines(width: Int?) -> [String] {
        var table = Table(["NAME", "ROUND", "ID"])
        table.add([
            "Introduction to category theory for the working programmer", "1", "01M7XHW7FMFWY23R27PZ064D05",
        ])
        table.add(["함께 읽는 자바스크립트 깊은 이야기 모임", "12", "01M7XHW7NB7XRY760BBFCAHVK6"])
        return table.text(width: width).split(separator: "\n").map(String.init)
    }

    @Test func `a table that is too wide shortens its widest columns and keeps every column`() {
        let lines = lines(width: 60)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 60 })
        #expect(lines[1].contains("Introduction to cate") && lines[1].contains("… "))
        #expect(lines[1].hasSuffix("  1      01M7XHW7FMFWY23R27PZ064D05"))
        #expect(lines[2].contains("… ") || lines[2].contains("…  "))
    }

    @Test(arguments: [10, 20, 30, 40, 79, 80, 100, 120])
    func `no line of a table is wider than the terminal`(width: Int) {
        #expect(lines(width: width).allSatisfy { DisplayWidth.of($0) <= width })
    }

    @Test func `a table is not cut if the output is not a terminal`() {
        #expect(!lines(width: nil).joined().contains("…"))
    }
}
