/// The benchmark to run, with its parameters.
package struct BenchPlan: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case checkIn = "check-in"
        case fanOut = "fan-out"
        case storm
        case idle
    }

    package let kind: Kind
    /// The duration of the measured part in seconds, 0.2 to 60. The default is 5. A storm ends when all
    /// check-ins are answered, but after 60 s at the latest.
    package var seconds: Double
    /// The number of HTTP connections, 1 to 1,024. Each connection has one request at a time. The default is
    /// 64.
    package var connections = 64
    /// The number of watchers, at most 10,000. The default is 2,000, or 5,000 for the benchmark of idle
    /// watchers, or 0 for the benchmark of check-ins.
    package var watchers: Int
    /// The number of check-ins of a storm, 1 to 50,000. The default is 10,000.
    package var checkIns = 10_000
    /// The number of check-ins per second in the fan-out benchmark, 1 to 1,000. The default is 20, because
    /// the room sends at most this many updates per second, so that each check-in has its own update.
    package var rate = 20
    /// The folder in which the temporary data folder is created. It must be on a disk, because the benchmark
    /// measures commits.
    package var folder = "/var/tmp"
    /// The value of the server's option `--log`.
    package var log = "silent"
    /// The port of another service on this machine, which the benchmark measures in turn with the server. Nil
    /// for no comparison.
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
