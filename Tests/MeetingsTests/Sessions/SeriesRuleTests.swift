import Testing

@testable import Meetings

/// Tests series with wall-clock times across both clock changes of a year.
@Suite struct SeriesRuleTests {
    private func moment(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private func walls(_ rule: SeriesRule, after start: String, _ end: String, count: Int, in name: String)
        throws -> [[String]]
    {
        let zone = try #require(Zone(name))
        return rule.times(after: try moment(start), endsAt: try moment(end), count: count, in: zone)
            .map { [WallTime($0.startsAt, in: zone).text, WallTime($0.endsAt, in: zone).text] }
    }

    @Test(
        arguments: [
            // The session is one week before each clock change, so its offset is the old one.
            ("Europe/Berlin", "2026-03-22T19:00:00+01:00", "2026-03-22T21:00:00+01:00"),
            ("Europe/Berlin", "2026-10-18T19:00:00+02:00", "2026-10-18T21:00:00+02:00"),
            ("America/New_York", "2026-03-01T19:00:00-05:00", "2026-03-01T21:00:00-05:00"),
            ("America/New_York", "2026-10-25T19:00:00-04:00", "2026-10-25T21:00:00-04:00"),
            ("Asia/Seoul", "2026-03-22T19:00:00+09:00", "2026-03-22T21:00:00+09:00"),
        ])
    func `every session of a series has the same local time`(zone: String, start: String, end: String) throws
    {
        for rule in [SeriesRule.weekly, .weekdays(Weekday.working), .everyDays(3)] {
            let times = try walls(rule, after: start, end, count: 20, in: zone)
            #expect(times.allSatisfy { $0[0].hasSuffix("19:00") && $0[1].hasSuffix("21:00") })
            #expect(times.allSatisfy { $0[0].prefix(10) == $0[1].prefix(10) })
            #expect(Set(times.map { $0[0] }).count == 20)
        }
    }

    @Test func `a week with a clock change is an hour longer or shorter`() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        for (start, hours) in [
            ("2026-03-22T19:00:00+01:00", 167), ("2026-10-18T19:00:00+02:00", 169),
            ("2026-05-03T19:00:00+02:00", 168),
        ] {
            let first = try moment(start)
            let next = try #require(
                SeriesRule.weekly.times(after: first, endsAt: first + .hours(2), count: 1, in: zone).first)
            #expect(next.startsAt.since(first) == .hours(hours))
            #expect(next.endsAt.since(next.startsAt) == .hours(2))
        }
    }

    @Test func `a start that clocks skip moves forward, and later sessions start at the usual time`() throws {
        let times = try walls(
            .everyDays(1), after: "2026-03-27T02:30:00+01:00", "2026-03-27T02:50:00+01:00", count: 3,
            in: "Europe/Berlin")
        #expect(
            times == [
                ["2026-03-28 02:30", "2026-03-28 02:50"], ["2026-03-29 03:30", "2026-03-29 03:50"],
                ["2026-03-30 02:30", "2026-03-30 02:50"],
            ])
    }

    @Test func `if skipped time would put the end before the start, the session has its usual length`()
        throws
    {
        // Clocks skip 02:30, so it becomes 03:30. Clocks show 03:15, so it does not change.
        let times = try walls(
            .everyDays(1), after: "2026-03-28T02:30:00+01:00", "2026-03-28T03:15:00+01:00", count: 1,
            in: "Europe/Berlin")
        #expect(times == [["2026-03-29 03:30", "2026-03-29 04:15"]])
    }

    @Test
    func `a start that clocks show twice is the first moment, and an end after the change is an hour later`()
        throws
    {
        let zone = try #require(Zone("America/New_York"))
        let start = try moment("2026-10-31T01:30:00-04:00")
        let next = try #require(
            SeriesRule.everyDays(1).times(after: start, endsAt: start + .hours(1), count: 1, in: zone).first)
        let (first, behind) = (
            try moment("2026-11-01T01:30:00-04:00"), try moment("2026-11-01T02:30:00-05:00")
        )
        #expect(next.startsAt == first)
        // The session lasts from 01:30 to 02:30 on the clock, which was set back in between.
        #expect(next.endsAt == behind)
    }

    @Test func `a session across midnight ends on the next day each time`() throws {
        let times = try walls(
            .weekly, after: "2026-10-17T22:00:00+02:00", "2026-10-18T04:00:00+02:00", count: 2,
            in: "Europe/Berlin")
        #expect(
            times == [["2026-10-24 22:00", "2026-10-25 04:00"], ["2026-10-31 22:00", "2026-11-01 04:00"]])
        let zone = try #require(Zone("Europe/Berlin"))
        let start = try moment("2026-10-17T22:00:00+02:00")
        let hours = SeriesRule.weekly.times(after: start, endsAt: start + .hours(6), count: 2, in: zone).map {
            $0.endsAt.since($0.startsAt)
        }
        #expect(hours == [.hours(7), .hours(6)])
    }

    @Test func `a series preserves seconds`() throws {
        let start = try moment("2026-11-20T22:15:34.567Z")
        let next = try #require(
            SeriesRule.weekly.times(after: start, endsAt: start + .seconds(5), count: 1, in: .utc).first)
        #expect(next.startsAt == start + .hours(168) && next.endsAt == next.startsAt + .seconds(5))
    }

    @Test func `a series on weekdays skips weekends`() throws {
        // The series begins on a Friday.
        let friday = try #require(CivilDate("2026-11-20"))
        #expect(friday.weekday == .friday)
        #expect(SeriesRule.weekdays(Weekday.working).day(after: friday) == CivilDate("2026-11-23"))
        #expect(SeriesRule.weekdays([.friday]).day(after: friday) == CivilDate("2026-11-27"))
        #expect(SeriesRule.weekdays([.saturday, .monday]).day(after: friday) == CivilDate("2026-11-21"))
        #expect(SeriesRule.everyDays(366).day(after: friday) == CivilDate("2027-11-21"))
        #expect(CivilDate("1969-12-31")?.weekday == .wednesday)
    }
}
