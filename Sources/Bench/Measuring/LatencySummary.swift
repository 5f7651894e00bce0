/// A summary of durations: the median and the 99th percentile.
package struct LatencySummary: Encodable, Sendable, Equatable {
    package let count: Int
    package let p50Ms: Double
    package let p99Ms: Double
    package let maxMs: Double

    /// Creates a summary by the nearest-rank method, so that each figure is a measured value and never an
    /// interpolated one. Returns nil if there are no samples.
    package init?(nanoseconds samples: [UInt64]) {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        count = sorted.count
        p50Ms = Self.milliseconds(Self.rank(0.5, of: sorted))
        p99Ms = Self.milliseconds(Self.rank(0.99, of: sorted))
        maxMs = Self.milliseconds(sorted[sorted.count - 1])
    }

    /// Returns the smallest value of `sorted` that at least `share` (0 to 1) of the values do not exceed.
    /// `sorted` must not be empty.
    package static func rank(_ share: Double, of sorted: [UInt64]) -> UInt64 {
        let position = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return sorted[min(max(0, position), sorted.count - 1)]
    }

    /// Converts nanoseconds to milliseconds, rounded to a microsecond.
    private static func milliseconds(_ nanoseconds: UInt64) -> Double {
        (Double(nanoseconds) / 1000).rounded() / 1000
    }
}

extension UInt64 {
    static func nanoseconds(ofSeconds seconds: Double) -> UInt64 { UInt64(seconds * 1e9) }
    /// The seconds of this number of nanoseconds.
    var seconds: Double { Double(self) / 1e9 }
}
