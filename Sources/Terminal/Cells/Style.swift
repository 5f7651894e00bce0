/// A colour by what a theme makes of it, but for `pureBlack` and `pureWhite`, which no theme changes where
/// there are 256.
package enum Colour: UInt8, Hashable, Sendable, CaseIterable {
    case red, green, yellow, blue, magenta, cyan, grey, faint, bright, bar, pureBlack, pureWhite

    /// Among 256 colours, or among the first 8.
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

/// How a cell is drawn. Nil is the terminal's own colour.
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
