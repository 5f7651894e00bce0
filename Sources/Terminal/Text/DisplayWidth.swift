/// Measures how many columns of a terminal a text takes. Korean, Chinese and Japanese characters and most
/// pictographs take two columns; combining marks take none (UAX #11).
package enum DisplayWidth {
    package static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    /// Returns the text with spaces at its end, so that it is at least `width` columns wide.
    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - of(text)))
    }

    /// Returns the text cut to at most `width` columns, with `…` at its end if something is missing.
    package static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        var cut = ""
        var used = 0
        for character in text {
            let next = of(character)
            if used + next > width - 1 { break }
            cut.append(character)
            used += next
        }
        return cut + "…"
    }

    package static func of(_ character: Character) -> Int {
        // Handle ASCII first, because most characters are ASCII and the screen calls this function for every
        // cell.
        if let ascii = character.asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
        guard let first = character.unicodeScalars.first else { return 0 }
        // A terminal draws a joined sequence, or a sequence that ends with the emoji selector, as one
        // picture.
        if character.unicodeScalars.dropFirst().contains(where: { $0.value == 0xFE0F || $0.value == 0x200D })
        {
            return 2
        }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        return first.properties.isEmojiPresentation || isWide(first.value) ? 2 : 1
    }

    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
