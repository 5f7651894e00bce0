/// Computes the delay before the next attempt to connect. The upper bound doubles with each attempt, up to
/// `longest`. The delay is a random value in the upper half, so that not all clients connect at the same
/// moment after the server restarts.
package struct RoomBackOff: Hashable, Sendable {
    package let first: Duration
    package let longest: Duration

    package init(first: Duration = .milliseconds(500), longest: Duration = .seconds(30)) {
        self.first = first
        self.longest = longest
    }

    /// - Parameters:
    ///   - attempt: the number of the attempt since the connection was lost, beginning with 1.
    ///   - jitter: a random number from 0 to 1.
    package func delay(before attempt: Int, jitter: Double) -> Duration {
        let doubled = first * (1 << min(max(attempt - 1, 0), 20))
        let whole = min(doubled, longest)
        return whole / 2 + (whole / 2) * min(max(jitter, 0), 1)
    }
}
