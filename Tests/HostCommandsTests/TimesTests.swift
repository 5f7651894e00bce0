import CommandLine
import HostCommands
import Meetings
import Phrases
import Testing

struct TimesTests {
    private let seoul: Zone
    private let berlin: Zone
    /// The current time of the tests: Saturday, 21 November 2026, 18:30 in Seoul.
    private let now: Instant

    init() throws {
        seoul = try #require(Zone("Asia/Seoul"))
        berlin = try #require(Zone("Europe/Berlin"))
        now = try #require(Instant(rfc3339: "2026-11-21T09:30:12.345Z"))
    }

    @Test(
        arguments: [
            ("now", "2026-11-21T09:30:12Z"), ("지금", "2026-11-21T09:30:12Z"), ("+2h", "2026-11-21T11:30:12Z"),
            ("19:00", "2026-11-21T10:00:00Z"), ("2026-11-21 19:00", "2026-11-21T10:00:00Z"),
            ("2026-11-21T19:00", "2026-11-21T10:00:00Z"),
            ("tomorrow 9:05", "2026-11-22T00:05:00Z"), ("Today 19:00", "2026-11-21T10:00:00Z"),
            ("내일 09:05", "2026-11-22T00:05:00Z"),
            ("모레 09:05", "2026-11-23T00:05:00Z"), (" 19:00 ", "2026-11-21T10:00:00Z"),
            ("2026-11-21T19:00:00+01:00", "2026-11-21T18:00:00Z"),
            ("7pm", "2026-11-21T10:00:00Z"), ("tomorrow 7pm", "2026-11-22T10:00:00Z"),
            ("7:30 PM tomorrow", "2026-11-22T10:30:00Z"),
            ("tomorrow at 7 pm", "2026-11-22T10:00:00Z"), ("12am", "2026-11-21T15:00:00Z"),
            ("tomorrow noon", "2026-11-22T03:00:00Z"),
            ("내일 오후 7시", "2026-11-22T10:00:00Z"), ("내일 오후 7시 30분", "2026-11-22T10:30:00Z"),
            ("오후7시반", "2026-11-21T10:30:00Z"),
            ("오전 12시", "2026-11-21T15:00:00Z"), ("19시", "2026-11-21T10:00:00Z"),
            ("정오", "2026-11-22T03:00:00Z"),
            ("Fri 19:00", "2026-11-27T10:00:00Z"), ("friday 7pm", "2026-11-27T10:00:00Z"),
            ("금 19:00", "2026-11-27T10:00:00Z"),
            ("금요일 19시 30분", "2026-11-27T10:30:00Z"), ("Sat 19:00", "2026-11-21T10:00:00Z"),
            ("Sat 18:00", "2026-11-21T09:00:00Z"),
            ("토 10:00", "2026-11-28T01:00:00Z"), ("Sun, 9am", "2026-11-22T00:00:00Z"),
            ("2026-11-21 7pm", "2026-11-21T10:00:00Z"),
            ("next friday 9:30", "2026-11-27T00:30:00Z"), ("next Sat 19:00", "2026-11-28T10:00:00Z"),
            ("7pm next sunday", "2026-11-22T10:00:00Z"),
            ("다음 주 금요일 19시", "2026-11-27T10:00:00Z"), ("다음주 월 9시", "2026-11-23T00:00:00Z"),
            ("다음 주 일요일 9시", "2026-11-29T00:00:00Z"),
            ("11월 28일 오후 2시", "2026-11-28T05:00:00Z"), ("3월 1일 9시", "2027-03-01T00:00:00Z"),
            ("2월 29일 9시", "2028-02-29T00:00:00Z"),
            ("tonight 8pm", "2026-11-21T11:00:00Z"), ("in 2 hours", "2026-11-21T11:30:12Z"),
            ("in an hour", "2026-11-21T10:30:12Z"), ("in 1 hour and 30 minutes", "2026-11-21T11:00:12Z"),
            ("Nov 28 7pm", "2026-11-28T10:00:00Z"), ("28 November 19:00", "2026-11-28T10:00:00Z"),
            ("7pm on March 1st", "2027-03-01T10:00:00Z"), ("2026/11/28 7pm", "2026-11-28T10:00:00Z"),
            ("내일 저녁 7시", "2026-11-22T10:00:00Z"), ("오늘 밤 9시", "2026-11-21T12:00:00Z"),
            ("내일 아침 9시", "2026-11-22T00:00:00Z"), ("2시간 뒤", "2026-11-21T11:30:12Z"),
            // A time half an hour ago is today, because a host may start late. A time eight
            // hours ago is tomorrow.
            ("18:00", "2026-11-21T09:00:00Z"), ("10:30", "2026-11-22T01:30:00Z"),
        ])
    func `a start time is read in the meeting's time zone`(text: String, expected: String) {
        #expect(WhenText.start(text, now: now, in: seoul)?.rfc3339 == expected)
    }

