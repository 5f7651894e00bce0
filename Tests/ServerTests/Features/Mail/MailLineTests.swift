import Meetings
import Testing

@testable import Server

@Suite struct MailLineTests {
    @Test func `the queue pauses after a failure, at most a minute, and reports each change once`() {
        var line = MailLine()
        #expect(line.note(.up, at: start, chance: 0.5) == nil)
        #expect(line.note(.down, at: start, chance: 0.5) == .closed)
        #expect(line.closedUntil == start + .seconds(5))
        // Mails that were under way fail too, and count for nothing.
        #expect(line.note(.down, at: start + .seconds(1), chance: 0.5) == nil)
        #expect(line.closedUntil == start + .seconds(5))
        var now = start
        for _ in 0..<20 {
            now = line.closedUntil
            #expect(line.note(.down, at: now, chance: 1) == nil)
            #expect(line.closedUntil <= now + .minutes(1))
        }
        #expect(line.closedUntil == now + .minutes(1))
        #expect(line.note(.up, at: now, chance: 0) == .opened)
        #expect(line.closedUntil <= now)
        #expect(line.note(.up, at: now, chance: 0) == nil)
    }

    @Test func `messages that fail by themselves close the line only if many do in a row`() {
        var line = MailLine()
        for _ in 0..<2 {
            for _ in 1..<MailLine.mostUnsure {
                #expect(line.note(.unsure, at: start, chance: 0.5) == nil)
            }
            #expect(line.closedUntil < start)
            #expect(line.note(.up, at: start, chance: 0.5) == nil)
        }
        for _ in 1..<MailLine.mostUnsure { _ = line.note(.unsure, at: start, chance: 0.5) }
        #expect(line.note(.unsure, at: start, chance: 0.5) == .closed)
        #expect(line.closedUntil == start + .seconds(5))
        // After the pause, one more failure is enough.
        #expect(line.note(.unsure, at: start + .seconds(5), chance: 0.5) == nil)
        #expect(line.closedUntil > start + .seconds(5))
        #expect(line.note(.up, at: start + .seconds(5), chance: 0.5) == .opened)
    }
}
