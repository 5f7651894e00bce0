/// The kind of a benchmark and its parameters.
package struct BenchPlan: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case checkIn = "check-in"
        case fanOut = "fan-out"
        case storm
        case idle
        case abuse
    }

    package let kind: Kind
    /// The duration of the measured part, 0.2–60 seconds. The default is 5. A storm ends after its check-ins,
    /// or after 60 seconds at the latest. For abuse, the duration for each route, 0.01–60 seconds, and the
    /// default is 0.5.
    package var seconds: Double
    /// The number of HTTP connections, 1–1,024. Each connection sends one request at a time. The default is
    /// 64.
    package var connections = 64
    /// The number of watchers, up to 10,000. The default is 0 for check-ins, 2,000 for fan-out and storm, and
    /// 5,000 for idle.
    package var watchers: Int
    /// The number of check-ins in a storm, 1–50,000. The default is 10,000.
    package var checkIns = 10_000
    /// The number of check-ins per second for fan-out and abuse, 1–1,000. The default of fan-out is 20,
    /// because the room flushes at least as often and each check-in then gets its own frame. The default of
    /// abuse is 500.
    package var rate: Int
    /// The sizes of the meetings that the worst requests of `abuse` work on. The documented limits are
    /// 100,000 attendees, 20,000 people on a roster, 2,000 sessions and 1 MB.
    package var attendees = 1000
    package var roster = 200
    package var meetingSessions = 20
    package var fileBytes = 65_536
    /// The connections that send the worst requests, each for an account of its own.
    package var abusers = 4
    /// The requests of `abuse` for each route that needs a person or a record of its own for each.
    package var requests = 20
    /// The longest time in milliseconds that a check-in may take during `abuse`.
    package var limitMs = 100
    /// The folder for temporary data. It must be on a disk, because the benchmark measures commits.
    package var folder = "/var/tmp"
    /// The value of the server's option `--log`.
    package var log = "silent"
    /// The port of another service on this machine. The benchmark measures both services in turn; nil if
    /// there is no other service.
    package var against: UInt16?

    package init(_ kind: Kind) {
        self.kind = kind
        seconds =
            switch kind {
            case .storm: 60
            case .abuse: 0.5
            default: 5
            }
        rate = kind == .abuse ? 500 : 20
        watchers =
            switch kind {
            case .checkIn, .abuse: 0
            case .fanOut, .storm: 2000
            case .idle: 5000
            }
    }
}
