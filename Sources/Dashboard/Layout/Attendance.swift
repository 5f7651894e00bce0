internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Draws the number of people who are here: as a number, as a bar, and by status.
enum AttendancePanel {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionState, _ area: Area, _ canvas: inout Canvas) {
        let (look, attendance) = (canvas.look, session.attendance)
        let whole = attendance.checkedIn + attendance.awaited + attendance.absent + attendance.excused
        let count = attendance.checkedIn
        let isShort = area.rows < 4
        if isShort {
            var line = Line(
                attendance.planned > 0
                    ? "\(count)/\(attendance.planned)" : look.text(Messages.here, ["count": String(count)]),
                .heading)
            for part in parts(attendance, look, isBrief: true) {
                line.add("  ")
                line.add(part.text, part.style)
            }
            canvas.put(line, area, row: 0)
        } else {
            let said =
                attendance.planned > 0
                ? look.text(Messages.hereOf, ["count": String(count), "planned": String(attendance.planned)])
                : look.text(Messages.here, ["count": String(count)])
            canvas.put(said, area, row: 0, .heading)
            if attendance.planned > 0 {
                let over = count - attendance.planned
                let share =
                    over > 0
                    ? look.text(Messages.overPlan, ["count": String(over)])
                    : "\(count * 100 / attendance.planned)%"
                canvas.put(share, atEndOf: area, row: 0, .quiet)
            }
        }
        drawBar(attendance, of: max(attendance.planned, whole, 1), area, row: 1, &canvas)
        guard !isShort else { return }
        // Use two rows if the area is too narrow for one.
        var (row, line) = (2, Line())
        for part in parts(attendance, look, isBrief: false) {
            var next = line
            if !next.parts.isEmpty { next.add("  ") }
            next.add(part.text, part.style)
            if next.width > area.columns {
                canvas.put(line, area, row: row)
                row += 1
                line = Line(part.text, part.style)
            } else {
                line = next
            }
        }
        canvas.put(line, area, row: row)
    }

    private static func parts(_ attendance: Attendance, _ look: Look, isBrief: Bool) -> [Line.Part] {
        func part(_ status: AttendanceStatus, _ count: Int) -> Line.Part {
            Line.Part(
                text: "\(look.status(status)) \(count)",
                style: Style(count > 0 ? look.colour(of: status) : .faint))
        }
        var parts = [part(.present, attendance.present), part(.late, attendance.late)]
        if attendance.awaited > 0 || attendance.absent == 0 {
            parts.append(part(.awaited, attendance.awaited))
        }
        if attendance.absent > 0 { parts.append(part(.absent, attendance.absent)) }
        if let inside = attendance.inside, let left = attendance.left {
            parts.append(
                Line.Part(text: "\(look.text(Messages.inside)) \(inside)", style: .plain))
            parts.append(
                Line.Part(
                    text: "\(look.text(Messages.left)) \(left)", style: left > 0 ? .plain : Style(.faint)))
        }
        if isBrief { return parts }
        if attendance.excused > 0 { parts.append(part(.excused, attendance.excused)) }
        parts.append(
            Line.Part(
                text: "\(look.text(Messages.walkIns)) \(attendance.walkIns)",
                style: Style(attendance.walkIns > 0 ? .magenta : .faint)))
        return parts
    }

    /// Draws a bar with the shares of present, late and missing attendees. Present and late attendees each
    /// get at least one cell if there are any.
    private static func drawBar(
        _ attendance: Attendance, of whole: Int, _ area: Area, row: Int, _ canvas: inout Canvas
    ) {
        let look = canvas.look
        func cells(_ count: Int) -> Int {
            count == 0 ? 0 : max(1, Int((Double(count) / Double(whole) * Double(area.columns)).rounded()))
        }
        let late = cells(attendance.late)
        let present = min(cells(attendance.present), area.columns - late)
        var line = Line(String(repeating: look.full, count: present), Style(look.colour(of: .present)))
        line.add(String(repeating: look.shaded, count: late), Style(look.colour(of: .late)))
        line.add(String(repeating: look.empty, count: max(0, area.columns - present - late)), .faint)
        canvas.put(line, area, row: row)
    }
}

