/// The colours of the program's text. A user chooses one in the settings (`qring config set theme`).
package enum Theme: String, Hashable, Sendable, CaseIterable, Codable {
    /// Readable on dark and light grounds.
    case standard
    /// Brighter colours for a dark ground.
    case dark
    /// Darker colours for a light ground.
    case light
    /// The terminal's own foreground; bold letters instead of colours.
    case contrast
    /// The terminal's own 16 colours.
    case terminal

    /// The number of a text colour on a terminal with 256 colours; nil if the theme does not use it.
    package func number(of colour: Colour) -> Int32? {
        switch (self, colour) {
        case (.standard, _), (_, .bar), (_, .pureBlack), (_, .pureWhite): colour.number
        case (.contrast, _): nil
        case (.dark, .red): 203
        case (.dark, .green): 114
        case (.dark, .yellow): 221
        case (.dark, .blue): 75
        case (.dark, .magenta): 176
        case (.dark, .cyan): 80
        case (.dark, .grey), (.dark, .faint): 247
        case (.light, .red): 124
        case (.light, .green): 22
        case (.light, .yellow): 94
        case (.light, .blue): 25
        case (.light, .magenta): 90
        case (.light, .cyan): 23
        case (.light, .grey), (.light, .faint): 241
        case (.terminal, .red): 1
        case (.terminal, .green): 2
        case (.terminal, .yellow): 3
        case (.terminal, .blue): 4
        case (.terminal, .magenta): 5
        case (.terminal, .cyan): 6
        case (.terminal, .grey), (.terminal, .faint): 8
        }
    }
}

/// Puts colours and bold letters into plain text for a terminal (ECMA-48 §8.3.117, SGR).
package struct Paint: Hashable, Sendable {
    /// What a piece of text is. The theme decides how it looks.
    package enum Role: Hashable, Sendable {
        case heading, id, faint
        case good, warning, bad, notice
        /// The tokens of JSON.
        case key, text, number, flag, null
    }

    /// Writes no colours and no bold letters.
    package static let none = Paint(isOn: false, theme: .standard, colours: 0)

    private let isOn: Bool
    private let theme: Theme
    private let colours: Int

    /// - Parameter colours: the number of the terminal's colours. With fewer than 256, only the theme
    ///   `terminal` uses colours, because other themes cannot know how the terminal shows them.
    package init(isOn: Bool, theme: Theme, colours: Int) {
        self.isOn = isOn
        self.theme = theme
        self.colours = colours
    }

    /// Returns the text with the sequences that begin and end the role's look.
    package func styled(_ text: String, _ role: Role) -> String {
        guard let sequence = sequence(role), !text.isEmpty else { return text }
        return "\u{1B}[\(sequence)m\(text)\u{1B}[0m"
    }

    /// Appends encoded text with the sequences of the role.
    package func write(_ text: [UInt8], as role: Role, to out: inout [UInt8]) {
        guard let sequence = sequence(role) else {
            out += text
            return
        }
        out += Array("\u{1B}[\(sequence)m".utf8) + text + Array("\u{1B}[0m".utf8)
    }

    /// Returns the parameters of the role's sequence; nil if the role looks plain.
    private func sequence(_ role: Role) -> String? {
        guard isOn else { return nil }
        let (colour, isBold): (Colour?, Bool) =
            switch role {
            case .heading: (nil, true)
            case .id, .faint, .null: (.grey, false)
            case .good: (.green, false)
            case .warning: (.yellow, theme == .contrast)
            case .bad: (.red, theme == .contrast)
            case .notice: (.blue, false)
            case .key: (.blue, true)
            case .text: (.green, false)
            case .number: (.cyan, false)
            case .flag: (.yellow, false)
            }
        let parts = [isBold ? "1" : nil, colour.flatMap(parameter)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ";")
    }

    private func parameter(_ colour: Colour) -> String? {
        guard let number = theme.number(of: colour) else { return nil }
        if theme == .terminal { return number < 8 ? "3\(number)" : "9\(number - 8)" }
        return colours >= 256 ? "38;5;\(number)" : nil
    }
}
