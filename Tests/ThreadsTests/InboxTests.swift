import Glibc
import Testing

@testable import Threads

@Suite struct InboxTests {
    @Test func `messages arrive in the order in which they were posted`() {
        let inbox = Inbox<Int>()
        for number in 1...5 { #expect(inbox.post(number) {}) }
        var batch: [Int] = []
        inbox.take(into: &batch)
        #expect(batch == [1, 2, 3, 4, 5])
    }

    @Test func `only the first message in an empty inbox wakes the receiver`() {
        let inbox = Inbox<Int>()
        var wakeUps = 0
        var batch: [Int] = []
        for number in 1...3 { _ = inbox.post(number) { wakeUps += 1 } }
        #expect(wakeUps == 1)
        inbox.take(into: &batch)
        _ = inbox.post(4) { wakeUps += 1 }
        #expect(wakeUps == 2)
    }

    @Test func `closing an inbox returns the unread messages, and later messages are rejected`() {
        let inbox = Inbox<Int>()
        _ = inbox.post(1) {}
        #expect(inbox.close() == [1])
        #expect(!inbox.post(2) { Issue.record("a rejected message wakes nobody") })
        #expect(inbox.close().isEmpty)
    }

    @Test func `a message makes a polled inbox's descriptor readable until the receiver clears it`() throws {
        let inbox = try #require(PolledInbox<Int>())
        #expect(!isReadable(inbox.wake))
        #expect(inbox.post(1))
        #expect(inbox.post(2))
        #expect(isReadable(inbox.wake))
        inbox.wake.clear()
        #expect(!isReadable(inbox.wake))
        var batch: [Int] = []
        inbox.take(into: &batch)
        #expect(batch == [1, 2])
        _ = inbox.close()
        #expect(!inbox.post(3))
        #expect(!isReadable(inbox.wake))
    }

    private func isReadable(_ event: EventDescriptor) -> Bool {
        var polled = pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 1
    }
}
