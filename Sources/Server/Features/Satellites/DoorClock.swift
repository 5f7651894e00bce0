package import Meetings
import Synchronization

/// The clock of an offline door. It follows the server's clock, although the laptop's own clock may be wrong:
/// it counts from the last contact by a clock that nobody can set. After a start without the network, it
/// subtracts the last known difference from the laptop's clock.
package final class DoorClock: ServerClock {
    private struct State {
        /// The milliseconds by which the laptop's clock was ahead of the server's at the last contact.
        var offset: Int64
        /// The server's time and the elapsed time of a contact of this process.
        var contact: (server: Instant, elapsed: Duration)?
    }

    private let laptop: any ServerClock
    private let state: Mutex<State>

    /// - Parameter offset: the milliseconds by which the laptop's clock was ahead of the server's when an
    ///   earlier process compared the two.
    package init(_ laptop: any ServerClock = SystemClock(), offset: Int64 = 0) {
        self.laptop = laptop
        state = Mutex(State(offset: offset))
    }

    package var now: Instant {
        let (now, elapsed) = (laptop.now, laptop.elapsed)
        return state.withLock { state in
            state.contact.map { $0.server + (elapsed - $0.elapsed) } ?? now - .milliseconds(state.offset)
        }
    }

    package var elapsed: Duration { laptop.elapsed }

    /// The milliseconds by which the laptop's clock is ahead of this one.
    package var offset: Int64 { laptop.now.milliseconds - now.milliseconds }

    package func pause(for duration: Duration) async { await laptop.pause(for: duration) }

    /// Takes the server's time from an answer to a request that was sent at `sent` (`elapsed`). The server
    /// read its clock in the middle, as far as the laptop can know. A slow answer is worth less than the
    /// elapsed time since an earlier one, and is ignored.
    package func compare(with server: Instant, sent: Duration) {
        let received = laptop.elapsed
        guard received - sent <= Self.slowestAnswer || state.withLock({ $0.contact == nil }) else { return }
        let middle = sent + (received - sent) / 2
        state.withLock { state in
            state.contact = (server, middle)
            state.offset = laptop.now.milliseconds - (server + (received - middle)).milliseconds
        }
    }

    private static let slowestAnswer = Duration.seconds(2)
}
