/// The distribution of the answers to a number question: the number of answers in each bin. Its size does not
/// grow with the number of answers.
///
/// While there are few different numbers, each bin is one unit wide, and all results are exact. If there are
/// more than `mostBins` bins, all bins become wider, twofold and fivefold in turn (1, 2, 10, 20, 100 …
/// units). Therefore the same answers make the same bins in any order. With wider bins, the count, the sum
/// and the average stay exact, and quartiles are wrong by less than the width of a bin.
package struct NumberCounts: Hashable, Sendable {
    /// The width of a bin, in units (`Amount`).
    package private(set) var width = 1
    /// The number of answers in each bin that has answers. Bin `bin` contains the numbers from `bin * width`
    /// up to, but not including, `(bin + 1) * width`, in units.
    package private(set) var bins: [Int: Int] = [:]
    /// The number of answers.
    package private(set) var count = 0
    /// The sum of all answers, in units. The sum is exact for at least `QuestionSet.mostResponses` answers.
    /// If a larger sum overflows, it becomes the nearest integer instead of stopping the program.
    package private(set) var sum = 0
    /// The smallest answer, in units; nil without answers. If the smallest answer was removed while bins are
    /// wide, this is the lower end of the smallest bin. The same applies to `most`, the largest answer.
    package private(set) var least: Int?
    package private(set) var most: Int?

    /// The largest number of bins.
    package static let mostBins = 200

    package init() {}

    /// Adds one answer to the counts.
    /// - Parameter units: the answer, within ±`Amount.mostUnits`, as every checked answer is. A value outside
    ///   of these bounds counts as the nearest bound.
    package mutating func add(_ units: Int) {
        let units = Self.bounded(units)
        count += 1
        sum = sum.addingWithinRange(units)
        least = min(least ?? units, units)
        most = max(most ?? units, units)
        bins[bin(of: units), default: 0] += 1
        coarsen()
    }

    /// Removes one answer that was added before. Does nothing if the answer's bin is empty.
    package mutating func remove(_ units: Int) {
        let units = Self.bounded(units)
        let bin = bin(of: units)
        guard let found = bins[bin] else { return }
        count -= 1
        sum = sum.addingWithinRange(-units)
        bins[bin] = found == 1 ? nil : found - 1
        guard count > 0, let first = bins.keys.min(), let last = bins.keys.max() else {
            // If there are no answers, start again with bins of one unit.
            self = NumberCounts()
            return
        }
        least = max(least ?? units, first * width)
        most = min(most ?? units, last * width + width - 1)
    }

    /// Adds all answers that `other` counts.
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

    private static func bounded(_ units: Int) -> Int { min(max(units, -Amount.mostUnits), Amount.mostUnits) }

    private func bin(of units: Int) -> Int { Self.floor(units, width) }

    private mutating func coarsen() { while bins.count > Self.mostBins { widen() } }

    private mutating func widen() {
        // The width is 1, 2, 10, 20, 100 …, so it begins with the digit 1 or 2.
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

    /// Returns whether both values count the same answers, as far as the wider of the two bin widths can
    /// show. Removing answers does not make bins narrower, so the widths can differ.
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
    /// Returns the sum, or the nearest integer that an `Int` can hold.
    fileprivate func addingWithinRange(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}

// MARK: Quartiles and bars

extension NumberCounts {
    /// Returns the quantile of `part` (0…1), in units. Between two answers, the function interpolates as
    /// spreadsheets do (`PERCENTILE.INC`). Returns nil without answers.
    package func quantile(_ part: Double) -> Double? {
        guard count > 0, let least, let most else { return nil }
        let rank = part * Double(count - 1)
        let below = Int(rank)
        let sorted = bins.sorted { $0.key < $1.key }
        let low = value(at: below, sorted)
        let high = below + 1 < count ? value(at: below + 1, sorted) : low
        let found = low + (high - low) * (rank - Double(below))
        return min(max(found, Double(least)), Double(most))
    }

    /// Returns the answer with this index in sorted order, counted from 0. The function assumes that the
    /// answers in a wide bin are spread evenly over the bin.
    private func value(at rank: Int, _ sorted: [(key: Int, value: Int)]) -> Double {
        var passed = 0
        for (bin, count) in sorted {
            if rank < passed + count {
                guard width > 1 else { return Double(bin) }
                return Double(bin * width) + (Double(rank - passed) + 0.5) / Double(count) * Double(width)
            }
            passed += count
        }
        return Double(most ?? 0)
    }

    /// The standard deviation of all answers, in units (of the population, as `STDEV.P` in spreadsheets); nil
    /// without answers. With wide bins, it is wrong by less than the width of a bin.
    package var deviation: Double? {
        guard count > 0 else { return nil }
        let half = Double(width - 1) / 2
        let mean = width == 1 ? Double(sum) / Double(count) : meanOfBins + half
        let squares = bins.reduce(0.0) { squares, bin in
            let distance = Double(bin.key * width) + half - mean
            return squares + distance * distance * Double(bin.value)
        }
        return (squares / Double(count)).squareRoot()
    }

    private var meanOfBins: Double {
        bins.reduce(0.0) { $0 + Double($1.key * width) * Double($1.value) } / Double(count)
    }

    /// The most frequent answers in units, in ascending order (`Mode`). Empty if bins are wide, because the
    /// frequency of a single number is then unknown.
    package var mode: [Int] { width == 1 ? Mode.of(bins.map { ($0.key, $0.value) }).sorted() : [] }

    /// One bar of the histogram.
    package struct Bar: Hashable, Sendable {
        /// The lower end of the bar, in units. The bar contains the numbers from `from` up to, but not
        /// including, `to`.
        package let from: Int
        package let to: Int
        package let count: Int
    }

    /// The largest number of bars.
    package static let mostBars = 12

    /// The bars of the histogram: at most `mostBars` bars of equal width. The width begins with the digit 1,
    /// 2 or 5. Empty bars between other bars are included.
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

    /// Returns the next larger width of bars: 1, 2, 5, 10, 20, 50, …
    private static func nextRound(_ width: Int) -> Int {
        var head = width
        while head >= 10 { head /= 10 }
        return head == 2 ? width / 2 * 5 : width * 2
    }
}

/// The JSON form: `{"width": 1, "count": 9, "sum": 42, "least": 1, "most": 12, "bins": [1, 2, 3, 4, …]}`.
/// `bins` is sorted, and lists each bin followed by its count. The list is flat because the server reads it
/// for every response.
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
        for index in stride(from: 0, to: pairs.count, by: 2) { bins[pairs[index]] = pairs[index + 1] }
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

/// The rule for the most frequent answers to a question.
package enum Mode {
    /// The most answers that can share the highest frequency. If more do, none of them stands out.
    package static let most = 10

    /// Returns the answers with the highest count, in their order. Returns none if there are more than `most`
    /// of them, or if several answers were given once each.
    package static func of<Value>(_ counts: [(value: Value, count: Int)]) -> [Value] {
        let given = counts.filter { $0.count > 0 }
        // A generic function would make a key path such as `\.count` anew in each call.
        guard let highest = given.map({ $0.count }).max(), highest > 1 || given.count == 1 else { return [] }
        let found = given.filter { $0.count == highest }.map { $0.value }
        return found.count <= most ? found : []
    }
}

/// Converts decimal numbers to whole numbers of units. A unit is a power of ten (1, 0.1, … 0.0001), so that
/// sums and counts are exact.
package enum Amount {
    /// The allowed range of answers, bounds and rule values; both ends are included.
    package static let bounds: ClosedRange<Double> = -1_000_000_000...1_000_000_000
    /// The largest number of digits after the decimal point.
    package static let mostDecimals = 4
    /// The largest number, in the smallest units. A sum of `QuestionSet.mostResponses` such numbers is below
    /// 2⁶³.
    package static let mostUnits = Int(bounds.upperBound) * scale(mostDecimals)

    /// Returns how many units make 1, for units with this number of decimals.
    package static func scale(_ decimals: Int) -> Int {
        [1, 10, 100, 1000, 10_000][min(max(decimals, 0), mostDecimals)]
    }

    /// Returns `number` in units with this number of decimals. Returns nil if the number is out of `bounds`
    /// or has more decimals. A rounding error of the double does not matter: 0.1 + 0.2 is 0.3 here.
    package static func units(_ number: Double, decimals: Int) -> Int? {
        guard bounds.contains(number) else { return nil }
        let scaled = number * Double(scale(decimals))
        let whole = scaled.rounded()
        // A double has about 15 significant digits. Near the largest allowed number, the smallest difference
        // that a double can represent is about a thousandth of a unit.
        guard abs(scaled - whole) <= 0.001 else { return nil }
        return Int(whole)
    }

    /// Converts a whole number of units to a decimal number.
    package static func number(_ units: Int, decimals: Int) -> Double {
        Double(units) / Double(scale(decimals))
    }

    /// Returns the number as people write it: without an exponent and without zeros at the end.
    package static func text(_ number: Double) -> String {
        if let whole = Int(exactly: number) { return String(whole) }
        // Numbers have at most four decimals (`scale`), so that each is a whole number of these units.
        let units = (number * 10_000).rounded(.toNearestOrEven)
        guard abs(units) < 1e15 else { return "\(number)" }
        let digits = String(Int(abs(units)))
        let padded = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
        var text = (units < 0 ? "-" : "") + padded.dropLast(4) + "." + padded.suffix(4)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
