/// The style of a drawing for a terminal, from the best to the poorest.
package enum TerminalStyle: Equatable, Sendable {
    /// The background of the terminal, which only the user knows. In the styles without colour codes, the
    /// characters have the terminal's text colour.
    package enum Ground: Equatable, Sendable {
        /// Light text on a dark background, as in most terminals. Characters draw the *light* modules.
        case dark
        /// Dark text on a light background, or paper. Characters draw the dark modules.
        case light
    }

    /// Half blocks with two modules per cell, in black on white by colour codes. A cell whose halves are
    /// equal is a space with the background's colour, because the blocks of some fonts do not fill their
    /// cells. This style works with every theme and is the default on a terminal.
    case colour
    /// Half blocks without colour codes (`NO_COLOR`, `TERM=dumb`). A code must be dark on light, because some
    /// readers (such as zbar with its default settings) read no inverted codes. The drawn modules therefore
    /// depend on the background. If the background is unknown, use `.dark`.
    case halfBlocks(on: Ground)
    /// `##` and two spaces, for output that is not UTF-8. The drawn modules depend on the background. The
    /// drawing is twice as large in both directions, and `#` does not fill its cell, so the caller should
    /// also print the URL or the join code.
    case ascii(on: Ground)
}

extension QRCode {
    /// The largest size of a drawing for a terminal of 80×24 cells. One line is left for the prompt, and the
    /// remaining columns for text beside the code. A code of version 5 has exactly this size.
    package static let terminalLimit = (columns: 45, rows: 23)

    /// Returns a code for a check-in URL on a terminal, with at most 45×23 cells in half blocks. The error
    /// correction is medium if the code fits, otherwise low. The limits are those of version 5 (37 modules):
    /// 122 alphanumeric characters or 84 bytes with medium, and 154 or 106 with low. For example,
    /// `HTTP://192.168.178.101:8080/C/` with a code of 48 characters has 78 characters and needs version 4.
    ///
    /// - Throws: `tooLong` if the text exceeds the limits of low. The caller can then use `encode`, and tell
    ///   the user that the code needs a large window.
    package static func encodeForTerminal(_ text: String) throws(QRCodeError) -> QRCode {
        let alphanumeric = isAlphanumeric(text)
        let limit = alphanumeric ? 154 : 106
        guard text.utf8.count <= limit else { throw .tooLong(length: text.utf8.count, limit: limit) }
        let fitsMedium = text.utf8.count <= (alphanumeric ? 122 : 84)
        return try encode(text, errorCorrection: fitsMedium ? .medium : .low)
    }

    /// Returns the number of columns and rows of `terminalText` in this style.
    package func terminalSize(_ style: TerminalStyle) -> (columns: Int, rows: Int) {
        let side = sizeWithQuietZone
        return switch style {
        case .colour, .halfBlocks: (side, (side + 1) / 2)
        case .ascii: (2 * side, side)
        }
    }

    /// Returns the code with its quiet zone as lines of text, which end with `\n`. In the style `.colour`,
    /// every line sets its colours and resets them at its end, so that the rest of the row has no colour. The
    /// text never moves the cursor.
    package func terminalText(_ style: TerminalStyle = .colour) -> String {
        switch style {
        case .colour:
            // The colours 16 and 231 are black and white in the palette of 256 colours. Themes change only
            // the first 16 colours.
            return coloured()
        case .halfBlocks(on: let ground):
            return halfBlocks(inkIsDark: ground == .light)
        case .ascii(on: let ground):
            return lines(step: 1) { x, y in isDark(x, y) == (ground == .light) ? "##" : "  " }
        }
    }

    /// Returns the rows with the colours of `.colour`. A row names its colours again only if they change.
    private func coloured() -> String {
        let span = -Self.quietZone..<size + Self.quietZone
        let (white, black) = ("\u{1B}[38;5;16;48;5;231m", "\u{1B}[38;5;231;48;5;16m")
        var text = ""
        for y in stride(from: span.lowerBound, to: span.upperBound, by: 2) {
            var wasBlack = false
            text += white
            for x in span {
                let (cell, isBlack) = cell(x, y)
                if isBlack != wasBlack { text += isBlack ? black : white }
                wasBlack = isBlack
                text.append(cell)
            }
            text += "\u{1B}[0m\n"
        }
        return text
    }

    /// Returns the character of two modules, and whether its ground is black. A block may not reach the edge
    /// of its cell. So of the two ways to draw different halves, this chooses the one whose edge has the
    /// colour of the module beyond it.
    private func cell(_ x: Int, _ y: Int) -> (Character, isBlack: Bool) {
        let (above, upper, lower, below) = (
            isDark(x, y - 1), isDark(x, y), isDark(x, y + 1), isDark(x, y + 2)
        )
        switch (upper, lower) {
        case (true, true): return (" ", true)
        case (false, false): return (" ", false)
        case (true, false): return above && below ? ("▄", true) : ("▀", false)
        case (false, true): return below && !above ? ("▀", true) : ("▄", false)
        }
    }

    private func halfBlocks(inkIsDark: Bool) -> String {
        lines(step: 2) { x, y in
            let upper = isDark(x, y) == inkIsDark
            // The number of rows is always odd, so the lower half of the last line is below the drawing and
            // stays empty.
            let lower = y + 1 < size + Self.quietZone && isDark(x, y + 1) == inkIsDark
            return upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
        }
    }

    private func lines(step: Int, cell: (Int, Int) -> String) -> String {
        let span = -Self.quietZone..<size + Self.quietZone
        var text = ""
        for y in stride(from: span.lowerBound, to: span.upperBound, by: step) {
            for x in span { text += cell(x, y) }
            text += "\n"
        }
        return text
    }
}
