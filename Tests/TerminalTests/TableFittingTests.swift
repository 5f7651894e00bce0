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

    @Test(arguments: [28, 36, 40, 50, 72, 200]) func `an id is never cut`(width: Int) {
        let text = lines(width: width).joined(separator: "\n")
        #expect(text.contains("01M7XHW7FMFWY23R27PZ064D05") && text.contains("01M7XHW7NB7XRY760BBFCAHVK6"))
    }

    @Test func `in 40 columns, columns are left out and the first one is wrapped, so that it can be read`() {
        let lines = lines(width: 40)
        #expect(lines[0] == "NAME          ID", "\(lines)")
        #expect(lines[1] == "Introduction  01M7XHW7FMFWY23R27PZ064D05", "\(lines)")
        #expect(lines[2] == "to category" && lines[3] == "theory for", "\(lines)")
        #expect(!lines.joined().contains("…"))
    }

    @Test func `a table without ids leaves out its last columns first`() {
        var table = Table(["NAME", "STATUS", "WHEN", "HOW", "E-MAIL/NUMBER"])
        table.add(["Kim Minji", "present (walk-in)", "19:04:05", "QR code", "kim.minji@example.org"])
        let lines = table.text(width: 40).split(separator: "\n")
        #expect(lines[0] == "NAME       STATUS             WHEN", "\(lines)")
        #expect(lines[1] == "Kim Minji  present (walk-in)  19:04:05", "\(lines)")
    }

    @Test func `a table is not cut if the output is not a terminal`() {
        #expect(!lines(width: nil).joined().contains("…"))
    }

    /// Meetings with their starts, some of them in another zone.
    private func meetings(width: Int?) -> [String] {
        var table = Table(["", "NAME", "ROUND", "STARTS", "PHASE", "IN", "ID"])
        table.add([
            "▶", "Monday evening study group for distributed systems", "1", "2026-11-23 11:46 Seoul",
            "running",
            "59", "01M834S3E3DBP5A4KWFYX3JEEB",
        ])
        table.add([
            "", "Book club", "2", "2026-11-24 19:00 UTC", "upcoming", "0", "01M834S3J8N0JBRD8FW10MTJ8T",
        ])
        return table.text(width: width).split(separator: "\n").map(String.init)
    }

    @Test(arguments: [40, 60, 80, 90, 100, 120, 160]) func `a time is never cut`(width: Int) {
        let lines = meetings(width: width)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
        let text = lines.joined(separator: "\n")
        for part in ["2026-11-23 11:46", "2026-11-24 19:00", "Seoul"] {
            #expect(text.contains(part) || !text.contains("STARTS"), "\(text)")
        }
        // From 80 columns on, all columns are there, and the name is cut first.
        if width >= 80 { #expect(lines[0].contains("STARTS") && lines[0].contains("IN")) }
        if width >= 90 { #expect(text.contains("11:46 Seoul  running")) }
    }

    @Test func `a table's main column is wrapped and stays, and sentences are whole`() {
        var table = Table(["ID", "STATUS", "QUESTION", "TEXT"], main: 3)
        table.add([
            "74V3AE1N", "visible", "What should we do better next time?", "A larger room, please, and tea",
        ])
        let wide = table.text(width: 60).split(separator: "\n")
        #expect(wide[1].contains("What should we do …") && wide[1].hasSuffix("A larger room,"), "\(wide)")
        #expect(wide[2].hasSuffix("please, and tea"))
        let narrow = table.text(width: 30)
        #expect(!narrow.contains("QUESTION") && !narrow.contains("…"), "\(narrow)")
        #expect(narrow.contains("A larger") && narrow.contains("and tea"))
        var journal = Table(["NO", "EVENT", "WHY"], wrapping: [2])
        journal.add(["1", "corrected", "The train was late, as she wrote"])
        let lines = journal.text(width: 34).split(separator: "\n")
        #expect(lines.count == 3 && lines[2].hasSuffix("she wrote"), "\(lines)")
    }
}
