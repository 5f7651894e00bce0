internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Draws the first row: the meeting's name, the state of the connection, and the time.
enum TitleBar {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionState, _ dashboard: Dashboard, _ area: Area, _ canvas: inout Canvas) {
        let round = canvas.look.text(Messages.round, ["round": String(session.body.round)])
        draw(
            name: TerminalEscaping.safe(session.body.meetingName), detail: round, session.connection,
            dashboard.now, in: session.zone,
            label: session.zone.label(at: dashboard.now, for: canvas.look.zone), area, &canvas)
    }

    /// Draws the title and the footer of a page that covers the session. Returns the area between them.
    static func frame(
        _ session: SessionState, _ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas
    ) -> Area {
        var area = whole
        draw(session, dashboard, area.takeTop(1), &canvas)
        Footer.draw(dashboard, area.takeBottom(1), &canvas)
        _ = area.takeLeft(1)
        _ = area.takeRight(1)
        return area
    }

    static func draw(
        name: String, detail: String, _ connection: Connection, _ now: Instant, in zone: Zone,
        label: String?, _ area: Area, _ canvas: inout Canvas
    ) {
        let look = canvas.look
        canvas.fill(area, " ", .titleQuiet)
        let (state, isGood) = said(connection, now, look)
        let clock = now.clock(in: zone) + (label.map { " \($0)" } ?? "")
        // Omit the clock on a narrow screen, because the name is more important.
        let isNarrow = area.columns < 60
        var right = Line(isNarrow ? "" : "\(clock)  ", .titleQuiet)
        right.add("\(look.bullet) \(state) ", isGood ? .title : .alarm)
        canvas.put(right, area, from: max(0, area.columns - right.width))
        var left = area
        left.columns = max(0, area.columns - right.width - 1)
        let detailWidth = DisplayWidth.of(detail) + 3
        let end = canvas.put(
            DisplayWidth.cut(name, to: max(8, left.columns - 1 - detailWidth)), left, from: 1, .title)
        canvas.put(look.dot + detail, left, from: end, .titleQuiet)
    }

    private static func said(_ connection: Connection, _ now: Instant, _ look: Look) -> (String, isGood: Bool)
    {
        if let silence = connection.silence(at: now) {
            let seconds = String(silence.wholeMilliseconds / 1000)
            return (look.text(Messages.noAnswer, ["time": seconds]), false)
        }
        switch connection.state {
        case .connecting: return (look.text(Messages.connecting), false)
        case .live(let resumed):
            if let resumed, now.since(resumed.at) < Connection.resumptionShows {
                return (look.text(resumed.recovered ? Messages.resumed : Messages.reloaded), true)
            }
            return (look.text(Messages.live), true)
        case .waiting(let until):
            let seconds = (until.since(now).wholeMilliseconds + 999) / 1000
            guard seconds > 0 else { return (look.text(Messages.reconnectingNow), false) }
            return (look.text(Messages.reconnecting, ["time": String(seconds)]), false)
        }
    }
}

