import Foundation

/// A number in steps of a power of ten, kept as a whole number, so that sums and counts of numbers are exact.
package enum Amount {
    /// What answers, bounds and rules may be, both ends included.
    package static let bounds: ClosedRange<Double> = -1_000_000_000...1_000_000_000
    package static let mostDecimals = 4
    /// The largest number in the smallest steps. A sum of `QuestionSet.mostResponses` of them is below 2⁶³.
    package static let mostSteps = Int(bounds.upperBound) * scale(mostDecimals)

    /// How many steps make one.
    package static func scale(_ decimals: Int) -> Int {
        [1, 10, 100, 1000, 10_000][min(max(decimals, 0), mostDecimals)]
    }

    /// Nil where `number` is out of bounds or has more decimals. 0.1 + 0.2 is 0.3 here.
    package static func steps(_ number: Double, decimals: Int) -> Int? {
        guard bounds.contains(number) else { return nil }
        let scaled = number * Double(scale(decimals))
        let whole = scaled.rounded()
        // A double has some 15 digits: beside a number this large, a step's thousandth is the least that can
        // be told.
        guard abs(scaled - whole) <= 0.001 else { return nil }
        return Int(whole)
    }

    package static func number(_ steps: Int, decimals: Int) -> Double {
        Double(steps) / Double(scale(decimals))
    }

    /// As people write it: no exponent, no trailing zeros.
    package static func text(_ number: Double) -> String {
        if let whole = Int(exactly: number) { return String(whole) }
        var text = String(format: "%.4f", number)
        while text.hasSuffix("0") { text.removeLast() }
        return text
    }
}
