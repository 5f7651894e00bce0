/// Draws horizontal bars with a precision of an eighth of a cell.
package enum Bars {
    /// Returns a bar.
    /// - Parameters:
    ///   - share: the length of the bar as a share of `width`, 0–1.
    ///   - plain: whether to draw `#` instead of blocks.
    package static func bar(_ share: Double, width: Int, plain: Bool) -> String {
        let share = min(max(share, 0), 1)
        if plain { return String(repeating: "#", count: Int((share * Double(width)).rounded())) }
        let eighths = Int((share * Double(width) * 8).rounded())
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + partial
    }
}
