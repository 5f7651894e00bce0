/// A key, by its meaning.
package enum Key: Hashable, Sendable {
    case character(Character)
    case enter, escape, tab, backTab, backspace
    case up, down, left, right, pageUp, pageDown, home, end
    /// Ctrl-L, which draws everything again.
    case redraw

    /// Returns the key of a control character or of a plain character; nil if the character has no meaning
    /// here.
    init?(scalar: UInt32) {
        switch scalar {
        case 0x09: self = .tab
        case 0x0A, 0x0D: self = .enter
        case 0x08, 0x7F: self = .backspace
        case 0x0C: self = .redraw
        case 0x1B: self = .escape
        case 0..<0x20: return nil
        default:
            guard let scalar = Unicode.Scalar(scalar) else { return nil }
            self = .character(Character(scalar))
        }
    }
}

/// An event from the screen.
package enum ScreenEvent: Hashable, Sendable {
    case key(Key)
    case pressed(column: Int, row: Int)
    case scrolled(up: Bool, column: Int, row: Int)
    case resized(Size)
    /// The last event: a signal such as SIGINT or SIGTERM has arrived, and the terminal is already restored.
    case ended(signal: Int32)
}
