/// How often which numbers were answered, at a size that does not grow with the number of answers: a count
/// per bin. Bins are one step wide as long as there are few different numbers, and then everything here is
/// exact. With more than `mostBins` they grow wider together, by turns two- and fivefold (1, 2, 10, 20, 100 …
/// steps), so that the same answers make the same bins in whichever order they came. Then the number, the sum
/// and the average stay exact; quartiles are off by less than the width of a bin.
package struct NumberCounts: Hashable, Sendable {
    /// In steps (`Amount`).
    package private(set) var width = 1
    /// By bin: the numbers from `bin * width` up to below `(bin + 1) * width`, in steps. No zeros.
    package private(set) var bins: [Int: Int] = [:]
    package private(set) var count = 0
    /// Exact for at least `QuestionSet.mostResponses` answers. A larger sum saturates instead of trapping.
    package private(set) var sum = 0
    /// Exact, but after the smallest or largest was taken back while bins are wide: then the end of its bin.
    package private(set) var least: Int?
    package private(set) var most: Int?

    package static let mostBins = 200

    package init() {}

    /// - Parameter steps: within ±`Amount.mostSteps`, as every checked answer is; what is beyond is counted
    ///   at the bound.
    package mutating func add(_ steps: Int) {
        let steps = Self.bounded(steps)
        count += 1
        sum = sum.addingWithinRange(steps)
        least = min(least ?? steps, steps)
        most = max(most ?? steps, steps)
        bins[bin(of: steps), default: 0] += 1
        coarsen()
    }

    /// Of a number that was added.
    package mutating func remove(_ steps: Int) {
        let steps = Self.bounded(steps)
        let bin = bin(of: steps)
        guard let found = bins[bin] else { return }
        count -= 1
        sum = sum.addingWithinRange(-steps)
        bins[bin] = found == 1 ? nil : found - 1
        guard count > 0, let first = bins.keys.min(), let last = bins.keys.max() else {
            // Nothing is left that the bins were wide for.
            self = NumberCounts()
            return
        }
        least = max(least ?? steps, first * width)
        most = min(most ?? steps, last * width + width - 1)
    }

    package mutating func add(_ other: NumberCounts) {
        guard other.count > 0 else { return }
        var other = other
        while other.width < width { other.widen() }
        while width < other.width { widen() }
        for (bin, count) in other.bins { bins[bin, default: 0] += count }
        count += other.count
        sum = sum.addingWithinRange(other.sum)
        least = min(least ?? other.least ?? 0, other.least ?? 0)
        most = max(most ?? other.most ?? 0, other.most ?? 0)
        coarsen()
    }

    private static func bounded(_ steps: Int) -> Int { min(max(steps, -Amount.mostSteps), Amount.mostSteps) }

    private func bin(of steps: Int) -> Int { Self.floor(steps, width) }

    private mutating func coarsen() { while bins.count > Self.mostBins { widen() } }

    private mutating func widen() {
        // 1 → 2 → 10 → 20 → 100: a width begins with 1 or with 2.
        var head = width
        while head >= 10 { head /= 10 }
        let factor = head == 1 ? 2 : 5
        var wider: [Int: Int] = [:]
        for (bin, count) in bins { wider[Self.floor(bin, factor), default: 0] += count }
        bins = wider
        width *= factor
    }

    private static func floor(_ value: Int, _ width: Int) -> Int {
        (value >= 0 ? value : value - width + 1) / width
    }

    /// Whether the two count the same answers, as far as the wider bins of them can tell: one that lost
    /// answers keeps its width.
    package func agrees(with other: NumberCounts) -> Bool {
        var (left, right) = (self, other)
        while left.width < right.width { left.widen() }
        while right.width < left.width { right.widen() }
        func isNear(_ one: Int?, _ two: Int?) -> Bool { abs((one ?? 0) - (two ?? 0)) < left.width }
        return left.bins == right.bins && left.sum == right.sum && left.count == right.count
            && isNear(left.least, right.least)
            && isNear(left.most, right.most)
    }
}

