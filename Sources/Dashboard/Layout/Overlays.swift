internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// Draws a frame over a part of the screen. The rest of the screen stays visible.
enum Overlay {
    /// Clears an area, draws a frame with a title around it, and returns the area inside the frame.
    static func open(_ area: Area, title: String, _ canvas: inout Canvas) -> Area {
        guard area.columns >= 4, area.rows >= 3 else { return Area(column: 0, row: 0, columns: 0, rows: 0) }
        let isUTF8 = canvas.look.isUTF8
        let (line, side) = isUTF8 ? ("─", "│") : ("-", "|")
        let corners = isUTF8 ? ["┌", "┐", "└", "┘"] : ["+", "+", "+", "+"]
        canvas.fill(area, " ", .plain)
        canvas.cover(area)
        let across = String(repeating: line, count: area.columns - 2)
        canvas.put(corners[0] + across + corners[1], area, .quiet)
        canvas.put(corners[2] + across + corners[3], area, row: area.rows - 1, .quiet)
        for row in 1..<area.rows - 1 {
            canvas.put(side, area, row: row, .quiet)
            canvas.put(side, area, row: row, from: area.columns - 1, .quiet)
        }
        if !title.isEmpty {
            canvas.put(" \(DisplayWidth.cut(title, to: area.columns - 6)) ", area, from: 2, .heading)
        }
        var inner = area
        _ = inner.takeTop(1)
        _ = inner.takeBottom(1)
        _ = inner.takeLeft(2)
        _ = inner.takeRight(2)
        return inner
    }

    /// Returns an area above the last row of a screen, so that the counts at the top stay visible.
    static func bottom(of screen: Area, columns: Int, rows: Int) -> Area {
        let columns = min(columns, screen.columns)
        let rows = min(rows, screen.rows - 1)
        return Area(
            column: (screen.columns - columns) / 2, row: screen.rows - 1 - rows, columns: columns, rows: rows)
    }

    /// Returns the end of a text, so that a host sees what they type.
    static func tail(_ text: String, columns: Int) -> String {
        var text = Substring(text)
        while DisplayWidth.of(String(text)) > columns, !text.isEmpty { text.removeFirst() }
        return String(text)
    }
}

/// Draws the keys that work now at the bottom of the screen. They keep working while the help is visible.
enum HelpPanel {
    private typealias Messages = CommandPhrases.Dashboard

    /// The width of one column of keys, in cells.
    private static let column = 38
    /// The rows of the screen that the help leaves visible, if the screen has enough.
    private static let leaves = 6

    static func draw(_ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        var lines = [(look.upDown, look.text(Messages.helpMove))]
        lines =
            dashboard.helpedCommands.map { ($0.declaration.label ?? "", look.text($0.declaration.meaning)) }
            + lines
        let columns = max(1, (whole.columns - 2) / column)
        let most = max(3, whole.rows - (whole.rows >= 24 ? leaves + 3 : 4))
        // The host's own keys come first, because no manual lists them. They leave room for the others.
        lines = own(dashboard.commands).prefix(most * columns / 3) + lines
        let rows = min((lines.count + columns - 1) / columns, most)
        // If there is no room for all keys, the last one leads to the list of all commands.
        if lines.count > rows * columns {
            let palette = Command.palette.declaration
            lines = lines.prefix(rows * columns - 1) + [(palette.label ?? "", look.text(palette.meaning))]
        }
        var area = whole
        _ = area.takeBottom(1)
        let inner = Overlay.open(
            area.takeBottom(rows + 2), title: look.text(Messages.helpTitle), &canvas)
        let widest = lines.map { DisplayWidth.of($0.0) }.max() ?? 0
        let width = inner.columns / columns
        for (index, (key, meaning)) in lines.enumerated() {
            let (column, row) = (index / rows, index % rows)
            let part = Area(
                column: inner.column + column * width, row: inner.row + row, columns: width - 1, rows: 1)
            canvas.put(key, part, .key)
            canvas.put(meaning, part, from: widest + 1)
        }
    }

    /// Returns the keys and the commands of the host's file with their lines.
    private static func own(_ commands: LineCommands) -> [(String, String)] {
        let keys = commands.keys.sorted { $0.key < $1.key }.map {
            (String($0.key), TerminalEscaping.safe($0.value))
        }
        let names = commands.own.map {
            let (name, meaning) = (TerminalEscaping.safe($0.name), TerminalEscaping.safe($0.meaning))
            return (":", "\(name) (\(meaning))")
        }
        return keys + names
    }
}

