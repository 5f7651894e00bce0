import Foundation
import Testing

@testable import Meetings

@Suite struct RoundSearchTests {
    private let now = Instant(rfc3339: "2026-11-20T12:00:00Z")!

    private func search(_ text: String) -> RoundSearch {
        let zone = Zone("Asia/Seoul")!
        return RoundSearch(
            text, in: Meeting(id: .makeTimeless(), name: "Study group 7", timeZone: zone, createdAt: now),
            at: now)
    }

    private func day(_ text: String, days: Int = 1) -> Range<Instant> {
        let start = Instant(rfc3339: "\(text)T00:00:00+09:00")!
        return start..<(start + .hours(24 * days))
    }

    @Test func `a number means a round, unless it could be a year`() {
        for text in ["3", "#3", " 3회차", "3회"] { #expect(search(text) == .round(3), "\(text)") }
        #expect(search("#2026") == .round(2026))
        #expect(search("2026") == .starting([day("2026-01-01", days: 365)]))
        for text in ["0", "-3", "9999999"] { #expect(search(text) == .titled(.init(text)), "\(text)") }
    }

    @Test func `days, months and years are in the meeting's zone, in every notation`() {
        for text in ["2026-11-21", "2026.11.21", "2026/11/21", "2026. 11. 21.", "2026년 11월 21일"] {
            #expect(search(text) == .starting([day("2026-11-21")]), "\(text)")
        }
        #expect(search("2026-11") == .starting([day("2026-11-01", days: 30)]))
        #expect(search("2026년 12월") == .starting([day("2026-12-01", days: 31)]))
        for text in ["2026-02-30", "2026-13"] { #expect(search(text) == .titled(.init(text)), "\(text)") }
    }

    @Test func `a day without a year means that day in every near year`() {
        guard case .starting(let ranges) = search("11-21") else { return #expect(Bool(false)) }
        #expect(ranges.count == 13 && ranges[0] == day("2028-11-21") && ranges.contains(day("2026-11-21")))
        guard case .starting(let leap) = search("2/29") else { return #expect(Bool(false)) }
        #expect(leap.count == 4)
    }

    @Test func `a part of the meeting's name finds all rounds, and any other text is a part of a title`() {
        #expect(search("") == .all && search("STUDY") == .all && search("group 7") == .all)
        #expect(search("reading") == .titled(.init("reading")))
    }

    @Test func `a part of a title is found without regard to case, width and composition`() {
        for (part, title) in [
            ("둘째", "둘째 회차 이름"), ("둘째".decomposedStringWithCanonicalMapping, "둘째 회차 이름"),
            ("회차 이름", "둘째 회차 이름"), ("KICK", "The kick-off"), ("ＯＴ", "ot 안내"), (" off ", "The kick-off"),
        ] { #expect(RoundSearch.Title(part).matches(title), "\(part)") }
        #expect(!RoundSearch.Title("셋째").matches("둘째 회차 이름"))
    }
}
