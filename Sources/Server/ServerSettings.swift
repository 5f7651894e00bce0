package import FrontDoor
import Glibc
package import Journal
package import Meetings

/// The operator's settings.
package struct ServerSettings: Sendable {
    /// `127.0.0.1:8080`, `[::]:8080`, `0.0.0.0:0`; port 0 selects a free port.
    package var listen = "127.0.0.1:8080"
    /// The folder of the database, the secret and the images.
    package var dataFolder: String
    /// The beginning of check-in URLs; nil selects an address that phones on the same network can reach.
    package var publicURL: String?
    package var signUp = SignUp.invite
    /// The number of interests that the sign-up page requests, 0–20; fewer are accepted.
    package var interestsWanted = 3
    /// The terms that the sign-up page shows; nil shows the default.
    package var terms: String?
    /// Threads for websockets; 1–64.
    package var loops = 1
    package var logFormat = LogFormat.text
    /// The path of the log file; nil logs to standard error.
    package var logFile: String?
    /// Receives each line of the log instead, without its line break, on any thread.
    package var logSink: (@Sendable ([UInt8]) -> Void)?
    /// The lifetime of access tokens; refresh tokens live 90 days.
    package var accessTokenLifetime = Duration.hours(12)
    /// The time that SIGTERM waits for running requests.
    package var drainTime = Duration.seconds(4)

    /// The proxies whose `X-Forwarded-…` headers are trusted.
    package var trustedProxies = AddressRanges()
    /// The connections that one address may hold at once, at least 1; trusted proxies have no limit.
    package var connectionsPerAddress = DoorSettings().connectionsPerAddress
    /// The address of a listener that serves only `/metrics`, to everybody who can reach it; nil serves
    /// metrics on the main port to this machine.
    package var metricsListen: String?

    /// Fetches files that hosts import by address; nil disables this.
    package var documents: (any DocumentFetching)?

    /// Addresses of the operator's own network that may be fetched although they are not public.
    package var importFrom = AddressRanges()

    package init(dataFolder: String) { self.dataFolder = dataFolder }
}

package enum LogFormat: String, Sendable, CaseIterable {
    case text, json
    /// For tests.
    case silent
}

/// The clock of the server. Tests set it by hand.
package protocol ServerClock: Sendable {
    var now: Instant { get }
    /// The time of a clock that is never set, since an arbitrary start.
    var elapsed: Duration { get }
}

extension ServerClock {
    /// A test's clock never goes back.
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