/// Draws a row of facts for wide screens: the shares of answers and of people on time, and the attendance of
/// the session before.
enum FactsLine {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionState, _ area: Area, _ canvas: inout Canvas) {
        let (look, attendance) = (canvas.look, session.attendance)
        let count = attendance.checkedIn
        var facts: [String] = []
        if count > 0 {
            if session.body.feedback.questions > 0 {
                facts.append(percent(Messages.factAnswered, session.responses, of: count, look))
            }
            facts.append(percent(Messages.factOnTime, attendance.present, of: count, look))
        }
        if let before = session.previous {
            let difference = count - before.attendance.checkedIn
            facts.append(
                look.text(
                    Messages.factBefore,
                    [
                        "round": String(before.round), "count": String(before.attendance.checkedIn),
                        "difference": difference > 0 ? "+\(difference)" : String(difference),
                    ]))
        }
        canvas.put(DisplayWidth.cut(facts.joined(separator: look.dot), to: area.columns), area, .quiet)
    }

    private static func percent(_ phrase: Phrase, _ part: Int, of whole: Int, _ look: Look) -> String {
        look.text(phrase, ["percent": String(min(100, part * 100 / whole))])
    }
}

/// Draws the arrivals by minute, and the newest arrivals by name.
enum ArrivalsPanel {
    private typealias Messages = CommandPhrases.Dashboard

    /// The number of minutes that fill the width at least, so that the first bars are not too wide.
    private static let fewestMinutes = 10

