/// Limits the rate of messages, and of other traffic (pings, pongs, empty fragments), with two leaky buckets.
/// Levels are stored in thousandths, so that frequent updates lose nothing to rounding.
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
