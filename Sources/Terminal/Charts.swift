/// Draws digits and capital letters that are five pixels high and wide, so that people can read them across a
/// room.
package enum LargeLetters {
    /// The size of a letter in pixels. A pixel is half a cell high, or a whole cell in ASCII.
    package static let width = 5
    package static let height = 5

    /// Returns the number of columns of `text`, with a gap of `spacing` columns between letters.
    package static func columns(of text: String, spacing: Int = 1) -> Int {
        text.isEmpty ? 0 : text.count * (width + spacing) - spacing
    }

    package static func rows(plain: Bool) -> Int { plain ? height : (height + 1) / 2 }

    /// Returns lines of equal width, from the top. Characters other than digits and Latin letters become
    /// gaps.
    package static func lines(_ text: String, plain: Bool, spacing: Int = 1) -> [String] {
        let letters = text.uppercased().map { pixels[$0] ?? [0, 0, 0, 0, 0] }
        func isInk(_ letter: [UInt8], _ x: Int, _ y: Int) -> Bool {
            y < height && letter[y] >> UInt8(width - 1 - x) & 1 == 1
        }
        return stride(from: 0, to: height, by: plain ? 1 : 2).map { y in
            letters.map { letter in
                String(
                    (0..<width).map { x -> Character in
                        if plain { return isInk(letter, x, y) ? "#" : " " }
                        switch (isInk(letter, x, y), isInk(letter, x, y + 1)) {
                        case (true, true): return "█"
                        case (true, false): return "▀"
                        case (false, true): return "▄"
                        case (false, false): return " "
                        }
                    })
            }.joined(separator: String(repeating: " ", count: spacing))
        }
    }

    /// The pixels of each character: five rows from the top. The lowest five bits of a row are its pixels;
    /// the highest of them is the left pixel.
    private static let pixels: [Character: [UInt8]] = [
        "0": [0b01110, 0b10011, 0b10101, 0b11001, 0b01110],
        "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b01110],
        "2": [0b11110, 0b00001, 0b01110, 0b10000, 0b11111],
        "3": [0b11110, 0b00001, 0b01110, 0b00001, 0b11110],
        "4": [0b10010, 0b10010, 0b11111, 0b00010, 0b00010],
        "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b11110],
        "6": [0b01110, 0b10000, 0b11110, 0b10001, 0b01110],
        "7": [0b11111, 0b00001, 0b00010, 0b00100, 0b00100],
        "8": [0b01110, 0b10001, 0b01110, 0b10001, 0b01110],
        "9": [0b01110, 0b10001, 0b01111, 0b00001, 0b01110],
        "A": [0b01110, 0b10001, 0b11111, 0b10001, 0b10001],
        "B": [0b11110, 0b10001, 0b11110, 0b10001, 0b11110],
        "C": [0b01111, 0b10000, 0b10000, 0b10000, 0b01111],
        "D": [0b11110, 0b10001, 0b10001, 0b10001, 0b11110],
        "E": [0b11111, 0b10000, 0b11110, 0b10000, 0b11111],
        "F": [0b11111, 0b10000, 0b11110, 0b10000, 0b10000],
        "G": [0b01111, 0b10000, 0b10011, 0b10001, 0b01111],
        "H": [0b10001, 0b10001, 0b11111, 0b10001, 0b10001],
        "I": [0b01110, 0b00100, 0b00100, 0b00100, 0b01110],
        "J": [0b00111, 0b00010, 0b00010, 0b10010, 0b01100],
        "K": [0b10010, 0b10100, 0b11000, 0b10100, 0b10010],
        "L": [0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
        "M": [0b10001, 0b11011, 0b10101, 0b10001, 0b10001],
        "N": [0b10001, 0b11001, 0b10101, 0b10011, 0b10001],
        "O": [0b01110, 0b10001, 0b10001, 0b10001, 0b01110],
        "P": [0b11110, 0b10001, 0b11110, 0b10000, 0b10000],
        "Q": [0b01110, 0b10001, 0b10101, 0b10010, 0b01101],
        "R": [0b11110, 0b10001, 0b11110, 0b10010, 0b10001],
        "S": [0b01111, 0b10000, 0b01110, 0b00001, 0b11110],
        "T": [0b11111, 0b00100, 0b00100, 0b00100, 0b00100],
        "U": [0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        "V": [0b10001, 0b10001, 0b10001, 0b01010, 0b00100],
        "W": [0b10001, 0b10001, 0b10101, 0b11011, 0b10001],
        "X": [0b10001, 0b01010, 0b00100, 0b01010, 0b10001],
        "Y": [0b10001, 0b01010, 0b00100, 0b00100, 0b00100],
        "Z": [0b11111, 0b00010, 0b00100, 0b01000, 0b11111],
    ]
}

/// Draws horizontal bars with a precision of an eighth of a cell.
package enum Bars {
    /// Returns a bar. Only a whole share fills the width, and a share above zero is always visible.
    /// - Parameters:
    ///   - share: the length of the bar as a share of `width`, 0–1.
    ///   - plain: whether to draw `#` instead of blocks.
    package static func bar(_ share: Double, width: Int, plain: Bool) -> String {
        if plain { return String(repeating: "#", count: steps(share, of: width)) }
        let eighths = steps(share, of: width * 8)
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + partial
    }

    private static func steps(_ share: Double, of all: Int) -> Int {
        guard share > 0, all > 0 else { return 0 }
        guard share < 1 else { return all }
        return max(1, min(all - 1, Int((share * Double(all)).rounded())))
    }
}

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