    @Test(arguments: [
        "", "soon", "25:00", "19:60", "2026-02-30 19:00", "19", "13pm", "0am", "오후 13시", "7:5pm", "next 7pm",
        "next tomorrow 7pm",
        "다음 주 9시", "Fri", "fr 19:00",
        "13월 1일 9시", "2월 30일 9시", "7pm 8pm", "Fri Sat 7pm", "19시 61분", "+", "+2", "tomorrow", "1 2 3", "-2h",
        "19:0", "tonight", "in", "in 2", "in hours", "Nov 31 7pm", "ma 3 7pm", "2026/13/01 7pm", "저녁 19시",
    ])
    func `a text that is no time is rejected`(text: String) {
        #expect(WhenText.start(text, now: now, in: seoul) == nil)
    }

    @Test(
        arguments: [
            ("21:00", "2026-11-21T12:00:00Z"), ("01:00", "2026-11-21T16:00:00Z"),
            ("19:00", "2026-11-22T10:00:00Z"),
            ("+90m", "2026-11-21T11:30:00Z"), ("in 2 hours", "2026-11-21T11:30:12Z"),
            ("2026-11-23 10:00", "2026-11-23T01:00:00Z"),
        ])
    func `an end time that is not after the start is on the next day`(text: String, expected: String) throws {
        let starts = try #require(Instant(rfc3339: "2026-11-21T10:00:00Z"))
        #expect(WhenText.end(text, startsAt: starts, from: starts, now: now, in: seoul)?.rfc3339 == expected)
    }

    @Test(
        arguments: [
            ("19:30", "2026-12-05T10:30:00Z"), ("7am", "2026-12-04T22:00:00Z"),
            ("+10m", "2026-12-05T10:10:00Z"), ("in 10 minutes", "2026-11-21T09:40:12Z"),
            ("10분 뒤", "2026-11-21T09:40:12Z"),
            ("2026-12-06 19:00", "2026-12-06T10:00:00Z"), ("tomorrow 9:05", "2026-11-22T00:05:00Z"),
            ("now", "2026-11-21T09:30:12Z"),
        ])
    func `a new time without a date moves a start on its own day, not on today`(
        text: String, expected: String
    ) throws {
        let start = try #require(Instant(rfc3339: "2026-12-05T10:00:00Z"))
        #expect(WhenText.moved(text, from: start, now: now, in: seoul)?.rfc3339 == expected)
    }

    @Test func `a time that the clock change skips is moved to after the change`() throws {
        let winter = try #require(Instant(rfc3339: "2026-03-28T12:00:00Z"))
        #expect(
            WhenText.start("2026-03-29 02:30", now: winter, in: berlin)?.rfc3339 == "2026-03-29T01:30:00Z")
    }

    @Test(
        arguments: [
            ("2h", 7200), ("90m", 5400), ("1h30m", 5400), ("1h 30m", 5400), ("45s", 45), ("2d", 172_800),
            ("2시간 30분", 9000), ("10초", 10),
            ("0s", 0), ("5MIN", 300),
        ])
    func `a duration is read with its units in English and Korean`(text: String, seconds: Int) {
        #expect(DurationText.read(text) == .seconds(seconds))
    }

    @Test(arguments: ["", "2", "h", "2x", "-2h", "2h3", "1.5h", "99999999h"])
    func `a text that is no duration is rejected`(text: String) {
        #expect(DurationText.read(text) == nil)
    }

    @Test func `a duration is written in the unit that fits its size`() {
        #expect(DurationText.write(.milliseconds(850), in: .english) == "850 ms")
        #expect(DurationText.write(.milliseconds(1000), in: .english) == "1 s")
        #expect(DurationText.write(.milliseconds(12_340), in: .english) == "12.3 s")
        #expect(DurationText.write(.seconds(245), in: .english) == "4 min 5 s")
        #expect(DurationText.write(.milliseconds(12_340), in: .korean) == "12.3초")
        #expect(DurationText.write(.seconds(245), in: .korean) == "4분 5초")
    }
}
