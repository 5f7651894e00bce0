internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The attendees by name, with the search above them.
enum AttendeePane {
    private typealias Messages = CommandPhrases.Dashboard

    /// Across more than that the eye loses the row.
    private static let widest = 100

    static func draw(_ session: SessionState, isTyping: Bool, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        area.columns = min(area.columns, widest)
        let (look, people) = (canvas.look, session.people)
        let head = area.takeTop(1)
        var line = Line("/", isTyping ? .key : .quiet)
        if people.query.isEmpty, !isTyping {
            line.add(" \(look.text(Messages.search))", .faint)
        } else {
            line.add(
                " \(TerminalEscaping.safe(people.query))\(isTyping ? look.caret : "")", Style(bold: true))
        }
        canvas.put(line, head)
        var count =
            people.isComplete
            ? look.text(
                Messages.shownOf, ["shown": String(people.matches.count), "count": String(people.count)])
            : look.text(Messages.loading, ["count": String(people.readCount)])
        if let filter = people.filter { count = "\(look.status(filter))\(look.dot)\(count)" }
        if line.width + 2 + DisplayWidth.of(count) <= head.columns {
            canvas.put(count, atEndOf: head, .faint)
        }
        guard !people.matches.isEmpty else {
            if people.isComplete {
                canvas.put(
                    look.text(people.count == 0 ? Messages.nobody : Messages.noMatch), area, row: 0, .faint)
            }
            return
        }
        drawList(session, area, &canvas)
    }

    /// As many as there is room for, around whom is chosen.
    private static func drawList(_ session: SessionState, _ area: Area, _ canvas: inout Canvas) {
        let people = session.people.matches
        let chosen = people.firstIndex { $0.id == session.selected }
        let first = max(0, min((chosen ?? 0) - area.rows / 2, people.count - area.rows))
        for (row, person) in people[first..<min(people.count, first + area.rows)].enumerated() {
            let isChosen = first + row == chosen
            let place = Area(column: area.column, row: area.row + row, columns: area.columns, rows: 1)
            if isChosen { canvas.put(canvas.look.pointer, place, .key) }
            drawPerson(person, session.zone, place, isChosen: isChosen, &canvas)
            canvas.mark(place, .attendee(person.id))
        }
    }

    private static func drawPerson(
        _ person: AttendeeBody, _ zone: Zone, _ area: Area, isChosen: Bool, _ canvas: inout Canvas
    ) {
        let look = canvas.look
        let (status, when) = (
            look.status(person.status), person.checkedInAt.map { String($0.clock(in: zone).prefix(5)) } ?? ""
        )
        let widest = AttendanceStatus.allCases.map { DisplayWidth.of(look.status($0)) }.max() ?? 0
        let room = area.columns - 2 - widest - 7 - (person.walkIn ? 1 : 0)
        let identity = person.email ?? person.number ?? ""
        let end = canvas.put(
            DisplayWidth.cut(TerminalEscaping.safe(person.name), to: max(1, room)), area, from: 2,
            isChosen ? Style(bold: true) : .plain)
        let behind = canvas.put(person.walkIn ? "+" : "", area, from: end, Style(.magenta))
        // Where there is room for it, what tells people of one name apart.
        if area.columns >= 60, !identity.isEmpty {
            let column = max(behind + 2, area.columns / 2 - 4)
            let left = area.columns - widest - 8 - column
            if left >= 8 {
                canvas.put(
                    DisplayWidth.cut(TerminalEscaping.safe(identity), to: left), area, from: column, .faint)
            }
        }
        canvas.put(when, area, from: max(0, area.columns - widest - 6), .faint)
        canvas.put(
            status, area, from: max(0, area.columns - widest),
            Style(look.colour(of: person.status), bold: isChosen))
    }
}
