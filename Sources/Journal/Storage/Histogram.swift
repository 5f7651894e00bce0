/// Counts durations by upper bounds, as a histogram of Prometheus needs them.
package struct Histogram: Sendable {
    /// The upper bounds in seconds, the smallest first.
    package let bounds: [Double]
    /// The number of durations of at most each bound.
    package private(set) var counts: [Int]
    package private(set) var total = 0
    package private(set) var seconds = 0.0

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count)
    }

    package mutating func add(_ duration: Duration) {
        let taken = duration / .seconds(1)
        total += 1
        seconds += taken
        for index in bounds.indices where taken <= bounds[index] { counts[index] += 1 }
    }
}
