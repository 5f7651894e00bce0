/// A key of the keyboard, by what it means.
package enum Key: Hashable, Sendable {
    case character(Character)
    case enter, escape, tab, backTab, backspace
    case up, down, left, right, pageUp, pageDown, home, end
    /// Ctrl-L: everything is drawn again.
    case redraw

    /// What a control character or a plain one means; nil for those that mean nothing here.
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

/// What a screen tells.
package enum ScreenEvent: Hashable, Sendable {
    case key(Key)
    case pressed(column: Int, row: Int)
    case scrolled(up: Bool, column: Int, row: Int)
    case resized(Size)
    /// The last one: a signal such as SIGINT or SIGTERM came, and the terminal is given back already.
    case ended(signal: Int32)
}
