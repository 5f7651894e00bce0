import Meetings
import Testing

struct SessionTimesTests {
    private let start = Instant(seconds: 1_795_255_200)

    @Test func `the end comes after the start`() {
        #expect(SessionTimes.error(startsAt: start, endsAt: start) == .endsBeforeStart)
        #expect(SessionTimes.error(startsAt: start, endsAt: start - moment) == .endsBeforeStart)
        #expect(SessionTimes.error(startsAt: start, endsAt: start + moment) == nil)
    }

    @Test func `both ends are within the years that a request may name`() throws {
        let (first, last) = (
            Instant(milliseconds: 0), try #require(Instant(rfc3339: "2199-12-31T23:59:59.999Z"))
        )
        #expect(SessionTimes.error(startsAt: first, endsAt: first + moment) == nil)
        #expect(SessionTimes.error(startsAt: last - moment, endsAt: last) == nil)
        #expect(SessionTimes.error(startsAt: first - moment, endsAt: first) == .outsideTheYears)
        #expect(SessionTimes.error(startsAt: last, endsAt: last + moment) == .outsideTheYears)
        #expect(
            SessionTimes.error(startsAt: Instant(milliseconds: .max - 1), endsAt: Instant(milliseconds: .max))
                == .outsideTheYears)
        #expect(
            SessionTimes.error(startsAt: Instant(milliseconds: .min), endsAt: Instant(milliseconds: .max))
                == .outsideTheYears)
    }

    @Test func `a session lasts fourteen days at most`() {
        #expect(SessionTimes.error(startsAt: start, endsAt: start + .hours(14 * 24)) == nil)
        #expect(
            SessionTimes.error(startsAt: start, endsAt: start + .hours(14 * 24) + moment)
                == .tooLongASession(maxDays: 14))
    }
}
