internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Draws the host's sessions with their counts. Today's sessions come first.
enum HomeLayout {
    private typealias Messages = CommandPhrases.Dashboard

    private enum Row {
        case heading(Phrase)
        case nothingToday
        case session(SessionBody)
        case blank
    }

    static func draw(_ home: HomeState, _ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        let zone = canvas.look.zone
        let date = String(dashboard.now.wall(in: zone).prefix(10))
        let isMixed = home.sessions.contains {
            Zone.named($0.timeZone).label(at: $0.startsAt, for: zone) != nil
        }
        TitleBar.draw(
            name: "QRing", detail: date, home.connection, dashboard.now, in: zone,
            label: isMixed ? zone.city : nil, area.takeTop(1), &canvas)
        Footer.draw(dashboard, area.takeBottom(1), &canvas)
        let stale = home.connection.staleness(at: dashboard.now)
        if let stale { StaleBanner.draw(stale, area.takeTop(1), &canvas) }
        _ = area.takeLeft(1)
        _ = area.takeRight(1)
        if stale == nil, area.rows >= 16 { _ = area.takeTop(1) }
        defer { if stale != nil { StaleBanner.dim(area, &canvas) } }
        guard !home.sessions.isEmpty else {
            if home.isKnown { canvas.put(canvas.look.text(Messages.noSessions), area, row: 1, .quiet) }
            return
        }
        let all = rows(home, dashboard.now)
        let chosen =
            all.firstIndex { if case .session(let body) = $0 { body.id == home.selected } else { false } }
            ?? 0
        // Scroll so that the heading above the selected session remains visible.
        let first = max(0, min(max(0, chosen - area.rows / 2), all.count - area.rows))
        for (row, line) in all[first..<min(all.count, first + area.rows)].enumerated() {
            let place = Area(column: area.column, row: area.row + row, columns: area.columns, rows: 1)
            switch line {
            case .heading(let phrase): canvas.put(canvas.look.text(phrase), place, .heading)
            case .nothingToday: canvas.put("  " + canvas.look.text(Messages.nothingToday), place, .faint)
            case .session(let body):
                draw(body, dashboard.now, isChosen: body.id == home.selected, place, &canvas)
                canvas.mark(place, .session(body.id))
            case .blank: break
            }
        }
    }

    private static func rows(_ home: HomeState, _ now: Instant) -> [Row] {
        var rows: [Row] = []
        let groups = home.groups(at: now)
        if groups.first?.0 != .today { rows += [.heading(Messages.today), .nothingToday, .blank] }
        for (group, sessions) in groups {
            let phrase =
                switch group {
                case .today: Messages.today
                case .later: Messages.later
                case .earlier: Messages.earlier
                }
            rows.append(.heading(phrase))
            rows += sessions.map { .session($0) }
            rows.append(.blank)
        }
        return rows
    }

    private static func draw(
        _ session: SessionBody, _ now: Instant, isChosen: Bool, _ area: Area, _ canvas: inout Canvas
    ) {
        let look = canvas.look
        let zone = Zone.named(session.timeZone)
        let isToday = WallTime(session.startsAt, in: zone).date == WallTime(now, in: zone).date
        let wall = session.startsAt.wall(in: zone)
        let isNarrow = area.columns < 60
        let day = isToday ? "     " : String(wall.dropFirst(5).prefix(5))
        let when = isNarrow ? (isToday ? String(wall.suffix(5)) : day) : "\(day) \(wall.suffix(5))"
        let nameColumn = isNarrow ? 10 : 16
        let (mark, colour): (String, Colour) =
            switch session.phase {
            case .running: (look.bullet, .green)
            case .doors: (look.bullet, .yellow)
            case .upcoming: (look.circle, .grey)
            case .ended, .closed: (look.check, .faint)
            }
        if isChosen { canvas.put(look.pointer, area, .key) }
        canvas.put(mark, area, from: 2, Style(colour))
        canvas.put(when, area, from: 4, .quiet)
        let attendance = session.attendance
        let count =
            attendance.planned > 0
            ? "\(attendance.checkedIn)/\(attendance.planned)" : String(attendance.checkedIn)
        let barWidth = area.columns >= 70 ? 16 : 0
        let countEnd = area.columns - (barWidth > 0 ? barWidth + 2 : 0)
        canvas.put(
            count, Area(column: area.column, row: area.row, columns: countEnd, rows: 1), row: 0,
            from: max(0, countEnd - count.count), Style(bold: isChosen))
        if barWidth > 0, attendance.planned > 0 {
            let share = min(1, Double(attendance.checkedIn) / Double(attendance.planned))
            let filled = attendance.checkedIn == 0 ? 0 : max(1, Int((share * Double(barWidth)).rounded()))
            var bar = Line(String(repeating: look.full, count: filled), Style(.green))
            bar.add(String(repeating: look.empty, count: barWidth - filled), .faint)
            canvas.put(bar, area, from: area.columns - barWidth)
        }
        let round = look.dot + look.text(Messages.round, ["round": String(session.round)])
        let place = zone.label(at: session.startsAt, for: look.zone).map { look.dot + $0 } ?? ""
        let detail = (isNarrow ? "" : round + look.dot + look.text(session.phase.phrase)) + place
        let room = max(4, countEnd - count.count - 2 - nameColumn - DisplayWidth.of(detail))
        let end = canvas.put(
            DisplayWidth.cut(TerminalEscaping.safe(session.meetingName), to: room), area, from: nameColumn,
            isChosen ? Style(bold: true) : .plain
        )
        canvas.put(
            detail,
            Area(column: area.column, row: area.row, columns: max(0, countEnd - count.count - 1), rows: 1),
            from: end, .faint)
    }
}

extension CommandPhrases.Dashboard {
    static let today = Phrase("Today")
    static let later = Phrase("Later")
    static let earlier = Phrase("Earlier")
    static let noSessions = Phrase("No sessions yet: qring meeting create NAME --now")
    static let nothingToday = Phrase("No session today")
}