extension Int {
    /// The sum, or the nearest integer to it that there is.
    fileprivate func addingWithinRange(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}

// MARK: What results say

extension NumberCounts {
    /// The number below which that part of the answers lies, 0…1, in steps; between two answers it is where
    /// it would be on the way from one to the other (the definition of spreadsheets: `PERCENTILE.INC`). Nil
    /// without answers.
    package func quantile(_ part: Double) -> Double? {
        guard count > 0, let least, let most else { return nil }
        let place = part * Double(count - 1)
        let below = Int(place)
        let sorted = bins.sorted { $0.key < $1.key }
        let low = value(at: below, sorted)
        let high = below + 1 < count ? value(at: below + 1, sorted) : low
        let found = low + (high - low) * (place - Double(below))
        return min(max(found, Double(least)), Double(most))
    }

    /// The answer at that place in order, from 0; within a wide bin, as if its answers lay evenly in it.
    private func value(at place: Int, _ sorted: [(key: Int, value: Int)]) -> Double {
        var passed = 0
        for (bin, count) in sorted {
            if place < passed + count {
                guard width > 1 else { return Double(bin) }
                return Double(bin * width) + (Double(place - passed) + 0.5) / Double(count) * Double(width)
            }
            passed += count
        }
        return Double(most ?? 0)
    }

    package struct Bar: Hashable, Sendable {
        /// From this up to below `to`, in steps.
        package let from: Int
        package let to: Int
        package let count: Int
    }

    package static let mostBars = 12

    /// The distribution in at most `mostBars` bars of one width that begins with 1, 2 or 5, empty ones
    /// between included.
    package var bars: [Bar] {
        guard let first = bins.keys.min(), let last = bins.keys.max() else { return [] }
        var wide = width
        while !isBarWidth(wide, first, last) { wide = Self.nextRound(wide) }
        let (low, high) = (Self.floor(first * width, wide), Self.floor(last * width, wide))
        var counts = Array(repeating: 0, count: high - low + 1)
        for (bin, count) in bins { counts[Self.floor(bin * width, wide) - low] += count }
        return counts.enumerated().map { Bar(from: (low + $0) * wide, to: (low + $0 + 1) * wide, count: $1) }
    }

    private func isBarWidth(_ wide: Int, _ first: Int, _ last: Int) -> Bool {
        wide % width == 0 && Self.floor(last * width, wide) - Self.floor(first * width, wide) < Self.mostBars
    }

    /// 1, 2, 5, 10, 20, 50, …
    private static func nextRound(_ width: Int) -> Int {
        var head = width
        while head >= 10 { head /= 10 }
        return head == 2 ? width / 2 * 5 : width * 2
    }
}

/// `{"width": 1, "count": 9, "sum": 42, "least": 1, "most": 12, "bins": [1, 2, 3, 4, …]}`: a bin, its count,
/// the next bin, its count, in order. Flat, since it is read with every response.
extension NumberCounts: Codable {
    private enum Key: String, CodingKey {
        case width, count, sum, least, most, bins
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        width = try container.decode(Int.self, forKey: .width)
        count = try container.decode(Int.self, forKey: .count)
        sum = try container.decode(Int.self, forKey: .sum)
        least = try container.decodeIfPresent(Int.self, forKey: .least)
        most = try container.decodeIfPresent(Int.self, forKey: .most)
        let pairs = try container.decode([Int].self, forKey: .bins)
        guard pairs.count.isMultiple(of: 2), width > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .bins, in: container, debugDescription: "no pairs of a bin and a count")
        }
        for place in stride(from: 0, to: pairs.count, by: 2) { bins[pairs[place]] = pairs[place + 1] }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(width, forKey: .width)
        try container.encode(count, forKey: .count)
        try container.encode(sum, forKey: .sum)
        try container.encodeIfPresent(least, forKey: .least)
        try container.encodeIfPresent(most, forKey: .most)
        try container.encode(bins.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }, forKey: .bins)
    }
}
