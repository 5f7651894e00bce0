/// How long to wait before the next attempt: twice as long each time, up to a limit, and somewhere in the
/// upper half of that, so that a server that comes back is not met by everybody at once.
package struct RoomBackOff: Hashable, Sendable {
    package let first: Duration
    package let longest: Duration

    package init(first: Duration = .milliseconds(500), longest: Duration = .seconds(30)) {
        self.first = first
        self.longest = longest
    }

    /// - Parameters:
    ///   - attempt: 1 for the first after a loss.
    ///   - jitter: 0–1, at random.
    package func delay(before attempt: Int, jitter: Double) -> Duration {
        let doubled = first * (1 << min(max(attempt - 1, 0), 20))
        let whole = min(doubled, longest)
        return whole / 2 + (whole / 2) * min(max(jitter, 0), 1)
    }
}
