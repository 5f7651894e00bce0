internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Draws the screen of a session: the title, the times, the counts and the selected pane. If there is enough
/// room, the QR code is on the right.
enum SessionLayout {
    private typealias Messages = CommandPhrases.Dashboard

    /// The minimum width of the column beside the code, in cells.
    private static let narrowest = 38
    /// The width from which the overview has two columns, in cells.
    static let wide = 74
    /// The maximum width of the list of arrivals in cells, because readers lose the row in a wider list.
    private static let widestList = 60
    /// The screen from which the overview also shows the journal.
    private static let large = Size(columns: 116, rows: 36)
    /// The width of the overview from which the journal has a column of its own, in cells.
    private static let widest = 150
    /// The rows below the code that a list needs.
    private static let leastBelow = 6

    static func draw(_ session: SessionState, _ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        TitleBar.draw(session, dashboard, area.takeTop(1), &canvas)
        Footer.draw(dashboard, area.takeBottom(1), &canvas)
        let strip = area.takeTop(1)
        let stale = session.connection.staleness(at: dashboard.now)
        if let stale {
            StaleBanner.draw(stale, strip, &canvas)
        } else {
            NowStrip.draw(session, at: dashboard.now, strip, &canvas)
        }
        let code = CodePanel(session, canvas.look)
        let hasCode =
            !dashboard.hidesCode && code.columns + 1 + narrowest <= area.columns && code.rows <= area.rows
        var caption: String?
        var below: Area?
        if hasCode {
            var panel = area.takeRight(code.columns)
            if panel.rows >= code.wholeRows + leastBelow {
                below = panel.takeBottom(panel.rows - code.wholeRows)
            }
            code.draw(panel, &canvas)
            caption = code.captionBeside(panel)
            _ = area.takeRight(1)
        }
        _ = area.takeLeft(1)
        _ = area.takeRight(1)
        let numbers = area
        let isTall = area.rows >= 19
        if area.rows >= 26 { _ = area.takeTop(1) }
        TimesPanel.draw(session.body, at: dashboard.now, area.takeTop(isTall ? 2 : 1), &canvas)
        if isTall {
            let gap = area.takeTop(1)
            if let caption { canvas.put(DisplayWidth.cut(caption, to: gap.columns), gap, .quiet) }
        }
        AttendancePanel.draw(session, area.takeTop(isTall ? 4 : 2), &canvas)
        if !hasCode, let joinCode = session.joinCode {
            var line = Line(canvas.look.text(Messages.joinCode) + "  ", .quiet)
            line.add(joinCode, .heading)
            if let address = session.url.flatMap(JoinAddress.of) { line.add("  \(address)", .quiet) }
            canvas.put(line, area.takeTop(1))
        }
        // The strip at the top has taken the row of this gap on a screen of 24 rows.
        if area.rows >= 15 {
            let gap = area.takeTop(1)
            if showsFacts(dashboard.size) { FactsLine.draw(session, gap, &canvas) }
        }
        drawTabs(dashboard, area.takeTop(1), &canvas)
        if area.rows >= 20 { _ = area.takeTop(1) }
        switch dashboard.pane {
        case .overview: drawOverview(session, dashboard, area, below, &canvas)
        case .attendees: AttendeePane.draw(session, isTyping: dashboard.isTyping, area, &canvas)
        case .questions: QuestionPane.draw(session, at: dashboard.now, area, &canvas)
        case .audience: AudiencePane.draw(session, area, &canvas)
        case .journal: JournalPane.draw(session, from: session.journal.firstRow, area, &canvas)
        }
        if stale != nil { StaleBanner.dim(numbers, &canvas) }
    }

    /// Whether the screen of this dashboard needs events of the journal: it shows them, or the ages of
    /// question sets. Only then are they requested.
    static func needsJournal(_ dashboard: Dashboard) -> Bool {
        guard dashboard.session != nil else { return false }
        return dashboard.pane == .journal || dashboard.pane == .questions
            || dashboard.cover == .voice || showsJournal(dashboard)
    }

