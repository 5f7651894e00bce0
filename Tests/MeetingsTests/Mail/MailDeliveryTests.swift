import Meetings
import Testing

@Suite struct MailDeliveryTests {
    private let now = Instant(seconds: 1_795_000_000)

    @Test func `pauses double from five seconds to an hour, and chance spreads them by a fifth`() {
        let pauses = (1...12).map { MailDelivery.pause(afterAttempt: $0, chance: 0.5) }
        #expect(pauses.prefix(4) == [.seconds(5), .seconds(10), .seconds(20), .seconds(40)])
        #expect(pauses.suffix(2) == [.hours(1), .hours(1)])
        #expect(MailDelivery.pause(afterAttempt: 1, chance: 0) == .seconds(4))
        #expect(MailDelivery.pause(afterAttempt: 1, chance: 1) == .seconds(6))
        #expect(MailDelivery.pause(afterAttempt: 10_000, chance: 9) == .minutes(72))
    }

    @Test func `a code of ten minutes gets at least six attempts`() {
        var delivery = MailDelivery(from: now)
        let expiry = now + .minutes(10)
        while delivery.state == .waiting {
            let moment = delivery.nextAttempt
            delivery.lease(by: .makeTimeless(), at: moment)
            delivery.finish(.deferred(reply: "421"), expiresAt: expiry, at: moment, chance: 1)
        }
        #expect(delivery.state == .expired && delivery.attempts >= 6)
    }

    @Test func `a reply is one line of at most 300 characters`() {
        var delivery = MailDelivery(from: now)
        delivery.finish(
            .refused(reply: "550 a\r\n\u{1B}b" + String(repeating: "x", count: 500)), expiresAt: now,
            at: now, chance: 0)
        #expect(delivery.reply.hasPrefix("550 a  b") && delivery.reply.count == 300)
    }
}
