import Meetings
import Testing

struct CodeScheduleTests {
    private let shown = CodeSchedule.shownAt(178_000_000)
    private let moment = Duration.milliseconds(1)

    @Test func `a code is accepted from its first showing until its accepted time ends, both included`() {
        func age(_ at: Instant) -> Duration? {
            CodeSchedule.age(of: 178_000_000, at: at, accepted: .seconds(30))
        }
        #expect(age(shown - moment) == nil)
        #expect(age(shown) == .zero)
        #expect(age(shown + .seconds(30)) == .seconds(30))
        #expect(age(shown + .seconds(30) + moment) == nil)
    }

    @Test func `the next code is shown when the period of the present one ends`() {
        #expect(CodeSchedule.counter(at: shown) == 178_000_000)
        #expect(CodeSchedule.counter(at: shown + CodeSchedule.period - moment) == 178_000_000)
        #expect(CodeSchedule.counter(at: shown + CodeSchedule.period) == 178_000_001)
        #expect(CodeSchedule.remaining(at: shown) == CodeSchedule.period)
        #expect(CodeSchedule.remaining(at: shown + CodeSchedule.period - moment) == moment)
    }

    @Test func `a join code is shown six times as long as a QR code`() {
        let counter = CodeSchedule.counter(at: shown, every: CodeSchedule.joinCodePeriod)
        let begin = CodeSchedule.shownAt(counter, every: CodeSchedule.joinCodePeriod)
        #expect(CodeSchedule.counter(at: begin + .seconds(59), every: CodeSchedule.joinCodePeriod) == counter)
        #expect(
            CodeSchedule.counter(at: begin + .seconds(60), every: CodeSchedule.joinCodePeriod) == counter + 1)
    }
}

struct JoinCodeTests {
    @Test func `a random code is already normalized, and has no look-alike characters`() {
        for _ in 0..<500 {
            let code = JoinCode.random()
            #expect(code.count == 6)
            #expect(JoinCode.normalized(code) == code)
            #expect(!code.contains { "01ILOU".contains($0) })
        }
    }

    @Test(arguments: ["K7QX2M", "k7qx2m", " k7q x2m ", "K7Q-X2M", "k-7-q-x-2-m", "k7q\u{3000}x2m\n"])
    func `the case, spaces and hyphens of a typed code do not matter`(typed: String) {
        #expect(JoinCode.normalized(typed) == "K7QX2M")
    }

    @Test(arguments: [
        "", "K7QX2", "K7QX2MM", "K7QX2O", "K7QX20", "K7QX2I", "K7QX2L", "K7QX2U", "K7QX2_", "ＫＫＫＫＫＫ", "ßKKKK",
    ])
    func `a malformed code is refused`(typed: String) {
        #expect(JoinCode.normalized(typed) == nil)
    }

    @Test func `a text of more than 32 bytes is malformed`() {
        #expect(JoinCode.normalized("K7QX2M" + String(repeating: " ", count: 26)) == "K7QX2M")
        #expect(JoinCode.normalized("K7QX2M" + String(repeating: " ", count: 27)) == nil)
    }
}
