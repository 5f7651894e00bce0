import CLibWebSockets

/// How much a connection sends: messages, and what comes beside them: pings, which the library answers and tells nobody of, pongs, empty
/// fragments. All of that is what the socket has received and no message accounts for, so that the kernel's count is asked for at each visit.
struct Intake {
    /// The most that RFC 6455 §5.2 puts before a payload.
    private static let longestHeader: Int64 = 14

    private var counted: Int64 = 0
    private var inMessages: Int64 = 0
    /// Bytes that were sent beside messages and are not yet forgiven; below nothing where headers were shorter than their most.
    private var debt: Int64 = 0
    private var messages = 0
    private var messageDebt = 0
    private var visitedAt: UInt64 = 0

    /// The upgrade does not count.
    mutating func begin(_ wsi: OpaquePointer?, at now: UInt64) {
        visitedAt = now
        if let wsi { counted = max(0, qring_lws_bytes_taken(wsi)) }
    }

    mutating func took(_ payload: Int) { inMessages += Int64(payload) + Self.longestHeader }
    mutating func tookMessage() { messages += 1 }

    /// Milliseconds of the loop's clock.
    mutating func isFlooded(_ wsi: OpaquePointer?, within settings: WebSocketSettings, at now: UInt64) -> Bool {
        guard let wsi else { return false }
        let taken = qring_lws_bytes_taken(wsi)
        guard taken >= 0 else { return false }
        return isFlooded(taken: taken, within: settings, at: now)
    }

    mutating func isFlooded(taken: Int64, within settings: WebSocketSettings, at now: UInt64) -> Bool {
        let forgiven = Int64(now - visitedAt) * Int64(settings.controlBytesPerSecond) / 1_000
        // What is forgiven is forgiven from a debt: silence and long messages save nothing up.
        debt = max(0, debt - forgiven) + max(0, taken - counted - inMessages)
        let forgivenMessages = Int(now - visitedAt) * settings.messagesPerSecond / 1_000
        messageDebt = max(0, messageDebt - forgivenMessages) + messages
        (counted, inMessages, messages, visitedAt) = (taken, 0, 0, now)
        return debt > Int64(settings.controlBurst) || messageDebt > settings.messageBurst
    }
}
