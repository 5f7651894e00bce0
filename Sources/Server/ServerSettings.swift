package import FrontDoor
import Glibc
package import Journal
package import Meetings
package import Outbound

/// The operator's settings.
package struct ServerSettings: Sendable {
    /// The listening address, for example `127.0.0.1:8080`, `[::]:8080`, `0.0.0.0:0` or
    /// `unix:/run/qring/qring.sock`. Port 0 selects a free port.
    package var listen = "127.0.0.1:8080"
    /// A socket that already listens on `listen`, which systemd or an earlier process has opened; nil to open
    /// one.
    package var inheritedSocket: CInt?
    /// The folder that contains the database, the secret and the images.
    package var dataFolder: String
    /// The PostgreSQL database that is used instead of the folder's: a URI or settings of libpq. It can
    /// contain a password.
    package var database: String?
    /// The beginning of check-in URLs. Nil selects an address that phones on the same network can reach.
    package var publicURL: String?
    package var signUp = SignUp.invite
    package var signUpForm = SignUpForm.short
    /// Whether an account must have a verified e-mail address before it may do more than verify it.
    package var requiresVerification = false
    /// The number of interests that the sign-up page requests, 0–20.
    package var interestsWanted = 3
    /// Whether the server refuses a sign-up or a profile with fewer interests.
    package var requiresInterests = false
    /// The terms that the sign-up page shows; nil for the default terms.
    package var terms: String?
    /// The number of threads for websockets, 1–64.
    package var loops = 1
    package var logFormat = LogFormat.text
    /// The path of the log file; nil for standard error.
    package var logFile: String?
    /// Receives each line of the log without its line break, on any thread. With a sink, no line is written
    /// to the log file or standard error.
    package var logSink: (@Sendable ([UInt8]) -> Void)?
    /// The lifetime of access tokens. The lifetime of refresh tokens is 90 days.
    package var accessTokenLifetime = Duration.hours(12)
    /// The time for which the server waits for running requests after SIGTERM.
    package var drainTime = Duration.seconds(4)

    /// The proxies whose `X-Forwarded-…` headers are trusted.
    package var trustedProxies = AddressRanges()
    /// The highest number of simultaneous connections from one IP address, at least 1. Trusted proxies have
    /// no limit.
    package var connectionsPerAddress = DoorSettings().connectionsPerAddress
    /// The address of a listener that serves only `/metrics`, to every client that can reach the address. Nil
    /// serves metrics on the main port, and only to this machine.
    package var metricsListen: String?

    /// Fetches files that hosts import from a web address; nil disables this import.
    package var documents: (any DocumentFetching)?

    /// The addresses in the operator's own network that the server may fetch, although they are not public.
    package var importFrom = AddressRanges()

    /// The addresses in the operator's own network that web hooks may reach, although they are not public.
    package var webhooksToPrivate = AddressRanges()

    package var mail = MailSettings()

    package var codes = CodeBudgetSettings()

    package var limits = AccountLimits()

    package var retention = Retention()

    package var backups = BackupSettings()

    /// What makes this server an offline door; nil for a real server.
    package var offlineDoor: OfflineDoor?

    /// The second address of an offline door, with TLS; nil if it has none.
    package var tls: TLSSettings?

    /// Runs the operator's commands that reach the server through its data folder; nil if there are none.
    package var operatorCommands: (any OperatorCommands)?

    /// The folder into which mails are written if no service takes them.
    var outboxFolder: String { "\(dataFolder)/outbox" }

    package init(dataFolder: String) { self.dataFolder = dataFolder }
}

/// What the sign-up page asks for.
package enum SignUpForm: String, Sendable, CaseIterable {
    /// The e-mail address, a password and the name; and interests, if the server requires them.
    case short
    /// Also birth date, gender, phone number and interests, which the person may leave out.
    case full
}

/// How the server sends mails.
package struct MailSettings: Sendable {
    /// The mail server that takes the mails; nil to write them as files into the folder `outbox`.
    package var server: SMTPServer?
    /// The address that receivers see as the sender. Nil selects the user of `server`, if that is an address,
    /// or else an address at the host of the public URL.
    package var sender: String?
    /// The service that delivers codes to phones; nil to write them as files into the folder `outbox`.
    package var phoneHook: PhoneHookSettings?
    /// The service that delivers push messages to devices; nil to write them as files into the folder
    /// `outbox`.
    package var pushHook: PhoneHookSettings?
    /// The environment variables that define the trusted certificates (`HTTPTransport`).
    package var environment: [String: String] = [:]

    package init() {}

    /// Returns the address of the sender.
    package func sender(at address: PublicAddress) -> String {
        if let sender { return sender }
        if let user = server?.user, let address = EmailAddress.normalized(user) { return address }
        let host = address.typed.split(separator: ":").first.map(String.init) ?? "localhost"
        return "qring@\(host)"
    }
}

package enum LogFormat: String, Sendable, CaseIterable {
    case text, json
    /// Logs nothing. For tests.
    case silent
}

/// The clock of the server. Tests set it by hand.
package protocol ServerClock: Sendable {
    var now: Instant { get }
    /// The time since an arbitrary start, by a clock that nobody can set.
    var elapsed: Duration { get }
    /// Waits for this time without holding a thread. Returns early if the task is cancelled.
    func pause(for duration: Duration) async
}

extension ServerClock {
    /// The elapsed time of a test's clock, which never runs backwards.
    package var elapsed: Duration { .milliseconds(now.milliseconds) }

    package func pause(for duration: Duration) async { try? await Task.sleep(for: duration) }
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
