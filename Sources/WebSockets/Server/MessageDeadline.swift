/// The time that a client has for one message or control frame, from its first byte to its last. A client
/// that sends one byte a second is never silent, so no other limit would end it. A value without side
/// effects: the caller passes the time in milliseconds.
struct MessageDeadline {
    /// The time of the first byte; nil if no message has begun.
    private var began: UInt64?

    /// Notes the bytes of one read. A control frame within a message does not end the message.
    mutating func read(isUnfinished: Bool, at now: UInt64) {
        if !isUnfinished { began = nil } else if began == nil { began = now }
    }

    /// Starts the time of an unfinished message again, because the server has read nothing meanwhile.
    mutating func pause(at now: UInt64) {
        if began != nil { began = now }
    }

    /// Whether an unfinished message has taken `limit` milliseconds.
    func isOver(_ limit: UInt64, at now: UInt64) -> Bool { began.map { now - $0 >= limit } ?? false }
}
