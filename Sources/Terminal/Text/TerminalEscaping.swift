/// Escapes text of other people before it goes to a terminal, so that it cannot move the cursor, change
/// colours or reverse the direction of the line.
package enum TerminalEscaping {
    /// Returns the text on one line. Control characters, line separators and direction marks become a space
    /// or are removed.
    package static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: safe.append(" ")
            case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: continue
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }
}
