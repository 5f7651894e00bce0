internal import Phrases
internal import QRCodes
internal import RecordText
internal import Terminal
internal import Wire

/// Draws the QR code with the join code below it in large letters. If there is no room for large letters, the
/// join code is plain text.
struct CodePanel {
    private typealias Messages = CommandPhrases.Dashboard

    /// The width of the light border (quiet zone) in modules, if the code is beside other panels. ISO/IEC
    /// 18004 demands four modules, but readers accept two, and a screen of 24 rows has no room for more. The
    /// full-screen code has four if there is room.
    private static let quietZone = 2

    private let code: QRCode?
    private let joinCode: String?
    /// The words for the join code with the address at which people type it.
    private let caption: String
    private let look: Look
    /// Whether a module takes two cells side by side instead of half a cell. This is necessary if the
    /// terminal cannot show half blocks.
    private let isDoubled: Bool

    init(_ session: SessionState, _ look: Look, isDoubled: Bool = false) {
        self.isDoubled = isDoubled || !look.isUTF8
        code = session.url.flatMap { Self.encode($0) }
        joinCode = session.joinCode
        caption =
            session.url.flatMap(JoinAddress.of).map { look.text(Messages.joinCodeAt, ["address": $0]) }
            ?? look.text(Messages.joinCode)
        self.look = look
    }

    /// Returns the QR code with medium error correction if this level makes the code no larger than low error
    /// correction does. Otherwise it uses the low level, because a code on a screen suffers no damage and
    /// must be small.
    private static func encode(_ url: String) -> QRCode? {
        guard let small = try? QRCode.encode(url, errorCorrection: .low) else { return nil }
        if let sturdy = try? QRCode.encode(url, errorCorrection: .medium), sturdy.size == small.size {
            return sturdy
        }
        return small
    }

    private func side(_ quietZone: Int) -> Int { (code?.size ?? 0) + 2 * quietZone }

    /// The size of the panel beside other panels: as wide as the code and the join code, and as high as the
    /// QR code alone. If there is no code, the size is too large for any screen.
    var columns: Int {
        code == nil ? .max / 4 : max(columns(with: Self.quietZone), LargeLetters.columns(of: joinCode ?? ""))
    }
    var rows: Int { code == nil ? .max / 4 : rows(with: Self.quietZone) }

    /// The rows of the QR code with the join code and its words below.
    var wholeRows: Int { rows == .max / 4 ? rows : rows + LargeLetters.rows(plain: !look.isUTF8) + 4 }

    /// Returns the words for the join code with its address, if `draw` has no room for them in this area; nil
    /// otherwise.
    func captionBeside(_ whole: Area) -> String? {
        guard let joinCode else { return nil }
        var area = whole
        _ = area.takeTop(rows)
        if area.rows > LargeLetters.rows(plain: !look.isUTF8) { _ = area.takeTop(1) }
        let used = Self.joinCodeRows(joinCode, area, look)
        return used > 1 && area.rows > used + 1 ? nil : caption
    }

    func draw(_ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        canvas.mark(whole, .code)
        var top = area.takeTop(rows)
        _ = top.takeLeft((top.columns - columns(with: Self.quietZone)) / 2)
        drawCode(top, Self.quietZone, &canvas)
        guard let joinCode else { return }
        if area.rows > LargeLetters.rows(plain: !look.isUTF8) { _ = area.takeTop(1) }
        Self.drawJoinCode(joinCode, area, &canvas)
        let used = Self.joinCodeRows(joinCode, area, look)
        _ = area.takeTop(used + 1)
        if area.rows >= 1, used > 1 {
            canvas.put(centred: DisplayWidth.cut(caption, to: area.columns), area, row: 0, .quiet)
        }
    }

    /// Draws the code as large as possible on the whole screen, so that people can scan it from a distance.
    static func draw(wholeScreen session: SessionState, _ whole: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        var panel = CodePanel(session, look)
        var area = whole
        let joinCode = session.joinCode ?? ""
        let letters = LargeLetters.columns(of: joinCode)
        if look.isUTF8, panel.columns(with: QRCode.quietZone) * 2 + 3 + letters <= area.columns,
            panel.side(QRCode.quietZone) + 1 <= area.rows
        {
            // Draw the code at twice the size, because people scan it across a hall.
            panel = CodePanel(session, look, isDoubled: true)
        }
        let quietZone = [QRCode.quietZone, Self.quietZone].first {
            panel.rows(with: $0) + 1 <= area.rows && panel.columns(with: $0) <= area.columns
        }
        guard let quietZone, panel.code != nil else {
            drawWithoutCode(session, panel, whole, &canvas)
            return
        }
        let (columns, rows) = (panel.columns(with: quietZone), panel.rows(with: quietZone))
        if columns + 3 + letters <= area.columns {
            // Draw the code and the join code side by side.
            let top = (area.rows - rows) / 2
            let left = (area.columns - columns - 3 - letters) / 2
            panel.drawCode(Area(column: left, row: top, columns: columns, rows: rows), quietZone, &canvas)
            let height = LargeLetters.rows(plain: !look.isUTF8)
            let beside = Area(
                column: left + columns + 3, row: area.rows / 2 - height / 2 - 2, columns: letters,
                rows: height + 4)
            canvas.put(TerminalEscaping.safe(session.body.meetingName), beside, row: 0, .heading)
            var below = beside
            _ = below.takeTop(2)
            drawJoinCode(joinCode, below.takeTop(height), &canvas)
            _ = below.takeTop(1)
            canvas.put(panel.caption, below, .quiet)
            return
        }
        let rest = area.rows - rows
        let height = joinCodeRows(joinCode, Area(column: 0, row: 0, columns: area.columns, rows: rest), look)
        _ = area.takeTop((rest - height) / 2)
        let codeRow = area.takeTop(rows)
        panel.drawCode(
            Area(column: (area.columns - columns) / 2, row: codeRow.row, columns: columns, rows: rows),
            quietZone, &canvas)
        drawJoinCode(joinCode, area, &canvas)
    }

