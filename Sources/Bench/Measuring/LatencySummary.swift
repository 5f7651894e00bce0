/// How long things took: what half of them, and all but a hundredth, did not exceed.
package struct LatencySummary: Encodable, Sendable, Equatable {
    package let count: Int
    package let p50Ms: Double
    package let p99Ms: Double
    package let maxMs: Double

    /// By nearest rank: each figure is one that was measured, never one between two. Nil of nothing.
    package init?(nanoseconds samples: [UInt64]) {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        count = sorted.count
        p50Ms = Self.milliseconds(Self.rank(0.5, of: sorted))
        p99Ms = Self.milliseconds(Self.rank(0.99, of: sorted))
        maxMs = Self.milliseconds(sorted[sorted.count - 1])
    }

    /// The smallest of `sorted`, which is not empty, that at least `share` (0…1) of them do not exceed.
    package static func rank(_ share: Double, of sorted: [UInt64]) -> UInt64 {
        let position = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return sorted[min(max(0, position), sorted.count - 1)]
    }

    /// To the microsecond.
    private static func milliseconds(_ nanoseconds: UInt64) -> Double {
        (Double(nanoseconds) / 1000).rounded() / 1000
    }
}

extension UInt64 {
    static func nanoseconds(ofSeconds seconds: Double) -> UInt64 { UInt64(seconds * 1e9) }
    /// This many nanoseconds in seconds.
    var seconds: Double { Double(self) / 1e9 }
}
