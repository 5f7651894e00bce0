import Meetings
import Testing

struct SessionTimesTests {
    private let start = Instant(seconds: 1_795_255_200)

    @Test func `the end comes after the start`() {
        #expect(SessionTimes.error(startsAt: start, endsAt: start) == .endsBeforeStart)
        #expect(SessionTimes.error(startsAt: start, endsAt: start - moment) == .endsBeforeStart)
        #expect(SessionTimes.error(startsAt: start, endsAt: start + moment) == nil)
    }

    @Test func `a session lasts fourteen days at most`() {
        #expect(SessionTimes.error(startsAt: start, endsAt: start + .hours(14 * 24)) == nil)
        #expect(SessionTimes.error(startsAt: start, endsAt: start + .hours(14 * 24) + moment) == .tooLongASession(maxDays: 14))
    }
}