    /// Whether a screen has room for the facts, which need the session before.
    static func showsFacts(_ size: Size) -> Bool { size.columns >= large.columns && size.rows >= large.rows }

    /// Whether the overview has room for the journal.
    private static func showsJournal(_ dashboard: Dashboard) -> Bool {
        dashboard.pane == .overview && showsFacts(dashboard.size)
    }

    static func name(_ pane: Dashboard.Pane) -> Phrase {
        switch pane {
        case .overview: Messages.overview
        case .attendees: Messages.attendees
        case .questions: Messages.questions
        case .audience: Messages.audience
        case .journal: Messages.journalPane
        }
    }

    private static func shortName(_ pane: Dashboard.Pane) -> Phrase {
        switch pane {
        case .overview: Messages.shortOverview
        case .attendees: Messages.shortAttendees
        case .questions: Messages.shortQuestions
        case .audience: Messages.shortAudience
        case .journal: Messages.shortJournal
        }
    }

    private static func drawTabs(_ dashboard: Dashboard, _ area: Area, _ canvas: inout Canvas) {
        var column = 0
        let look = canvas.look
        func whole(_ pane: Dashboard.Pane) -> String { " \(pane.rawValue + 1) \(look.text(name(pane))) " }
        let panes = Dashboard.Pane.allCases
        let widths = panes.reduce(0) { $0 + DisplayWidth.of(whole($1)) }
        let isNarrow = widths > area.columns
        // Leave out the gaps between the tabs if there is no room for them.
        let hasGaps = isNarrow ? area.columns >= 42 : widths + panes.count - 1 <= area.columns
        // On a narrow screen, the tabs have short names if these fit, or else only the chosen tab has a name.
        func brief(_ pane: Dashboard.Pane) -> String {
            " \(pane.rawValue + 1) \(look.text(shortName(pane))) "
        }
        let hasBriefs = isNarrow && panes.reduce(0) { $0 + DisplayWidth.of(brief($1)) } <= area.columns
        for pane in panes {
            let isChosen = pane == dashboard.pane
            let from = column
            let text =
                hasBriefs ? brief(pane) : isChosen || !isNarrow ? whole(pane) : " \(pane.rawValue + 1) "
            column = canvas.put(
                text, area, from: column, isChosen ? Style(bold: true, reversed: true) : .quiet)
            canvas.mark(
                Area(column: area.column + from, row: area.row, columns: column - from, rows: 1), .pane(pane))
            if hasGaps, !hasBriefs { column += 1 }
        }
    }

