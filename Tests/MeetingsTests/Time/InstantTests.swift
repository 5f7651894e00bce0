import Meetings
import Testing

struct InstantTests {
    @Test func `durations are added, taken off and measured to the millisecond`() {
        let moment = Instant(seconds: 10)
        #expect(moment + .milliseconds(1) == Instant(milliseconds: 10_001))
        #expect(moment - .hours(1) == Instant(milliseconds: -3_590_000))
        #expect(moment.since(Instant(milliseconds: 10_001)) == .milliseconds(-1))
        #expect(Instant(milliseconds: -1) < Instant(milliseconds: 0))
    }

    @Test func `what is less than a millisecond is cut towards zero`() {
        #expect(Duration.microseconds(1999).wholeMilliseconds == 1)
        #expect(Duration.microseconds(-1999).wholeMilliseconds == -1)
        #expect(Duration.seconds(-2).wholeMilliseconds == -2000)
    }

    @Test(arguments: [
        (0, 0), (1, 0), (3_599_999, 0), (3_600_000, 3_600_000), (-1, -3_600_000), (-3_600_000, -3_600_000),
    ])
    func `the hour begins at or before its moments`(milliseconds: Int64, hour: Int64) {
        #expect(Instant(milliseconds: milliseconds).startOfHour == Instant(milliseconds: hour))
    }
}
