/// Draws counts over time, one column for each count.
package enum Sparkline {
    private static let blocks = Array(" ▁▂▃▄▅▆▇█")
    private static let plainLevels = Array(" .:-=+*#@")

    /// Returns rows from the top, as wide as the number of counts. A count above zero is always visible.
    /// - Parameters:
    ///   - rows: the height of the largest count.
    ///   - plain: whether to draw shades in ASCII instead of blocks.
    package static func rows(_ counts: [Int], rows: Int, plain: Bool) -> [String] {
        guard rows > 0 else { return [] }
        let levels = plain ? plainLevels : blocks
        let most = max(1, counts.max() ?? 0)
        let steps = counts.map { count in
            count <= 0 ? 0 : max(1, Int((Double(count) / Double(most) * Double(rows * 8)).rounded()))
        }
        return (0..<rows).map { row in
            let below = (rows - 1 - row) * 8
            return String(steps.map { levels[min(8, max(0, $0 - below))] })
        }
    }
}
