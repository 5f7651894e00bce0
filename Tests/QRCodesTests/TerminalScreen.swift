@testable import QRCodes

/// The pixels that a terminal shows, computed only from the text that the terminal receives.
struct TerminalScreen {
    /// The rows of pixels; true means light. A line of half blocks has two rows of pixels, a line of ASCII
    /// has one row.
    private var pixels: [[Bool]] = []
    private(set) var columns = 0
    private(set) var rows = 0

    struct Unreadable: Error { let what: String }

    func isLight(_ x: Int, _ y: Int) -> Bool { pixels[y][x] }

    init(_ text: String, style: TerminalStyle) throws {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            rows += 1
            let (cells, inkIsLight) = try Self.cells(of: line, style: style)
            guard rows == 1 || cells.count == columns else {
                throw Unreadable(what: "lines of unequal length")
            }
            columns = cells.count
            switch style {
            case .colour, .halfBlocks:
                pixels.append(try cells.map { try Self.ink($0).upper == inkIsLight })
                pixels.append(try cells.map { try Self.ink($0).lower == inkIsLight })
            case .ascii:
                // A terminal cell is twice as high as wide, so two cells side by side are one pixel.
                pixels.append(
                    stride(from: 0, to: cells.count, by: 2).map { (cells[$0] == "#") == inkIsLight })
            }
        }
    }

    private static func cells(of line: Substring, style: TerminalStyle) throws -> (
        cells: [Character], inkIsLight: Bool
    ) {
        switch style {
        case .halfBlocks(on: let ground), .ascii(on: let ground): return (Array(line), ground == .dark)
        case .colour:
            let (white, black) = ("\u{1B}[38;5;16;48;5;231m", "\u{1B}[38;5;231;48;5;16m")
            let reset = "\u{1B}[0m"
            guard line.hasPrefix(white), line.hasSuffix(reset) else {
                throw Unreadable(what: "a line without its colours")
            }
            // White ink on black is the other character of black ink on white.
            let inverse: [Character: Character] = [" ": "█", "▀": "▄", "▄": "▀"]
            var cells: [Character] = []
            for part in line.dropFirst(white.count).dropLast(reset.count).split(
                separator: white, omittingEmptySubsequences: false)
            {
                let halves = part.split(separator: black, maxSplits: 1, omittingEmptySubsequences: false)
                cells += halves[0]
                if halves.count == 2 { cells += halves[1].map { inverse[$0] ?? $0 } }
            }
            return (cells, false)
        }
    }

    private static func ink(_ cell: Character) throws -> (upper: Bool, lower: Bool) {
        switch cell {
        case " ": (false, false)
        case "▀": (true, false)
        case "▄": (false, true)
        case "█": (true, true)
        default: throw Unreadable(what: "an unexpected character")
        }
    }

    /// Returns a portable graymap (netpbm P5) with `scale` × `scale` pixels for each pixel of the screen.
    func graymap(pixels scale: Int) -> [UInt8] {
        let width = (pixels.first?.count ?? 0) * scale
        var file = Array("P5\n\(width) \(pixels.count * scale)\n255\n".utf8)
        for row in pixels {
            let line = row.flatMap { [UInt8](repeating: $0 ? 255 : 0, count: scale) }
            for _ in 0..<scale { file += line }
        }
        return file
    }
}