    private static func drawOverview(
        _ session: SessionState, _ dashboard: Dashboard, _ whole: Area, _ below: Area?,
        _ canvas: inout Canvas
    ) {
        var area = whole
        if showsJournal(dashboard) {
            var journal = below
            if area.columns >= widest {
                journal = area.takeRight(min(widestList, area.columns / 3))
                _ = area.takeRight(4)
                // Below the code there is room for what the audience writes.
                if let below, session.voices.board != nil || !session.textQuestions.isEmpty {
                    AudiencePane.draw(session, below, &canvas)
                }
            }
            // Without a code, the journal is below the questions' neighbours.
            if journal == nil, area.columns >= wide { journal = area.takeBottom(area.rows / 3) }
            if let journal { JournalPane.draw(session, from: 0, journal, &canvas) }
        }
        if area.columns >= wide {
            // The list of names needs only a limited width. The questions with their written answers use the
            // remaining width.
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
            // If there is little room, show arrivals instead of the question, because arrivals must be
            // visible immediately and a key shows the question.
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

/// Draws the phase and the countdowns, and below them the start, the late limit and the end.
enum TimesPanel {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionBody, at now: Instant, _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        let late = session.startsAt + .minutes(session.lateAfterMinutes)
        var line = Line()
        for (index, countdown) in countdowns(session, late, now, look).enumerated() {
            if index > 0 { line.add("  ") }
            line.add(countdown, index == 0 ? Style(.cyan, bold: true) : .quiet)
        }
        // Omit the phase if there is no room, because the countdowns also show it.
        let phase = look.text(session.phase.phrase) + look.dot
        var column = 0
        if DisplayWidth.of(phase) + line.width <= area.columns {
            column = canvas.put(phase, area, row: 0, .heading)
        }
        canvas.put(line, area, row: 0, from: column)
        let zone = Zone.named(session.timeZone)
        let isSameDay = WallTime(now, in: zone).date == WallTime(session.startsAt, in: zone).date
        var times = Line(
            isSameDay ? "" : "\(session.startsAt.wall(in: zone).dropFirst(5).prefix(5)) ", .quiet)
        for (index, (phrase, moment)) in [
            (Messages.start, session.startsAt), (Messages.late, late), (Messages.end, session.endsAt),
        ].enumerated() {
            if index > 0 { times.add("  ") }
            let isPast = moment <= now
            times.add(isPast && look.isUTF8 ? "\(look.check) " : "", .faint)
            times.add("\(look.text(phrase)) ", isPast ? .faint : .quiet)
            let wall = moment.wall(in: zone)
            // An end on another day also has its date.
            let isOtherDay = wall.prefix(10) != session.startsAt.wall(in: zone).prefix(10)
            times.add(String(isOtherDay ? wall.dropFirst(5) : wall.suffix(5)), isPast ? .faint : Style())
        }
        canvas.put(times, area, row: 1)
        guard let label = zone.label(at: now, for: look.zone).map({ "  \($0)" }) else { return }
        // The label is whole, or it is above, or only the title bar has it.
        for (row, used) in [(1, times.width), (0, column + line.width)]
        where used + DisplayWidth.of(label) <= area.columns {
            canvas.put(label, area, row: row, from: used, .faint)
            return
        }
    }

    /// Returns the countdowns to the next change of the session and to its end.
    private static func countdowns(_ session: SessionBody, _ late: Instant, _ now: Instant, _ look: Look)
        -> [String]
    {
        func said(_ phrase: Phrase, _ moment: Instant) -> String {
            look.text(phrase, ["time": length(moment.since(now), look)])
        }
        if now < session.checkInOpensAt {
            return [
                said(Messages.startsIn, session.startsAt), said(Messages.opensIn, session.checkInOpensAt),
            ]
        }
        if now < session.startsAt { return [said(Messages.startsIn, session.startsAt)] }
        if now <= late, late < session.endsAt {
            return [said(Messages.lateIn, late), said(Messages.endsIn, session.endsAt)]
        }
        if now <= session.endsAt { return [said(Messages.endsIn, session.endsAt)] }
        return [look.text(Messages.endedAgo, ["time": length(now.since(session.endsAt), look)])]
    }

    /// Returns a length of time: `5:08`, `1:04:59`, `3 d 4:00:00`. Parts of a second are rounded up.
    static func length(_ duration: Duration, _ look: Look) -> String {
        let seconds = max(0, (duration.wholeMilliseconds + 999) / 1000)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
        let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60)
        let clock =
            seconds >= 3600
            ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
        guard seconds >= 86_400 else { return clock }
        return look.text(
            Messages.days, ["days": String(seconds / 86_400), "time": "\(hours):\(two(minutes))"])
    }
}

extension CommandPhrases.Dashboard {
    static let startsIn = Phrase("starts in {time}")
    static let opensIn = Phrase("check-in opens in {time}")
    static let lateIn = Phrase("late in {time}")
    static let endsIn = Phrase("ends in {time}")
    static let endedAgo = Phrase("ended {time} ago")
    static let start = Phrase("start")
    static let late = Phrase("late")
    static let end = Phrase("end")
    static let days = Phrase("{days} d {time}")
    static let shortOverview = Phrase("All", context: "tab")
    static let shortAttendees = Phrase("People", context: "tab")
    static let shortQuestions = Phrase("Polls", context: "tab")
    static let shortAudience = Phrase("Asked", context: "tab")
    static let shortJournal = Phrase("Log", context: "tab")
    static let overview = Phrase("Overview")
    static let attendees = Phrase("Attendees")
    static let questions = Phrase("Questions")
    static let journalPane = Phrase("Journal")
}
