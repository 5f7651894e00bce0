import Foundation
import Terminal
import Testing

struct PaintTests {
    /// The contrast of two colours of a terminal with 256 colours (WCAG 2.2, relative luminance).
    private func contrast(_ one: Int32, _ other: Int32) -> Double {
        func luminance(_ number: Int32) -> Double {
            let levels: [Int32] = [0, 95, 135, 175, 215, 255]
            let rgb: [Int32] =
                number >= 232
                ? [Int32](repeating: 8 + 10 * (number - 232), count: 3)
                : [
                    levels[Int(number - 16) / 36], levels[Int(number - 16) / 6 % 6],
                    levels[Int(number - 16) % 6],
                ]
            let linear = rgb.map { value in
                let part = Double(value) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        }
        let (light, dark) = (max(luminance(one), luminance(other)), min(luminance(one), luminance(other)))
        return (light + 0.05) / (dark + 0.05)
    }

    static let text: [Colour] = [.red, .green, .yellow, .blue, .magenta, .cyan, .grey, .faint]
    private static let (black, white): (Int32, Int32) = (16, 231)

    @Test(arguments: PaintTests.text)
    func `every colour of a theme can be read on the theme's ground`(colour: Colour) throws {
        let dark = try #require(Theme.dark.number(of: colour))
        #expect(contrast(dark, Self.black) >= 4.5)
        let light = try #require(Theme.light.number(of: colour))
        #expect(contrast(light, Self.white) >= 4.5)
        let standard = try #require(Theme.standard.number(of: colour))
        #expect(contrast(standard, Self.black) >= 3 && contrast(standard, Self.white) >= 3)
        #expect(Theme.contrast.number(of: colour) == nil)
        #expect(try #require(Theme.terminal.number(of: colour)) < 16)
    }

    @Test func `roles look as the theme and the terminal allow`() {
        func styled(_ role: Paint.Role, _ theme: Theme, _ colours: Int) -> String {
            Paint(isOn: true, theme: theme, colours: colours).styled("x", role)
        }
        #expect(styled(.good, .dark, 256) == "\u{1B}[38;5;114mx\u{1B}[0m")
        #expect(styled(.good, .dark, 8) == "x" && styled(.heading, .dark, 8) == "\u{1B}[1mx\u{1B}[0m")
        #expect(styled(.warning, .contrast, 256) == "\u{1B}[1mx\u{1B}[0m")
        #expect(styled(.id, .terminal, 8) == "\u{1B}[90mx\u{1B}[0m")
        #expect(Paint.none.styled("x", .bad) == "x")
    }

    @Test func `a table has the same widths with and without colours`() {
        var table = Table(["NAME", "STATUS", "ID"])
        table.add(["Kim 민지", "late", "01M7X9JCZD0KGT7Q6XKPEVTE5F"], [1: .warning])
        let paint = Paint(isOn: true, theme: .terminal, colours: 8)
        for width in [20, 40, 60, 100] {
            let painted = table.text(width: width, paint: paint)
            let bare = painted.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            #expect(bare == table.text(width: width), "\(width)")
            // A narrow table drops the status.
            #expect(painted.contains("\u{1B}[33mlate\u{1B}[0m") || width < 44)
            #expect(painted.contains("\u{1B}[90m01M7X9JCZD0KGT7Q6XKPEVTE5F\u{1B}[0m") || width < 26)
        }
    }
}
