/// What a terminal can show, from best to poorest.
package enum TerminalStyle: Equatable, Sendable {
    /// The colours of the terminal itself, which only its owner knows: without colour codes, ink is what the
    /// text is drawn in.
    package enum Ground: Equatable, Sendable {
        /// Light text on a dark ground, as most terminals have it: ink draws the *light* modules.
        case dark
        /// Dark text on a light ground, or paper: ink draws the dark modules.
        case light
    }

    /// Half blocks, two modules a cell, in black on white by colour codes: right on every theme. The default
    /// on a terminal.
    case colour
    /// Half blocks without colour codes (`NO_COLOR`, `TERM=dumb`). A code must be dark on light, which some
    /// readers insist on (zbar does, as delivered), so that the ink depends on the ground. Where nothing is
    /// known of it, assume `.dark`.
    case halfBlocks(on: Ground)
    /// `##` and two spaces, for output that is not UTF-8; the ink depends on the ground as above. Twice as
    /// large in both directions, and `#` covers a cell badly: offer the URL or the join code beside it.
    case ascii(on: Ground)
}

extension QRCode {
    /// The cells that a drawing for the terminal takes at most: what is left of 80×24 with a line for the
    /// prompt, and room for text beside it. A version 5 code takes exactly these.
    package static let terminalLimit = (columns: 45, rows: 23)

    /// A code for check-in URLs on a terminal, at most 45×23 cells in half blocks: with medium error
    /// correction where that fits, else with low. The limits are those of version 5 (37 modules): with medium
    /// 122 alphanumeric characters or 84 bytes, with low 154 or 106. `HTTP://192.168.178.101:8080/C/` and a
    /// code of 48 characters has 78 and takes version 4.
    ///
    /// - Throws: `tooLong` past the limits of low: draw it with `encode` then, and say that it needs a large
    ///   window.
    package static func encodeForTerminal(_ text: String) throws(QRCodeError) -> QRCode {
        let alphanumeric = isAlphanumeric(text)
        let limit = alphanumeric ? 154 : 106
        guard text.utf8.count <= limit else { throw .tooLong(length: text.utf8.count, limit: limit) }
        let fitsMedium = text.utf8.count <= (alphanumeric ? 122 : 84)
        return try encode(text, errorCorrection: fitsMedium ? .medium : .low)
    }

    /// Columns and rows that `terminalText` takes in this style.
    package func terminalSize(_ style: TerminalStyle) -> (columns: Int, rows: Int) {
        let side = sizeWithQuietZone
        return switch style {
        case .colour, .halfBlocks: (side, (side + 1) / 2)
        case .ascii: (2 * side, side)
        }
    }

    /// The code with its quiet zone as lines of text, each ended by `\n`. In `.colour` every line sets its
    /// colours and resets them at its end, so that nothing runs on to the rest of the row; the cursor is
    /// never moved.
    package func terminalText(_ style: TerminalStyle = .colour) -> String {
        switch style {
        case .colour:
            // Colours 16 and 231 are the corners of the 256-colour cube; themes change the first 16 colours
            // only.
            return halfBlocks(inkIsDark: true, before: "\u{1B}[38;5;16;48;5;231m", after: "\u{1B}[0m")
        case .halfBlocks(on: let ground):
            return halfBlocks(inkIsDark: ground == .light, before: "", after: "")
        case .ascii(on: let ground):
            return lines(step: 1) { x, y in isDark(x, y) == (ground == .light) ? "##" : "  " }
        }
    }

    private func halfBlocks(inkIsDark: Bool, before: String, after: String) -> String {
        lines(step: 2, before: before, after: after) { x, y in
            let upper = isDark(x, y) == inkIsDark
            // The side is always odd: the lower half of the last line lies below the drawing, and gets no
            // ink.
            let lower = y + 1 < size + Self.quietZone && isDark(x, y + 1) == inkIsDark
            return upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
        }
    }

    private func lines(step: Int, before: String = "", after: String = "", cell: (Int, Int) -> String)
        -> String
    {
        let span = -Self.quietZone..<size + Self.quietZone
        var text = ""
        for y in stride(from: span.lowerBound, to: span.upperBound, by: step) {
            text += before
            for x in span { text += cell(x, y) }
            text += after + "\n"
        }
        return text
    }
}
