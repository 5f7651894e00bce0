import Foundation
import Meetings
import Seeds
import Testing

struct InstantTests {
    @Test func `durations are added, subtracted and measured to the millisecond`() {
        let moment = Instant(seconds: 10)
        #expect(moment + .milliseconds(1) == Instant(milliseconds: 10_001))
        #expect(moment - .hours(1) == Instant(milliseconds: -3_590_000))
        #expect(moment.since(Instant(milliseconds: 10_001)) == .milliseconds(-1))
        #expect(Instant(milliseconds: -1) < Instant(milliseconds: 0))
    }

    @Test func `fractions of a millisecond are cut towards zero`() {
        #expect(Duration.microseconds(1999).wholeMilliseconds == 1)
        #expect(Duration.microseconds(-1999).wholeMilliseconds == -1)
        #expect(Duration.seconds(-2).wholeMilliseconds == -2000)
    }

    @Test(arguments: [
        (0, 0), (1, 0), (3_599_999, 0), (3_600_000, 3_600_000), (-1, -3_600_000), (-3_600_000, -3_600_000),
    ])
    func `the start of the hour is at or before the moment`(milliseconds: Int64, hour: Int64) {
        #expect(Instant(milliseconds: milliseconds).startOfHour == Instant(milliseconds: hour))
    }
}

struct InstantTextTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-11-21T10:00:00Z", 1_795_255_200_000),
        ("2026-11-21T19:00:00+09:00", 1_795_255_200_000),
        ("2026-11-21T04:30:00-05:30", 1_795_255_200_000), ("2026-11-21t10:00:00z", 1_795_255_200_000),
        ("2026-11-21 10:00:00Z", 1_795_255_200_000), ("2026-11-21T10:00:00-00:00", 1_795_255_200_000),
        ("2026-11-22T09:59:00+23:59", 1_795_255_200_000), ("2026-11-21T10:00:00.1Z", 1_795_255_200_100),
        ("2026-11-21T10:00:00.12Z", 1_795_255_200_120), ("2026-11-21T10:00:00.123Z", 1_795_255_200_123),
        ("2026-11-21T10:00:00.001Z", 1_795_255_200_001), ("2026-11-21T10:00:00.1239Z", 1_795_255_200_123),
        ("2026-11-21T10:00:00.999999999+00:00", 1_795_255_200_999),
        ("2199-12-31T23:59:59.999Z", 7_258_118_399_999),
        ("1970-01-01T00:00:00+01:00", -3_600_000),
    ])
    func `a time with an offset is parsed`(text: String, milliseconds: Int64) {
        #expect(Instant(rfc3339: text) == Instant(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "", "Z", "2026-11-21", "2026-11-21T10:00:00", "2026-11-21T10:00Z", "2026-11-21T24:00:00Z",
        "2026-11-21T10:60:00Z",
        "2026-12-31T23:59:60Z", "2026-02-29T10:00:00Z", "2100-02-29T10:00:00Z", "2026-04-31T10:00:00Z",
        "2026-00-01T10:00:00Z",
        "2026-13-01T10:00:00Z", "2026-01-00T10:00:00Z", "2026-01-32T10:00:00Z", "1899-12-31T23:59:59Z",
        "2300-01-01T00:00:00Z",
        "2026-11-21T10:00:00+09", "2026-11-21T10:00:00+0900", "2026-11-21T10:00:00+24:00",
        "2026-11-21T10:00:00+09:60",
        "2026-11-21T10:00:00.Z", "2026-11-21T10:00:00.1234567890Z", "2026-11-21T10:00:00,5Z",
        "2026-11-21T10:00:00Z ",
        " 2026-11-21T10:00:00Z", "2026-11-21T10:00:00ZZ", "2026-1-21T10:00:00Z", "26-11-21T10:00:00Z",
        "+026-11-21T10:00:00Z",
        "2026-11-21T-1:00:00Z", "2026/11/21T10:00:00Z", "2026-11-21T10.00.00Z", "２026-11-21T10:00:00Z",
        "2026-11-21T10:00:00 09:00",
    ])
    func `malformed times are refused`(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (-1000, "1969-12-31T23:59:59Z"),
        (-86_400_000, "1969-12-31T00:00:00Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00Z"),
        (1_795_255_200_050, "2026-11-21T10:00:00.050Z"),
    ])
    func `a moment is written in UTC, with milliseconds only if they are not zero`(
        milliseconds: Int64, text: String
    ) {
        #expect(Instant(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test func `every leap day from 1972 to 2100 is parsed, and 29 February of other years is refused`() {
        for year in 1972...2100 {
            let isLeap = year % 4 == 0 && year != 2100
            #expect((Instant(rfc3339: "\(year)-02-29T12:00:00Z") != nil) == isLeap, "\(year)")
        }
    }

    @Test func `moments round-trip, and agree with Foundation's text`() {
        var numbers = SeededNumbers(seed: 2)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
        for _ in 0..<2000 {
            let moment = Instant(milliseconds: .random(in: 0..<7_258_118_400_000, using: &numbers))
            #expect(Instant(rfc3339: moment.rfc3339) == moment)
            let whole = Instant(seconds: moment.milliseconds / 1000)
            #expect(
                Date(timeIntervalSince1970: Double(whole.milliseconds) / 1000).formatted(style)
                    == whole.rfc3339)
        }
    }

    @Test func `every offset of whole minutes is subtracted`() throws {
        let noon = try instant("2026-11-21T12:00:00Z")
        for minutes in 0..<(24 * 60) {
            func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
            let clock = "\(padded(minutes / 60)):\(padded(minutes % 60))"
            #expect(Instant(rfc3339: "2026-11-21T12:00:00+\(clock)") == noon - .minutes(minutes))
            #expect(Instant(rfc3339: "2026-11-21T12:00:00-\(clock)") == noon + .minutes(minutes))
        }
    }

    @Test func `times derived from a valid request time can be parsed again`() {
        let (first, last) = (Instant(milliseconds: 0), Instant(milliseconds: 7_258_118_399_999))
        #expect(last.rfc3339 == "2199-12-31T23:59:59.999Z")
        #expect(
            first.isSensible && last.isSensible && !(first - moment).isSensible && !(last + moment).isSensible
        )
        for near in [first - .hours(24), last + .hours(24 * 44)] {
            #expect(Instant(rfc3339: near.rfc3339) == near)
        }
    }

    @Test func `a moment is its text in JSON`() throws {
        let moments = [try instant("2026-11-21T10:00:00.5Z")]
        let data = try JSONEncoder().encode(moments)
        #expect(String(decoding: data, as: UTF8.self) == #"["2026-11-21T10:00:00.500Z"]"#)
        #expect(try JSONDecoder().decode([Instant].self, from: data) == moments)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Instant].self, from: Data(#"["tomorrow"]"#.utf8))
        }
    }
}
