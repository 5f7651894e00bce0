internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// Arrivals by minute, and the newest by name.
enum ArrivalsPanel {
    private typealias Messages = CommandPhrases.Dashboard

    /// A heading, and a column for each minute up to this one.
    static func drawMinutes(_ session: SessionState, at now: Instant, _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        let last = min(now, session.body.endsAt).milliseconds / 60_000
        let counts = (0..<area.columns).map {
            session.people.arrivalsByMinute[last - Int64(area.columns - 1 - $0)] ?? 0
        }
        let most = counts.max() ?? 0
        canvas.put(look.text(Messages.perMinute), area, row: 0, .quiet)
        if most > 0 {
            canvas.put(look.text(Messages.most, ["count": String(most)]), atEndOf: area, row: 0, .faint)
        }
        for (index, row) in Sparkline.rows(counts, rows: min(4, area.rows - 1), plain: !look.isUTF8)
            .enumerated()
        {
            canvas.put(row, area, row: 1 + index, Style(.blue))
        }
    }

    static func drawNewest(_ session: SessionState, _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        canvas.put(look.text(Messages.newest), area, row: 0, .quiet)
        guard !session.newest.isEmpty else {
            canvas.put(look.text(Messages.nobody), area, row: 1, .faint)
            return
        }
        for (index, person) in session.newest.prefix(max(0, area.rows - 1)).enumerated() {
            drawPerson(person, session.zone, area, row: 1 + index, &canvas)
        }
    }

    /// Time, name, and the status at the right end.
    static func drawPerson(
        _ person: AttendeeBody, _ zone: Zone, _ area: Area, row: Int, from column: Int = 0,
        _ canvas: inout Canvas
    ) {
        let look = canvas.look
        let status = look.status(person.status)
        let when = person.checkedInAt.map { $0.clock(in: zone) } ?? ""
        canvas.put(when, area, row: row, from: column, .faint)
        let walkIn = person.walkIn ? "+" : ""
        let room = area.columns - column - 9 - DisplayWidth.of(status) - walkIn.count - 1
        let end = canvas.put(
            DisplayWidth.cut(TerminalEscaping.safe(person.name), to: max(1, room)), area, row: row,
            from: column + 9)
        canvas.put(walkIn, area, row: row, from: end, Style(.magenta))
        canvas.put(status, atEndOf: area, row: row, Style(look.colour(of: person.status)))
    }
}
