import Foundation
import Meetings
import Seeds
import Testing

struct IDTests {
    @Test func `an id round-trips through its text and its bytes`() {
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<1000 {
            let id = SessionID(high: numbers.next(), low: numbers.next())
            #expect(SessionID(id.text) == id)
            #expect(SessionID(id.text.lowercased()) == id)
            #expect(SessionID(bytes: id.bytes) == id)
        }
    }

    @Test(arguments: [
        (UInt64.min, UInt64.min, "00000000000000000000000000"), (.max, .max, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
        (0, 1, "00000000000000000000000001"), (1, 0, "0000000000000G000000000000"),
        (1 << 63, 0, "40000000000000000000000000"),
    ])
    func `the text is Crockford's base 32 of all 128 bits`(high: UInt64, low: UInt64, text: String) {
        #expect(SessionID(high: high, low: low).text == text)
        #expect(SessionID(text) == SessionID(high: high, low: low))
    }

    @Test(arguments: [
        "", "0", "0000000000000000000000000", "000000000000000000000000000", "80000000000000000000000000",
        "Z0000000000000000000000000",
        "0000000000000000000000000I", "0000000000000000000000000L", "0000000000000000000000000O",
        "0000000000000000000000000U",
        "0000000000000000000000000u", "0000000000000000000000000-", "0000000000000000000000000 ",
        " 0000000000000000000000000",
        "0000000000000000000000000é", "0000000000000000000000000٣", "0000000000000000000000000\u{0}",
        "0000000000000000000000000{",
    ])
    func `a text that is not an id of 26 characters is refused`(text: String) {
        #expect(SessionID(text) == nil)
    }

    @Test(arguments: [0, 15, 17]) func `fewer or more than sixteen bytes are refused`(count: Int) {
        #expect(SessionID(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test func `ids sort by age, as values, as texts and as bytes`() throws {
        let start = try instant("2026-11-21T10:00:00Z")
        let ids = (0..<200).map { SessionID.make(at: start + .milliseconds($0)) }
        var numbers = SeededNumbers(seed: 1)
        let mixed = ids.shuffled(using: &numbers)
        #expect(mixed.sorted() == ids)
        #expect(mixed.map(\.text).sorted() == ids.map(\.text))
        #expect(mixed.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) } == ids.map(\.bytes))
    }

    @Test func `the first 48 bits are the milliseconds, and the other bits differ`() throws {
        let now = try instant("2026-11-21T10:00:00.123Z")
        let ids = (0..<100).map { _ in SessionID.make(at: now) }
        #expect(ids.allSatisfy { $0.high >> 16 == UInt64(now.milliseconds) })
        #expect(Set(ids).count == 100)
        #expect(SessionID.make(at: Instant(milliseconds: -1)).high >> 16 == 0)
    }

    @Test func `a timeless id reveals nothing about its age`() {
        // In 64 such ids, each bit is set in some ids and clear in others. The test fails by chance once in
        // 10^17 runs.
        let ids = (0..<64).map { _ in ResponseID.makeTimeless() }
        #expect(ids.reduce(0) { $0 | $1.high } == .max)
        #expect(ids.reduce(UInt64.max) { $0 & $1.high } == 0)
    }

    @Test func `an id is its text in JSON`() throws {
        let id = SessionID(high: 5, low: 6)
        #expect(try JSONEncoder().encode([id]) == Data("[\"\(id.text)\"]".utf8))
        #expect(try JSONDecoder().decode([SessionID].self, from: Data("[\"\(id.text)\"]".utf8)) == [id])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([SessionID].self, from: Data("[\"K7\"]".utf8))
        }
    }
}
