import Meetings
import Seeds
import Testing

@testable import SQLJournal

struct ByteSearchTests {
    private func id(_ number: Int) -> AttendeeID { AttendeeID(high: 2, low: UInt64(number)) }

    /// Texts of few different letters, so that parts of the sought text are everywhere.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a search finds exactly the texts that contain the sought bytes`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let letters = Array("ab가각".utf8.prefix(2 + Int.random(in: 0...6, using: &random)))
        func bytes(_ sizes: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: sizes, using: &random)).map { _ in letters.randomElement(using: &random)! }
        }
        let texts = (0..<Int.random(in: 0...60, using: &random)).map { _ in bytes(0...70) }
        var segment = SearchTexts.Segment()
        for (number, text) in texts.enumerated() {
            text.withUnsafeBytes { segment.append($0, of: id(number)) }
        }
        for _ in 0..<50 {
            let sought = bytes(1...40)
            let first = Int.random(in: 0...texts.count, using: &random)
            let limit = Int.random(in: 1...70, using: &random)
            let expected = texts.indices.dropFirst(first).filter { texts[$0].contains(sought) }.map(id)
            #expect(
                segment.ids(containing: sought, from: first, limit: limit) == Array(expected.prefix(limit)))
        }
    }

    @Test func `the last bytes of the last text are found at each distance from the end of a step`() {
        for size in 0...80 {
            let text = Array(repeating: UInt8(ascii: "."), count: size) + Array("end".utf8)
            var segment = SearchTexts.Segment()
            text.withUnsafeBytes { segment.append($0, of: id(1)) }
            #expect(segment.ids(containing: Array("end".utf8), from: 0, limit: 1) == [id(1)])
            #expect(segment.ids(containing: Array("enb".utf8), from: 0, limit: 1).isEmpty)
            #expect(segment.ids(containing: text + [UInt8(ascii: ".")], from: 0, limit: 1).isEmpty)
        }
    }
}