/// Draws the last row: the result of the last action, or else the most useful keys.
enum Footer {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        _ = area.takeLeft(1)
        if let question = dashboard.question {
            draw(question, dashboard, area, &canvas)
            return
        }
        if let notice = dashboard.notice {
            let style = notice.isTrouble ? .alarm : Style(bold: true)
            canvas.put(canvas.look.text(notice.text, notice.values), area, style)
            return
        }
        if dashboard.offersAfterwards {
            canvas.put(canvas.look.text(Messages.offersAfterwards), area, Style(bold: true))
            return
        }
        var line = Line()
        for (key, meaning) in keys(dashboard, canvas.look) {
            var next = line
            if !next.parts.isEmpty { next.add("  ") }
            next.add(key, .key)
            next.add(" \(canvas.look.text(meaning))", .quiet)
            if next.width <= area.columns { line = next }
        }
        canvas.put(line, area)
    }

    /// Draws the question before a change of all phones. The keys stand before the heading, which is cut.
    private static func draw(
        _ question: PhoneQuestion, _ dashboard: Dashboard, _ area: Area, _ canvas: inout Canvas
    ) {
        let (look, count) = (canvas.look, dashboard.session?.attendance.checkedIn ?? 0)
        var line = Line(look.text(question.asked, ["count": String(count)]), .alarm)
        for (key, meaning) in [("y", Messages.keyYes), ("Esc", Messages.keyNo)] {
            line.add("  ")
            line.add(key, .key)
            line.add(" \(look.text(meaning))", .quiet)
        }
        line.add("  ")
        let room = area.columns - line.width
        if room > 3 {
            line.add(DisplayWidth.cut(TerminalEscaping.safe(question.heading(look)), to: room), .heading)
        }
        canvas.put(line, area)
    }

    /// Returns the keys with their meanings, the most important first. Keys that do not fit are not shown.
    private static func keys(_ dashboard: Dashboard, _ look: Look) -> [(String, Phrase)] {
        func keys(_ commands: [Command]) -> [(String, Phrase)] {
            commands.compactMap { command in
                dashboard.word(of: command).map { (command.declaration.label ?? "", $0) }
            }
        }
        let choose = (look.upDown, Messages.keyChoose)
        if dashboard.palette != nil {
            return [("Enter", Messages.keyOpen), ("Esc", Messages.keyBack), choose]
        }
        if let form = dashboard.form {
            let save = form.purpose == .poll ? Messages.keyAsk : Messages.keySave
            return [("Enter", form.isLast ? save : Messages.keyNext), ("Esc", Messages.keyBack), choose]
        }
        if dashboard.session == nil {
            return keys([.help, .quit]) + [("Enter", Messages.keyOpen), choose] + keys([.palette])
        }
        if dashboard.isTyping { return [("Enter", Messages.keyDone), ("Esc", Messages.keyBack), choose] }
        switch dashboard.cover {
        case .texts:
            return [("Esc", Messages.keyBack)] + keys([.show, .hide, .undo]) + [choose]
        case .person:
            return [("Esc", Messages.keyBack)]
                + keys([.present, .late, .absent, .excused, .correct, .undo])
        case .voice:
            return [("Esc", Messages.keyBack)] + keys([.show, .hide, .answer, .pin, .undo, .copy]) + [choose]
        case .code, nil: break
        }
        switch dashboard.pane {
        case .overview:
            return keys([
                .help, .quit, .palette, .overview, .search, .code, .ask, .addAttendee, .undo, .nextQuestion,
                .texts, .extend,
            ])
        case .attendees:
            return keys([
                .help, .present, .late, .absent, .excused, .undo, .correct, .details, .pick, .search, .filter,
                .sort, .addAttendee, .quit,
            ])
        case .questions:
            return keys([
                .help, .quit, .turnPoll, .share, .ask, .openPoll, .texts, .nextQuestion, .palette, .code,
            ])
        case .audience:
            return keys([.help, .show, .hide, .answer, .pin, .undo, .openVoice, .turnAudience]) + [choose]
                + keys([.palette, .overview, .quit])
        case .journal: return keys([.help, .quit, .undo, .redo, .palette, .overview]) + [choose]
        }
    }
}

extension Dashboard {
    /// Returns the word of a command for the footer: what the key does now. Nil if it does nothing now.
    fileprivate func word(of command: Command) -> Phrase? {
        typealias Messages = CommandPhrases.Dashboard
        switch command {
        case .turnPoll:
            return session?.turnedPoll.map {
                $0.open ? Messages.keyClose : $0.wasOpen ? Messages.keyReopen : Messages.keyOpen
            }
        case .turnAudience:
            return session?.voices.board?.open == true ? Messages.keyCloseAsking : Messages.keyOpenAsking
        case .share: return session?.shownSet.map { $0.shared ? Messages.keyHide : Messages.keyShare }
        default: return command.declaration.word
        }
    }
}

extension CommandPhrases.Dashboard {
    static let keyYes = Phrase("yes")
    static let keyNo = Phrase("no")
    static let keyOpenAsking = Phrase("open questions")
    static let keyCloseAsking = Phrase("close questions")
    static let keyReopen = Phrase("reopen")
    static let live = Phrase("live")
    static let noAnswer = Phrase("no answer for {time} s")
    static let connecting = Phrase("connecting")
    static let reconnectingNow = Phrase("reconnecting")
    static let resumed = Phrase("reconnected")
    static let reloaded = Phrase("reloaded")
    static let keyOpen = Phrase("open", context: "command")
    static let keyBack = Phrase("back")
    static let keyDone = Phrase("done")
    static let keyChoose = Phrase("choose")
    static let keySave = Phrase("save")
    static let keyNext = Phrase("next line")
}
