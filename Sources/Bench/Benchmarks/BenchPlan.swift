/// What to run, and how much of it.
package struct BenchPlan: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case checkIn = "check-in"
        case fanOut = "fan-out"
        case storm
        case idle
    }

    package let kind: Kind
    /// Of the part that is measured. Default 5; 0.2–60. A storm ends with its check-ins, and after 60 s at
    /// the latest.
    package var seconds: Double
    /// HTTP connections, each with one request at a time. Default 64; 1–1,024.
    package var connections = 64
    /// Default 2,000, 5,000 idle ones, and none beside check-ins; up to 10,000.
    package var watchers: Int
    /// Of a storm. Default 10,000; 1–50,000.
    package var checkIns = 10_000
    /// Check-ins a second that are fanned out. Default 20: at most as many as the room's flushes, so that
    /// each is told by itself. 1–1,000.
    package var rate = 20
    /// Where the temporary data folder is made: on a disk, since commits are what is measured.
    package var folder = "/var/tmp"
    /// The server's `--log`.
    package var log = "silent"
    /// The port of another service on this machine, measured in alternation.
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