/// Draws the palette: its search and the matching entries.
enum PalettePanel {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ palette: Palette, _ screen: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        let area = Overlay.bottom(
            of: screen, columns: 72, rows: min(18, max(8, screen.rows - 10)))
        let title = look.text(palette.scope == .polls ? Messages.preparedPolls : Messages.paletteTitle)
        var inner = Overlay.open(area, title: title, &canvas)
        let head = inner.takeTop(1)
        canvas.put(palette.scope == .polls ? "/" : ":", head, .key)
        let query = Overlay.tail(TerminalEscaping.safe(palette.query), columns: head.columns - 3)
        canvas.put(query + look.caret, head, from: 2, Style(bold: true))
        guard !palette.entries.isEmpty else {
            let nothing = palette.scope == .polls && palette.query.isEmpty
            canvas.put(look.text(nothing ? Messages.noPrepared : Messages.noMatch), inner, .faint)
            return
        }
        let first = max(0, min(palette.selected - inner.rows / 2, palette.entries.count - inner.rows))
        for (row, entry) in palette.entries.dropFirst(first).prefix(inner.rows).enumerated() {
            let isChosen = first + row == palette.selected
            let place = Area(column: inner.column, row: inner.row + row, columns: inner.columns, rows: 1)
            if isChosen { canvas.put(look.pointer, place, .key) }
            let detail = DisplayWidth.cut(TerminalEscaping.safe(entry.detail), to: place.columns / 3)
            let room = place.columns - 2 - DisplayWidth.of(detail) - 1
            canvas.put(
                DisplayWidth.cut(TerminalEscaping.safe(entry.text), to: max(1, room)), place, from: 2,
                isChosen ? Style(bold: true) : .plain)
            canvas.put(detail, atEndOf: place, .quiet)
            canvas.mark(place, .entry(first + row))
        }
    }
}

/// Draws a form: its fields, and below them a hint.
enum FormPanel {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ form: EntryForm, _ dashboard: Dashboard, _ screen: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        let (title, hint) = texts(form, look)
        let hints = DisplayWidth.wrapped(hint, to: max(10, min(60, screen.columns) - 4))
        let rows = form.fields.count + hints.count + 3
        var inner = Overlay.open(
            Overlay.bottom(of: screen, columns: 64, rows: rows), title: title, &canvas)
        let labels = form.fields.map { look.text($0.label, $0.values) }
        let widest = labels.map { DisplayWidth.of($0) }.max() ?? 0
        // If there is no room for all fields, the field with the cursor is the last one on the screen.
        let room = max(1, inner.rows - hints.count - 1)
        let first = max(0, form.line - room + 1)
        for (index, field) in form.fields.enumerated().dropFirst(first).prefix(room) {
            let (row, isHere) = (inner.takeTop(1), index == form.line)
            if isHere { canvas.put(look.pointer, row, .key) }
            canvas.put(labels[index], row, from: 2, isHere ? .key : .quiet)
            let room = row.columns - widest - 5
            let text: String
            switch field.content {
            case .text(let written):
                let safe = TerminalEscaping.safe(written)
                text =
                    isHere ? Overlay.tail(safe, columns: room) + look.caret : DisplayWidth.cut(safe, to: room)
            case .status(let status):
                let word = status.map(look.status) ?? look.text(Messages.unchanged)
                text = isHere ? (look.isUTF8 ? "‹ \(word) ›" : "< \(word) >") : word
            }
            canvas.put(text, row, from: widest + 4, isHere ? Style(bold: true) : .plain)
        }
        _ = inner.takeTop(1)
        for (row, hint) in hints.enumerated() { canvas.put(hint, inner, row: row, .quiet) }
    }

    private static func texts(_ form: EntryForm, _ look: Look) -> (title: String, hint: String) {
        let subject = TerminalEscaping.safe(form.subject)
        return switch form.purpose {
        case .addAttendee: (look.text(Messages.addTitle), look.text(Messages.hintAdd))
        case .correct: (look.text(Messages.correctTitle, ["name": subject]), look.text(Messages.hintCorrect))
        case .end:
            (
                look.text(Messages.endTitle),
                look.text(form.allowsOverlap ? Messages.hintOverlap : Messages.hintEnd)
            )
        case .poll: (look.text(Messages.askTitle), look.text(Messages.hintPoll))
        }
    }
}

extension CommandPhrases.Dashboard {
    static let helpTitle = Phrase("Keys here")
    static let helpMove = Phrase("move (the mouse works as well)")
    static let paletteTitle = Phrase("Find anything")
    static let preparedPolls = Phrase("Open a poll")
    static let noPrepared = Phrase("No poll is prepared. Press Esc, then o to write one")
    static let unchanged = Phrase("unchanged")
    static let addTitle = Phrase("Add a walk-in")
    static let askTitle = Phrase("Ask now")
    static let endTitle = Phrase("Change the end")
    static let correctTitle = Phrase("Correct {name}")
    static let hintAdd = Phrase("Checks this person in now. Enter saves, Esc cancels.")
    static let hintCorrect = Phrase(
        "Arrow keys choose the status. The journal and the members show the reason. Enter saves.")
    static let hintEnd = Phrase("For example 21:30, +15m or now. Enter saves, Esc cancels.")
    static let hintPoll = Phrase("Without choices, people write. Enter in an empty choice asks everybody.")
    static let hintOverlap = Phrase("Press Enter again to save although another session is at that time.")
}
