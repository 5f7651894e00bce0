import Terminal

/// Prose on lines that fit a terminal.
enum TextWrapping {
    /// Every line indented, the first too, and ended. A word that is wider than a line has one of its own.
    /// - Parameter width: columns; nil for one line.
    static func lines(_ text: String, indent: Int, width: Int?) -> String {
        let margin = String(repeating: " ", count: indent)
        // Too narrow for two columns: the terminal breaks the line itself.
        guard let width, width - indent >= 20 else { return margin + text + "\n" }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, indent + DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) > width {
                lines.append(line)
                line = String(word)
            } else {
                line += line.isEmpty ? String(word) : " \(word)"
            }
        }
        return (lines + [line]).map { margin + $0 + "\n" }.joined()
    }
}
