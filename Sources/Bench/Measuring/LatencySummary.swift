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
