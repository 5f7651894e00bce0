/// The state of a mail's delivery. It takes time and chance as parameters, so that tests need neither.
///
/// | state | event | next state |
/// |---|---|---|
/// | waiting | `lease`: a server takes the mail to send it | waiting, invisible until the lease ends |
/// | waiting | `finish(.delivered)` | sent |
/// | waiting | `finish(.refused)`: the receiver wants no retry | refused |
/// | waiting | `finish(.deferred)` | waiting until the next attempt; expired if that is too late |
/// | waiting | `end(.expired)` | expired |
/// | waiting or refused | `end(.dropped)`: the operator deletes it, or nobody wants it any more | dropped |
/// | waiting or refused | `retry`: the operator wants it now | waiting |
///
/// A server that crashes while it sends loses its lease, and the mail becomes visible again.
package struct MailDelivery: Hashable, Sendable {
    /// The order of the cases is part of the file format.
    package enum State: Int, Hashable, Sendable, CaseIterable {
        case waiting, sent, refused, expired, dropped

        package var word: String { "\(self)" }

        /// Whether the mail can still be sent, so that its content is stored. A refused mail can be retried
        /// until it expires.
        package var keepsContent: Bool { self == .waiting || self == .refused }
    }

    /// The result of one attempt. `reply` is the receiver's text, or the reason why there is none.
    package enum Outcome: Hashable, Sendable {
        case delivered
        case deferred(reply: String)
        case refused(reply: String)
    }

    package var state = State.waiting
    /// The number of attempts that have begun.
    package var attempts = 0
    /// The earliest moment of the next attempt; while the mail is leased, the end of the lease.
    package var nextAttempt: Instant
    /// The process that sends the mail at present.
    package var lease: ID<MailDelivery>?
    /// The time of the last change of a mail that no longer waits.
    package var endedAt: Instant?
    /// The receiver's last reply that was no success: at most 300 characters on one line.
    package var reply = ""

    package init(from notBefore: Instant) { nextAttempt = notBefore }

    package init(
        state: State, attempts: Int, nextAttempt: Instant, lease: ID<MailDelivery>?, endedAt: Instant?,
        reply: String
    ) {
        self.state = state
        self.attempts = attempts
        self.nextAttempt = nextAttempt
        self.lease = lease
        self.endedAt = endedAt
        self.reply = reply
    }

    /// The time after which a leased mail becomes visible again. It is longer than the longest attempt.
    package static let leaseLength = Duration.minutes(5)
    private static let firstPause = Duration.seconds(5)
    private static let longestPause = Duration.hours(1)

    /// Takes the mail for one attempt.
    package mutating func lease(by process: ID<MailDelivery>, at now: Instant) {
        attempts += 1
        lease = process
        nextAttempt = now + Self.leaseLength
    }

    /// Ends an attempt.
    /// - Parameters:
    ///   - schedule: the pauses after the attempts, and no attempt after the last of them. Nil for pauses
    ///     that double, until the mail expires.
    ///   - retryAfter: the least pause, which the receiver wants.
    ///   - chance: a random number from 0 to 1, which spreads the next attempts of many mails.
    package mutating func finish(
        _ outcome: Outcome, expiresAt: Instant, at now: Instant, schedule: [Duration]? = nil,
        retryAfter: Duration? = nil, chance: Double
    ) {
        lease = nil
        switch outcome {
        case .delivered:
            reply = ""
            end(.sent, at: now)
        case .refused(let text):
            reply = Self.line(text)
            end(.refused, at: now)
        case .deferred(let text):
            reply = Self.line(text)
            var pause = Self.pause(afterAttempt: attempts, chance: chance)
            if let schedule {
                guard attempts <= schedule.count else { return end(.expired, at: now) }
                pause = schedule[max(attempts - 1, 0)]
            }
            nextAttempt = now + max(pause, retryAfter ?? .zero)
            if nextAttempt >= expiresAt { end(.expired, at: now) }
        }
    }

    /// Ends the delivery in this state. The lease ends too.
    package mutating func end(_ state: State, at now: Instant) {
        self.state = state
        lease = nil
        endedAt = now
    }

    /// Makes the mail due at once, with fresh pauses. Only for states that keep the content.
    package mutating func retry(at now: Instant) {
        (state, attempts, nextAttempt, lease, endedAt) = (.waiting, 0, now, nil, nil)
    }

    /// Returns the pause after this attempt: 5 s, doubled each time up to an hour, and 20 % more or less.
    package static func pause(afterAttempt attempt: Int, chance: Double) -> Duration {
        let doubled = firstPause * (1 << min(max(attempt - 1, 0), 10))
        let pause = min(doubled, longestPause)
        return .milliseconds(Int64(Double(pause.wholeMilliseconds) * (0.8 + 0.4 * min(max(chance, 0), 1))))
    }

    /// Returns the text on one line, without control characters, and not too long.
    private static func line(_ text: String) -> String {
        String(
            text.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 32 } ? " " : $0 }.prefix(300))
    }
}
