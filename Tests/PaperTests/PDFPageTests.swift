import Foundation
import Testing

@testable import Paper

@Suite struct PDFPageTests {
    @Test func `a page is written as PDF, with text in any script and of any length`() throws {
        for text in [
            "Study group", "스터디 모임 🌏", "", String(repeating: "길다", count: 2000), "العربية",
            "\u{0}\u{1}\n\n\n",
        ] {
            var page = PDFPage(title: text)
            page.add(text: text, top: 70, most: 110, points: 40, isBold: true)
            page.addSquare(left: 100, top: 300, side: 8)
            let bytes = try page.bytes()
            #expect(bytes.starts(with: Array("%PDF-".utf8)))
            #expect(bytes.suffix(8).contains(UInt8(ascii: "F")))
        }
    }

    @Test func `a document has all its pages, in the size of the first one`() throws {
        let pages = (0..<3).map { number in
            var page = PDFPage(title: "Badges", size: PDFPage.Size(width: 255, height: 156))
            page.add(text: "Kim \(number)", top: 10, most: 90, points: 22, left: 10, width: 120)
            page.addRectangle(left: 140, top: 20, width: 30, height: 3)
            return page
        }
        let text = String(decoding: try PDFPage.document(pages), as: UTF8.self)
        #expect(text.contains("/Count 3"))
        #expect(text.contains("0 0 255 156"))
    }

    @Test func `many threads draw pages at the same time`() async throws {
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    var page = PDFPage(title: "\(number)")
                    for line in 0..<5 {
                        page.add(
                            text: "모임 \(number) \(line)", top: Double(70 + line * 60), most: 50, points: 24)
                    }
                    return try page.bytes().count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes.count == 8 && sizes.allSatisfy { $0 > 1000 })
    }
}
