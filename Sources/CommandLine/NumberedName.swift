/// A session as a user names it by its meeting: `NAME#ROUND`. The name can contain `#`.
package struct NumberedName {
    package let name: String
    package let round: Int

    /// Returns nil if no number follows the last `#`.
    package init?(_ text: String) {
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count > 1, let round = Int(parts[parts.count - 1]) else { return nil }
        name = parts.dropLast().joined(separator: "#")
        self.round = round
    }
}
