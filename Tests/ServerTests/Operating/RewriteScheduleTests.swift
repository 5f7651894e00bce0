import Meetings
import Testing

@testable import Server

@Suite struct RewriteScheduleTests {
    @Test func `a rewrite begins at once after a quiet time, and the next one ten minutes after it`() {
        var schedule = RewriteSchedule()
        #expect(schedule.mayBegin(at: at(0)))
        schedule.begin(at: at(0))
        #expect(!schedule.mayBegin(at: at(0)))
        // While a rewrite runs, no other begins, however long it takes.
        #expect(!schedule.mayBegin(at: at(60)))
        schedule.end()
        #expect(!schedule.mayBegin(at: at(10) - .milliseconds(1)))
        #expect(schedule.mayBegin(at: at(10)))
    }

    @Test func `a clock that was set back does not delay the next rewrite`() {
        var schedule = RewriteSchedule()
        schedule.begin(at: at(600))
        schedule.end()
        #expect(schedule.mayBegin(at: at(0)))
    }
}
