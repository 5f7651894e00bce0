import Meetings
import Testing

@testable import Server

@Suite struct MailLineTests {
    @Test func `the queue pauses after a failure, at most a minute, and reports each change once`() {
        var line = MailLine()
        #expect(line.note(isUp: true, at: start, chance: 0.5) == nil)
        #expect(line.note(isUp: false, at: start, chance: 0.5) == .closed)
        #expect(line.closedUntil == start + .seconds(5))
        // Mails that were under way fail too, and count for nothing.
        #expect(line.note(isUp: false, at: start + .seconds(1), chance: 0.5) == nil)
        #expect(line.closedUntil == start + .seconds(5))
        var now = start
        for _ in 0..<20 {
            now = line.closedUntil
            #expect(line.note(isUp: false, at: now, chance: 1) == nil)
            #expect(line.closedUntil <= now + .minutes(1))
        }
        #expect(line.closedUntil == now + .minutes(1))
        #expect(line.note(isUp: true, at: now, chance: 0) == .opened)
        #expect(line.closedUntil <= now)
        #expect(line.note(isUp: true, at: now, chance: 0) == nil)
    }
}
