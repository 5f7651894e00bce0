package import FrontDoor
import Glibc
package import Journal
package import Meetings

/// What an operator chooses.
package struct ServerSettings: Sendable {
    /// `127.0.0.1:8080`, `[::]:8080`, `0.0.0.0:0`; port 0 takes a free one.
    package var listen = "127.0.0.1:8080"
    /// Where the database, the secret and the images are.
    package var dataFolder: String
    /// What check-in URLs begin with; nil takes an address that a phone on the same network can reach.
    package var publicURL: String?
    package var signUp = SignUp.invite
    /// How many interests the sign-up page asks for, 0–20; fewer are taken too.
    package var interestsWanted = 3
    /// What the sign-up page shows to be accepted; nil takes ours.
    package var terms: String?
    /// Threads for websockets; 1–64.
    package var loops = 1
    package var logFormat = LogFormat.text
    /// The file that the log is appended to; nil writes to standard error.
    package var logFile: String?
    /// Takes each line of the log, without its line break, on any thread, instead of both.
    package var logSink: (@Sendable ([UInt8]) -> Void)?
    /// Access tokens live this long; refresh tokens 90 days.
    package var accessTokenLifetime = Duration.hours(12)
    /// How long SIGTERM waits for what is under way.
    package var drainTime = Duration.seconds(4)

    /// Proxies whose `X-Forwarded-…` is believed. Nobody else's is.
    package var trustedProxies = AddressRanges()
    /// How many connections one address may hold at once, proxies' addresses apart; at least 1.
    package var connectionsPerAddress = DoorSettings().connectionsPerAddress
    /// Where `/metrics` is served, alone and to everybody; nil serves it to this machine, beside everything
    /// else.
    package var metricsListen: String?

    /// Fetches files that hosts import by their address; nil fetches none.
    package var documents: (any DocumentFetching)?

    /// Addresses of the operator's own network, from which files are fetched though they are not everybody's.
    package var importFrom = AddressRanges()

    package init(dataFolder: String) { self.dataFolder = dataFolder }
}

package enum LogFormat: String, Sendable, CaseIterable {
    case text, json
    /// For tests.
    case silent
}

/// The clock that everything asks. Tests move one by hand.
package protocol ServerClock: Sendable {
    var now: Instant { get }
    /// Of a clock that is never set, from any beginning.
    var elapsed: Duration { get }
}

extension ServerClock {
    /// Where time is moved by hand, it is never set back.
    package var elapsed: Duration { .milliseconds(now.milliseconds) }
}

package struct SystemClock: ServerClock {
    package init() {}

    package var elapsed: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    package var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
