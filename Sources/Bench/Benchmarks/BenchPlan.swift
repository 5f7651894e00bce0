/// The kind of a benchmark and its parameters.
package struct BenchPlan: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case checkIn = "check-in"
        case fanOut = "fan-out"
        case storm
        case idle
    }

    package let kind: Kind
    /// The duration of the measured part, 0.2–60 seconds. The default is 5. A storm ends after its check-ins,
    /// or after 60 seconds at the latest.
    package var seconds: Double
    /// The number of HTTP connections, 1–1,024. Each connection sends one request at a time. The default is
    /// 64.
    package var connections = 64
    /// The number of watchers, up to 10,000. The default is 0 for check-ins, 2,000 for fan-out and storm, and
    /// 5,000 for idle.
    package var watchers: Int
    /// The number of check-ins in a storm, 1–50,000. The default is 10,000.
    package var checkIns = 10_000
    /// The number of check-ins per second for fan-out, 1–1,000. The default is 20, because the room flushes
    /// at least as often and each check-in then gets its own frame.
    package var rate = 20
    /// The folder for temporary data. It must be on a disk, because the benchmark measures commits.
    package var folder = "/var/tmp"
    /// The value of the server's option `--log`.
    package var log = "silent"
    /// The port of another service on this machine. The benchmark measures both services in turn; nil if
    /// there is no other service.
    package var against: UInt16?

    package init(_ kind: Kind) {
        self.kind = kind
        seconds = kind == .storm ? 60 : 5
        watchers =
            switch kind {
            case .checkIn: 0
            case .fanOut, .storm: 2000
            case .idle: 5000
            }
    }
}
