import Meetings
import Testing

struct CodeScheduleTests {
    private let shown = CodeSchedule.shownAt(178_000_000)
    private let moment = Duration.milliseconds(1)

    @Test func `a code is accepted from its showing until its time is over, both included`() {
        func age(_ at: Instant) -> Duration? {
            CodeSchedule.age(of: 178_000_000, at: at, accepted: .seconds(30))
        }
        #expect(age(shown - moment) == nil)
        #expect(age(shown) == .zero)
        #expect(age(shown + .seconds(30)) == .seconds(30))
        #expect(age(shown + .seconds(30) + moment) == nil)
    }

    @Test func `the next code is shown when the time of this one is over`() {
        #expect(CodeSchedule.counter(at: shown) == 178_000_000)
        #expect(CodeSchedule.counter(at: shown + CodeSchedule.period - moment) == 178_000_000)
        #expect(CodeSchedule.counter(at: shown + CodeSchedule.period) == 178_000_001)
        #expect(CodeSchedule.remaining(at: shown) == CodeSchedule.period)
        #expect(CodeSchedule.remaining(at: shown + CodeSchedule.period - moment) == moment)
    }

    @Test func `join codes turn six times more slowly`() {
        let counter = CodeSchedule.counter(at: shown, every: CodeSchedule.joinCodePeriod)
        let begin = CodeSchedule.shownAt(counter, every: CodeSchedule.joinCodePeriod)
        #expect(CodeSchedule.counter(at: begin + .seconds(59), every: CodeSchedule.joinCodePeriod) == counter)
        #expect(
            CodeSchedule.counter(at: begin + .seconds(60), every: CodeSchedule.joinCodePeriod) == counter + 1)
    }
}
