import Meetings

/// The clock of rotating codes: it starts at the server's wall clock and goes on by a steady one, so that
/// setting the wall clock back brings no used-up code back, and setting it forward skips none.
struct CodeClock: Sendable {
    private let clock: any ServerClock
    private let startedAt: Instant
    private let started: Duration

    /// - Parameter notBefore: where it stood when the server ran last.
    init(_ clock: any ServerClock, notBefore: Instant? = nil) {
        self.clock = clock
        startedAt = max(clock.now, notBefore ?? clock.now)
        started = clock.elapsed
    }

    var now: Instant { startedAt + (clock.elapsed - started) }
}
