internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// A session's screen: the title, the code on the right where it has room, times and counts, and the pane
/// that was chosen.
enum SessionLayout {
    private typealias Messages = CommandPhrases.Dashboard

    /// What stands beside the code is at least as wide.
    private static let narrowest = 38
    /// From this width on the overview has two columns.
    static let wide = 74
    /// Across more than that the eye loses the row.
    private static let widestList = 60

    static func draw(_ session: SessionState, _ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        TitleBar.draw(session, dashboard, area.takeTop(1), &canvas)
        Footer.draw(dashboard, area.takeBottom(1), &canvas)
        let code = CodePanel(session, canvas.look)
        let hasCode = code.columns + 1 + narrowest <= area.columns && code.rows <= area.rows
        if hasCode {
            code.draw(area.takeRight(code.columns), &canvas)
            _ = area.takeRight(1)
        }
        _ = area.takeLeft(1)
        _ = area.takeRight(1)
        let isTall = area.rows >= 19
        if area.rows >= 26 { _ = area.takeTop(1) }
        TimesPanel.draw(session.body, at: dashboard.now, area.takeTop(isTall ? 2 : 1), &canvas)
        if isTall { _ = area.takeTop(1) }
        AttendancePanel.draw(session, area.takeTop(isTall ? 4 : 2), &canvas)
        if !hasCode, let joinCode = session.joinCode {
            var line = Line(canvas.look.text(Messages.joinCode) + "  ", .quiet)
            line.add(joinCode, .heading)
            canvas.put(line, area.takeTop(1))
        }
        if isTall { _ = area.takeTop(1) }
        drawTabs(dashboard, area.takeTop(1), &canvas)
        if area.rows >= 20 { _ = area.takeTop(1) }
        switch dashboard.pane {
        case .overview: drawOverview(session, dashboard, area, &canvas)
        case .attendees: AttendeePane.draw(session, isTyping: dashboard.isTyping, area, &canvas)
        case .questions: QuestionPane.draw(session, area, &canvas)
        }
    }

    static func name(_ pane: Dashboard.Pane) -> Phrase {
        switch pane {
        case .overview: Messages.overview
        case .attendees: Messages.attendees
        case .questions: Messages.questions
        }
    }

    private static func drawTabs(_ dashboard: Dashboard, _ area: Area, _ canvas: inout Canvas) {
        var column = 0
        for pane in Dashboard.Pane.allCases {
            let isChosen = pane == dashboard.pane
            let from = column
            let text = " \(pane.rawValue + 1) \(canvas.look.text(name(pane))) "
            column = canvas.put(
                text, area, from: column, isChosen ? Style(bold: true, reversed: true) : .quiet)
            canvas.mark(
                Area(column: area.column + from, row: area.row, columns: column - from, rows: 1), .pane(pane))
            // The smallest screen has no room between them.
            if area.columns >= 42 { column += 1 }
        }
    }

    private static func drawOverview(
        _ session: SessionState, _ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas
    ) {
        var area = whole
        if area.columns >= wide {
            // Names need no more than that; words that were written use all there is.
            let gap = area.columns >= 80 ? 4 : 2
            let left = area.takeLeft(min((area.columns - gap + 1) / 2, widestList))
            _ = area.takeLeft(gap)
            let right = area
            area = left
            QuestionPane.drawAll(session, right, &canvas)
            ArrivalsPanel.drawMinutes(
                session, at: dashboard.now, area.takeTop(area.rows >= 16 ? 6 : 4), &canvas)
            _ = area.takeTop(1)
            ArrivalsPanel.drawNewest(session, area, &canvas)
            return
        }
        guard area.rows >= 8 else {
            // The question is a key away; who comes is not to be missed.
            ArrivalsPanel.drawNewest(session, area, &canvas)
            return
        }
        let question = session.tallies.isEmpty ? 1 : min(7, (area.rows + 1) / 2)
        let bottom = area.takeBottom(question)
        ArrivalsPanel.drawMinutes(session, at: dashboard.now, area.takeTop(area.rows >= 10 ? 4 : 2), &canvas)
        ArrivalsPanel.drawNewest(session, area, &canvas)
        QuestionPane.draw(session, bottom, &canvas)
    }
}
