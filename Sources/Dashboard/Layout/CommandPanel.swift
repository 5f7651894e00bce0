internal import Meetings
internal import Phrases
internal import Terminal

/// Draws the output of a command over the lower part of the screen, and the answer to its question below it.
enum CommandPanel {
    private typealias Messages = CommandPhrases.Dashboard

    /// The rows that stay visible above the output, if the screen has enough.
    private static let leaves = 2

    /// Returns the area of the output and of the hint below it.
    static func inside(_ size: Size) -> Area {
        Area(column: 2, row: 0, columns: max(1, size.columns - 4), rows: max(1, whole(size).rows - 2))
    }

    private static func whole(_ size: Size) -> Area {
        Overlay.bottom(of: Area(size), columns: size.columns, rows: size.rows - leaves - 1)
    }

    /// Returns the number of rows that show output.
    static func rowsOfOutput(_ pane: CommandPane, _ size: Size) -> Int {
        max(1, inside(size).rows - (pane.prompt == nil ? 1 : 2))
    }

    static func draw(_ pane: CommandPane, _ size: Size, _ canvas: inout Canvas) {
        let look = canvas.look
        var inner = Overlay.open(whole(size), title: ": \(TerminalEscaping.safe(pane.line))", &canvas)
        let (hint, style) = said(pane, look)
        canvas.put(DisplayWidth.cut(hint, to: inner.columns), inner.takeBottom(1), style)
        if let prompt = pane.prompt {
            let row = inner.takeBottom(1)
            canvas.put(look.pointer, row, .key)
            let typed = prompt.isHidden ? "" : TerminalEscaping.safe(prompt.typed)
            let tail = Overlay.tail(typed, columns: max(1, row.columns - 3))
            canvas.put(tail + look.caret, row, from: 2, Style(bold: true))
        }
        let last = max(0, pane.rows.count - inner.rows)
        let first = min(pane.firstRow ?? last, last)
        for (row, text) in pane.rows.dropFirst(first).prefix(inner.rows).enumerated() {
            canvas.put(text, inner, row: row)
        }
    }

    private static func said(_ pane: CommandPane, _ look: Look) -> (String, Style) {
        if pane.prompt != nil { return (look.text(Messages.paneAsks), .quiet) }
        let cut = pane.isCut ? look.text(Messages.paneCut) + look.dot : ""
        return switch pane.state {
        case .running: (cut + look.text(Messages.paneRuns), .quiet)
        case .stopping: (look.text(Messages.paneStops), .quiet)
        case .ended(code: 0): (cut + look.text(Messages.paneDone), .quiet)
        case .ended(let code):
            (look.text(Messages.paneFailed, ["code": String(code)]), Style(.red, bold: true))
        }
    }
}

extension CommandPhrases.Dashboard {
    static let paneAsks = Phrase("Enter answers, Esc stops the command.")
    static let paneRuns = Phrase("Running. Esc stops the command.")
    static let paneStops = Phrase("Stopping. Esc closes this.")
    static let paneDone = Phrase("Done. Esc closes this, y copies it, : takes the next command.")
    static let paneFailed = Phrase("Ended with the exit code {code}. Esc closes this.")
    static let paneCut = Phrase("The first lines are gone")
}