    private func columns(with quietZone: Int) -> Int { side(quietZone) * (isDoubled ? 2 : 1) }
    private func rows(with quietZone: Int) -> Int { isDoubled ? side(quietZone) : (side(quietZone) + 1) / 2 }

    private static func drawWithoutCode(
        _ session: SessionState, _ panel: CodePanel, _ area: Area, _ canvas: inout Canvas
    ) {
        let look = canvas.look
        var middle = area
        _ = middle.takeTop(max(0, area.rows / 2 - 3))
        if let joinCode = session.joinCode {
            drawJoinCode(joinCode, middle.takeTop(LargeLetters.rows(plain: !look.isUTF8)), &canvas)
        }
        _ = middle.takeTop(1)
        guard panel.code != nil else {
            canvas.put(centred: look.text(Messages.noCode), middle, row: 0, .quiet)
            return
        }
        let values = [
            "columns": panel.columns(with: quietZone), "rows": panel.rows(with: quietZone) + 1,
            "width": area.columns, "height": area.rows,
        ]
        canvas.put(
            centred: look.text(Messages.codeTooLarge, values.mapValues { String($0) }), middle, row: 0, .quiet
        )
    }

    // MARK: Parts of the panel

    private static func joinCodeRows(_ joinCode: String, _ area: Area, _ look: Look) -> Int {
        let large = LargeLetters.rows(plain: !look.isUTF8)
        return area.rows >= large && LargeLetters.columns(of: joinCode) <= area.columns
            ? large : min(1, area.rows)
    }

    private static func drawJoinCode(_ joinCode: String, _ area: Area, _ canvas: inout Canvas) {
        guard joinCodeRows(joinCode, area, canvas.look) > 1 else {
            return canvas.put(
                centred: joinCode.map { String($0) }.joined(separator: " "), area, row: 0, .heading)
        }
        for (row, line) in LargeLetters.lines(joinCode, plain: !canvas.look.isUTF8).enumerated() {
            canvas.put(centred: line, area, row: row, .heading)
        }
    }

    /// Draws the QR code. Characters draw the light modules; dark modules are the background. With colours,
    /// the code is white on black; without colours, the code needs a dark terminal. The quiet zone also
    /// consists of characters, so that programs that copy the screen do not trim it as blank line ends.
    private func drawCode(_ area: Area, _ quietZone: Int, _ canvas: inout Canvas) {
        guard let code else { return }
        let span = -quietZone..<code.size + quietZone
        let style = look.isColourful ? Style(.pureWhite, on: .pureBlack) : .plain
        // The letters of many fonts do not fill their cells. A light ground closes these gaps.
        let light = look.isColourful && look.isUTF8 ? Style(.pureWhite, on: .pureWhite) : style
        for (row, y) in stride(from: span.lowerBound, to: span.upperBound, by: isDoubled ? 1 : 2).enumerated()
        {
            var line = Line()
            for x in span {
                let isUpperDark = code.isDark(x, y)
                if isDoubled {
                    line.add(isUpperDark ? "  " : look.full + look.full, isUpperDark ? style : light)
                    continue
                }
                // If the number of rows is odd, half a row remains at the bottom. This half is light, like
                // the quiet zone.
                let isLowerDark = y + 1 < span.upperBound && code.isDark(x, y + 1)
                line.add(
                    isUpperDark ? (isLowerDark ? " " : "▄") : (isLowerDark ? "▀" : "█"),
                    isUpperDark || isLowerDark ? style : light)
            }
            canvas.put(line, area, row: row)
        }
    }
}

extension CommandPhrases.Dashboard {
    static let joinCodeAt = Phrase("Join code at {address}")
    static let noCode = Phrase("There is no code to show")
    static let codeTooLarge = Phrase("The QR code needs {columns}×{rows}; this is {width}×{height}.")
}
