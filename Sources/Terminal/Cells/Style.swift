/// A colour. The terminal's theme decides how a colour looks, except `pureBlack` and `pureWhite` on a
/// terminal with 256 colours.
package enum Colour: UInt8, Hashable, Sendable, CaseIterable {
    case red, green, yellow, blue, magenta, cyan, grey, faint, bright, bar, pureBlack, pureWhite

    /// Returns the colour's number on a terminal with 256 colours, or on a terminal with fewer colours (0–7).
    func number(of colours: Int) -> Int32 {
        let isRich = colours >= 256
        return switch self {
        case .red: isRich ? 167 : 1
        case .green: isRich ? 71 : 2
        case .yellow: isRich ? 179 : 3
        case .blue: isRich ? 68 : 4
        case .magenta: isRich ? 133 : 5
        case .cyan: isRich ? 73 : 6
        case .grey: isRich ? 245 : 7
        case .faint: isRich ? 242 : 7
        case .bright: isRich ? 255 : 7
        case .bar: isRich ? 24 : 4
        case .pureBlack: isRich ? 16 : 0
        case .pureWhite: isRich ? 231 : 7
        }
    }
}

/// The appearance of a cell. A nil colour means the terminal's default colour.
package struct Style: Hashable, Sendable {
    package var ink: Colour?
    package var ground: Colour?
    package var isBold = false
    package var isDim = false
    package var isReversed = false

    package init(
        _ ink: Colour? = nil, on ground: Colour? = nil, bold: Bool = false, dim: Bool = false,
        reversed: Bool = false
    ) {
        self.ink = ink
        self.ground = ground
        isBold = bold
        isDim = dim
        isReversed = reversed
    }

    package static let plain = Style()
}
