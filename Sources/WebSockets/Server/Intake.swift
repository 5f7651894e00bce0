/// How much a connection sends: messages, and what comes beside them (pings, pongs, empty fragments). Each is a debt that time forgives; it is
/// kept in thousandths, so that looking often forgives as much as looking seldom.
struct Intake {
    private var overhead = 0
    private var messages = 0
    private var lookedAt: UInt64

    init(at now: UInt64) { lookedAt = now }

    mutating func tookOverhead(_ bytes: Int) { overhead += bytes * 1_000 }
    mutating func tookMessage() { messages += 1_000 }

    /// Milliseconds of the loop's clock. Silence and long messages save nothing up.
    mutating func isFlooded(within settings: WebSocketSettings, at now: UInt64) -> Bool {
        let elapsed = Int(now - lookedAt)
        lookedAt = now
        overhead = max(0, overhead - elapsed * settings.controlBytesPerSecond)
        messages = max(0, messages - elapsed * settings.messagesPerSecond)
        return overhead / 1_000 > settings.controlBurst || messages / 1_000 > settings.messageBurst
    }
}
