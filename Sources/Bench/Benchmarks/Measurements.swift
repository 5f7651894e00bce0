/// A summary of latencies: the number of samples, the median, the 99th percentile and the maximum.
package struct LatencySummary: Encodable, Sendable, Equatable {
    package let count: Int
    package let p50Ms: Double
    package let p99Ms: Double
    package let maxMs: Double

    /// Uses the nearest-rank method: each figure is a measured sample and never an average of two. Returns
    /// nil if there are no samples.
    package init?(nanoseconds samples: [UInt64]) {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        count = sorted.count
        p50Ms = Self.milliseconds(Self.rank(0.5, of: sorted))
        p99Ms = Self.milliseconds(Self.rank(0.99, of: sorted))
        maxMs = Self.milliseconds(sorted[sorted.count - 1])
    }

    /// Returns the smallest sample that is greater than or equal to at least `share` (0…1) of all samples.
    /// - Parameter sorted: the sorted samples; not empty.
    package static func rank(_ share: Double, of sorted: [UInt64]) -> UInt64 {
        let position = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return sorted[min(max(0, position), sorted.count - 1)]
    }

    /// Returns milliseconds, rounded to a microsecond.
    private static func milliseconds(_ nanoseconds: UInt64) -> Double {
        (Double(nanoseconds) / 1000).rounded() / 1000
    }
}

extension UInt64 {
    static func nanoseconds(ofSeconds seconds: Double) -> UInt64 { UInt64(seconds * 1e9) }
    /// The value in seconds, if it is a number of nanoseconds.
    var seconds: Double { Double(self) / 1e9 }
}

/// The values of `/metrics` at one moment (Prometheus text; only samples without labels).
package struct MetricsReading: Sendable {
    private let values: [String: Double]

    package init(_ text: String) {
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            if parts.count == 2, let value = Double(parts[1]) { values[String(parts[0])] = value }
        }
        self.values = values
    }

    /// Returns the value of a sample; 0 if there is no such sample.
    package subscript(name: String) -> Double { values[name] ?? 0 }
}

/// The commits of the journal between two readings.
package struct CommitSummary: Encodable, Sendable {
    package let commits: Int
    /// The average number of commands in a batch.
    package let batch: Double
    /// The average time of one whole batch, in milliseconds.
    package let busyMs: Double
    /// The average time of the commit in a batch, in milliseconds.
    package let commitMs: Double

    package init(from before: MetricsReading, to after: MetricsReading) {
        func grown(_ name: String) -> Double { after[name] - before[name] }
        let count = grown("qring_journal_commits_total")
        commits = Int(count)
        batch = Figures.rounded(grown("qring_journal_commands_total") / max(1, count), to: 1)
        busyMs = Figures.rounded(grown("qring_journal_busy_seconds_total") * 1000 / max(1, count), to: 3)
        commitMs = Figures.rounded(grown("qring_journal_commit_seconds_total") * 1000 / max(1, count), to: 3)
    }
}

enum Figures {
    /// Rounds a figure, so that it does not show more digits than were measured.
    static func rounded(_ value: Double, to places: Int) -> Double {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        return (value * scale).rounded() / scale
    }

    /// Returns the number with exactly this many decimal places.
    static func text(_ value: Double, _ places: Int) -> String {
        let rounded = rounded(value, to: places)
        guard places > 0 else { return String(Int(rounded)) }
        let text = String(rounded)
        let digits = text.split(separator: ".").last?.count ?? 0
        return text + String(repeating: "0", count: max(0, places - digits))
    }
}
