import Foundation
import Meetings
import Testing

struct CivilDateTests {
    @Test func `days agree with Foundation's calendar from 1900 to 2199`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let first = try #require(CivilDate(year: 1900, month: 1, day: 1)).daysSince1970
        let last = try #require(CivilDate(year: 2199, month: 12, day: 31)).daysSince1970
        #expect((first, last) == (-25_567, 84_005))
        // Test every seventh day. These days include each day of the month and each month many times.
        for days in stride(from: first, through: last, by: 7) {
            let date = CivilDate(daysSince1970: days)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(days) * 86_400))
            #expect(parts.year == date.year && parts.month == date.month && parts.day == date.day, "\(days)")
        }
    }

    @Test func `every day of 1899 to 2200 follows the day before it and converts back`() throws {
        let start = try #require(CivilDate(year: 1899, month: 1, day: 1)).daysSince1970
        var previous = CivilDate(daysSince1970: start - 1)
        for days in start...(start + 302 * 366) {
            let date = CivilDate(daysSince1970: days)
            guard date.daysSince1970 == days else {
                Issue.record("\(date) counts back to \(date.daysSince1970)")
                return
            }
            let follows =
                (date.year, date.month, date.day) == (previous.year, previous.month, previous.day + 1)
                || (date.year, date.month, date.day) == (previous.year, previous.month + 1, 1)
                || (date.year, date.month, date.day, previous.month, previous.day) == (
                    previous.year + 1, 1, 1, 12, 31
                )
            guard follows, CivilDate(year: date.year, month: date.month, day: date.day) == date else {
                Issue.record("\(date) does not follow \(previous)")
                return
            }
            previous = date
        }
    }

    @Test(arguments: [
        (1900, false), (1972, true), (2000, true), (2024, true), (2026, false), (2100, false), (2400, true),
    ])
    func `a century year is a leap year only if 400 divides it`(year: Int, isLeap: Bool) {
        #expect((CivilDate(year: year, month: 2, day: 29) != nil) == isLeap)
    }

    @Test(arguments: [
        (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31), (2026, 6, 31), (2026, 9, 31),
        (2026, 11, 31),
    ])
    func `an impossible day is refused`(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [
        "", "2001-5-20", "2001-05-2", "01-05-20", "2001-05-20 ", "2001/05/20", "1899-12-31", "2200-01-01",
        "2001-02-29", "-001-05-20",
        "2001--5-20", "+001-05-20", "2001-05-20-", "２001-05-2",
    ])
    func `malformed dates are refused`(text: String) {
        #expect(CivilDate(text) == nil)
    }

    @Test func `dates at both ends of the range are parsed`() {
        #expect(CivilDate("1900-01-01") == CivilDate(year: 1900, month: 1, day: 1))
        #expect(CivilDate("2199-12-31") == CivilDate(year: 2199, month: 12, day: 31))
        #expect(CivilDate("2000-02-29") == CivilDate(year: 2000, month: 2, day: 29))
    }
}
