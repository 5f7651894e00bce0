import Foundation
import Meetings
import Phrases
import Terminal
import Testing
import Wire

@testable import Dashboard

/// Computes the contrast of every cell of the screens (WCAG 2.2) on terminals with different themes.
struct ContrastTests {
    /// A terminal's theme: the colours of its ground and text, and its first eight colours, each as RGB.
    struct Theme: Sendable, CustomTestStringConvertible {
        let name: String
        let ground: Int
        let text: Int
        let basic: [Int]
        var testDescription: String { name }
    }

    private static let xterm = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    ]
    private static let solarized = [
        0x073642, 0xDC322F, 0x859900, 0xB58900, 0x268BD2, 0xD33682, 0x2AA198, 0xEEE8D5,
    ]
    static let themes = [
        Theme(name: "black", ground: 0x000000, text: 0xE5E5E5, basic: xterm),
        Theme(name: "white", ground: 0xFFFFFF, text: 0x000000, basic: xterm),
        Theme(name: "Solarized dark", ground: 0x002B36, text: 0x839496, basic: solarized),
        Theme(name: "Solarized light", ground: 0xFDF6E3, text: 0x657B83, basic: solarized),
    ]
    private static let sizes = [(40, 12), (80, 24), (100, 30), (120, 40), (200, 60)]

    @Test(arguments: ContrastTests.themes, [8, 256])
    func `every cell can be read on dark and on light themes`(
        theme: Theme, colours: Int
    ) {
        // The theme's own text is the best that the screen can reach: Solarized has 4.1 and 4.8.
        let own = Self.contrast(theme.text, theme.ground)
        var scene = Scene.usual()
        scene.listen(.english)
        for (columns, rows) in Self.sizes {
            for keys in ["", "2", "3", "4", "5", "c", "2?", "/kim", ":la", "w", "2*m"] {
                var dashboard = scene.dashboard(columns, rows)
                _ = dashboard.take(.journal(scene.body.id, scene.events, upTo: 20))
                dashboard.press(keys)
                let grid = DashboardLayout(dashboard, .inSeoul(.english)).grid
                for row in 0..<rows {
                    for column in 0..<columns {
                        let cell = grid[column, row]
                        guard let character = cell.character, character != " " else { continue }
                        let look = CellLook(cell.style, of: character, colours: colours)
                        // A light module of the code has a light ground, which closes gaps below its block.
                        if character == "█", look.ground != nil, look.ink == look.ground { continue }
                        var ink = look.ink.map { Self.rgb($0, theme, colours) } ?? theme.text
                        var ground = look.ground.map { Self.rgb($0, theme, colours) } ?? theme.ground
                        if look.isReversed { swap(&ink, &ground) }
                        // With eight colours, a bar has the theme's colour, and its figures are beside it.
                        if colours == 8, look.ink != nil, look.ground == nil { continue }
                        #expect(!look.isDim)
                        let contrast = Self.contrast(ink, ground)
                        #expect(
                            contrast >= min(3, own),
                            "\(character) at \(column),\(row) of \(columns)×\(rows), key \(keys): \(contrast)"
                        )
                    }
                }
            }
        }
    }

    @Test func `with eight colours, bold letters tell late from present`() {
        let (late, present) = (
            Look.inSeoul(.english).colour(of: .late), Look.inSeoul(.english).colour(of: .present)
        )
        #expect(CellLook(Style(late), of: "l", colours: 8).isBold)
        #expect(!CellLook(Style(present), of: "p", colours: 8).isBold)
        #expect(!CellLook(Style(late), of: "l", colours: 256).isBold)
    }

    @Test func `no text has a colour on a terminal with eight colours`() {
        for colour in Colour.allCases {
            let look = CellLook(Style(colour), of: "a", colours: 8)
            #expect(look.ink == nil && look.ground == nil)
            #expect(CellLook(Style(colour), of: "█", colours: 8).ink != nil)
        }
    }

    /// Returns the colour with this number of a terminal with 8 or 256 colours (xterm's cube and greys).
    private static func rgb(_ number: Int32, _ theme: Theme, _ colours: Int) -> Int {
        let number = Int(number)
        if number < 8 { return theme.basic[number] }
        if number >= 232 { return (8 + 10 * (number - 232)) * 0x010101 }
        let levels = [0, 95, 135, 175, 215, 255]
        let index = number - 16
        return levels[index / 36] << 16 | levels[index / 6 % 6] << 8 | levels[index % 6]
    }

    private static func contrast(_ one: Int, _ other: Int) -> Double {
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// Returns the relative luminance of a colour (WCAG 2.2).
    private static func luminance(_ rgb: Int) -> Double {
        func linear(_ part: Int) -> Double {
            let value = Double(part) / 255
            return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255)
    }
}
