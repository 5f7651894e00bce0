/// Horizontal bars in eighths of a cell.
package enum Bars {
    /// - Parameters:
    ///   - share: 0–1 of `width` cells.
    ///   - plain: `#` instead of blocks.
    package static func bar(_ share: Double, width: Int, plain: Bool) -> String {
        let share = min(max(share, 0), 1)
        if plain { return String(repeating: "#", count: Int((share * Double(width)).rounded())) }
        let eighths = Int((share * Double(width) * 8).rounded())
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + partial
    }
}