    /// Draws a heading, and a curve from the first arrival up to now or to the end of the session. A minute
    /// is as wide as the span allows. If there are more minutes than columns, a column has several.
    static func drawMinutes(_ session: SessionState, at now: Instant, _ area: Area, _ canvas: inout Canvas) {
        let (look, arrivals) = (canvas.look, session.people.arrivalsByMinute)
        let last = min(now, session.body.endsAt).milliseconds / 60_000
        let opening = session.body.checkInOpensAt.milliseconds / 60_000
        let first = min(last, max(opening, arrivals.keys.min() ?? last))
        let span = Int(last - first) + 1
        let (width, minutes) = (
            max(1, area.columns / max(span, fewestMinutes)), (span + area.columns - 1) / max(1, area.columns)
        )
        let counts = stride(from: first, through: last, by: max(1, minutes)).map { begin in
            (begin..<begin + Int64(max(1, minutes))).reduce(0) { $0 + (arrivals[$1] ?? 0) }
        }
        let most = counts.max() ?? 0
        let heading =
            minutes > 1
            ? look.text(Messages.perMinutes, ["count": String(minutes)]) : look.text(Messages.perMinute)
        canvas.put(heading, area, row: 0, .quiet)
        if most > 0 {
            canvas.put(look.text(Messages.most, ["count": String(most)]), atEndOf: area, row: 0, .faint)
        }
        for (index, row) in Sparkline.rows(counts, rows: min(4, area.rows - 1), plain: !look.isUTF8)
            .enumerated()
        {
            let bars = row.map { String(repeating: String($0), count: width) }.joined()
            canvas.put(bars, area, row: 1 + index, Style(.blue))
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

    /// Draws the time and the name of an attendee, and the status at the right end.
    static func drawPerson(
        _ person: AttendeeBody, _ zone: Zone, _ area: Area, row: Int, from column: Int = 0,
        _ canvas: inout Canvas
    ) {
        let look = canvas.look
        let status = look.status(person.status)
        let when = person.checkedInAt.map { $0.clock(in: zone) } ?? ""
        canvas.put(when, area, row: row, from: column, .faint)
        let walkIn = person.walkIn == true ? "+" : ""
        let room = area.columns - column - 9 - DisplayWidth.of(status) - walkIn.count - 1
        let end = canvas.put(
            DisplayWidth.cut(TerminalEscaping.safe(person.name), to: max(1, room)), area, row: row,
            from: column + 9)
        canvas.put(walkIn, area, row: row, from: end, Style(.magenta))
        canvas.put(status, atEndOf: area, row: row, Style(look.colour(of: person.status)))
    }
}

/// Draws the attendees by name, below the search.
enum AttendeePane {
    private typealias Messages = CommandPhrases.Dashboard

    /// The maximum width of the list in cells, because readers lose the row in a wider list.
    private static let widest = 100

    static func draw(_ session: SessionState, isTyping: Bool, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        area.columns = min(area.columns, widest)
        let (look, people) = (canvas.look, session.people)
        let head = area.takeTop(1)
        var line = Line("/", isTyping ? .key : .quiet)
        let hint = " \(look.text(Messages.search))"
        let hasSearch = isTyping || !people.query.isEmpty
        if hasSearch {
            line.add(
                " \(TerminalEscaping.safe(people.query))\(isTyping ? look.caret : "")", Style(bold: true))
        }
        let count =
            people.isComplete
            ? look.text(
                Messages.shownOf, ["shown": String(people.matches.count), "count": String(people.count)])
            : look.text(Messages.loading, ["count": String(people.readCount)])
        var facts = [
            session.picked.isEmpty
                ? nil : look.text(Messages.picked, ["count": String(session.picked.count)]),
            people.filter.map { look.status($0) }, count,
            people.order == .name ? nil : look.text(people.order.phrase),
        ].compactMap(\.self)
        // On a narrow screen, omit the least important facts.
        while facts.count > 1, line.width + 2 + Self.width(facts, look) > head.columns { facts.removeLast() }
        let said = facts.joined(separator: look.dot)
        let room = head.columns - DisplayWidth.of(said) - 2
        if !hasSearch, line.width + DisplayWidth.of(hint) <= room { line.add(hint, .faint) }
        canvas.put(line, head)
        if line.width <= room { canvas.put(said, atEndOf: head, .faint) }
        guard !people.matches.isEmpty else {
            if people.isComplete {
                canvas.put(
                    look.text(people.count == 0 ? Messages.nobody : Messages.noMatch), area, row: 0, .faint)
            }
            return
        }
        drawList(session, area, &canvas)
    }

    private static func width(_ facts: [String], _ look: Look) -> Int {
        DisplayWidth.of(facts.joined(separator: look.dot))
    }

    /// Draws as many attendees as fit, around the selected attendee.
    private static func drawList(_ session: SessionState, _ area: Area, _ canvas: inout Canvas) {
        let people = session.people.matches
        let chosen = people.firstIndex { $0.id == session.selected }
        let first = max(0, min((chosen ?? 0) - area.rows / 2, people.count - area.rows))
        for (row, person) in people[first..<min(people.count, first + area.rows)].enumerated() {
            let isChosen = first + row == chosen
            let place = Area(column: area.column, row: area.row + row, columns: area.columns, rows: 1)
            if isChosen { canvas.put(canvas.look.pointer, place, .key) }
            if session.picked.contains(person.id) { canvas.put(canvas.look.check, place, from: 1, .key) }
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
        let room = area.columns - 2 - widest - 7 - (person.walkIn == true ? 1 : 0)
        let identity = person.email ?? person.number ?? ""
        let end = canvas.put(
            DisplayWidth.cut(TerminalEscaping.safe(person.name), to: max(1, room)), area, from: 2,
            isChosen ? Style(bold: true) : .plain)
        let behind = canvas.put(person.walkIn == true ? "+" : "", area, from: end, Style(.magenta))
        // In a wide list, show the e-mail address or the number, which distinguishes people with the same
        // name.
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

extension People.Order {
    /// The order for the head of the list.
    fileprivate var phrase: Phrase {
        switch self {
        case .name: CommandPhrases.Dashboard.byName
        case .arrival: CommandPhrases.Dashboard.byArrival
        case .status: CommandPhrases.Dashboard.byStatus
        }
    }
}

extension CommandPhrases.Dashboard {
    /// How many more people checked in than the host planned.
    static let overPlan = Phrase("{count} over plan")
    static let byName = Phrase("by name")
    static let byArrival = Phrase("newest first")
    static let byStatus = Phrase("by status")
    static let picked = Phrase("{count} selected")
    static let hereOf = Phrase("{count} of {planned} checked in")
    static let here = Phrase("{count} checked in")
    static let perMinutes = Phrase("Arrivals per {count} minutes")
    static let factAnswered = Phrase("{percent}% answered")
    static let factOnTime = Phrase("{percent}% on time")
    static let factBefore = Phrase("session {round}: {count} ({difference})")
    static let most = Phrase("most {count}")
    static let nobody = Phrase("Nobody yet")
    static let shownOf = Phrase("{shown} of {count}")
    static let loading = Phrase("loading {count}…")
    static let noMatch = Phrase("No matches")
    static let search = Phrase("search")
}
