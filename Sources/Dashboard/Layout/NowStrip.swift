internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// Draws the row below the title: what phones and the hall's screen show now.
enum NowStrip {
    private typealias Messages = CommandPhrases.Dashboard

    /// The least width of the part for phones beside the part for the hall, in cells.
    private static let narrowest = 36

    static func draw(_ session: SessionState, at now: Instant, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        _ = area.takeLeft(1)
        _ = area.takeRight(1)
        let (look, shown) = (canvas.look, session.shown(at: now))
        var hall = Line("\(look.text(Messages.hall))  ", .quiet)
        hall.add(look.text(word(shown.hall)), shown.hall == .code ? .plain : .heading)
        if hall.width + 3 + narrowest <= area.columns {
            let right = area.takeRight(hall.width)
            _ = area.takeRight(3)
            canvas.put(hall, right)
        }
        var line = Line()
        if session.isOver { line.add("\(look.text(Messages.sessionOver))  ", Style(.magenta, bold: true)) }
        line.add("\(look.text(Messages.phones))  ", .quiet)
        switch shown.phones {
        case .questions(let set, let others): add(set, others: others, to: &line, area.columns, look)
        case .results(let set): add(set, others: 0, to: &line, area.columns, look)
        case .checkIn: line.add(look.text(Messages.phonesCheckIn))
        case .nothing: line.add(look.text(Messages.phonesNothing), .faint)
        }
        canvas.put(line, area)
    }

    /// Adds the set with its state. Its heading is cut, because its state is more important.
    private static func add(
        _ set: QuestionSetSummary, others: Int, to line: inout Line, _ columns: Int, _ look: Look
    ) {
        var state = SetList.state(set, look)
        state.add(look.dot + SetList.answers(set, look), .quiet)
        if others > 0 { state.add("  +\(others)", .heading) }
        let mark = SetList.mark(set, look)
        line.add("\(mark.text) ", mark.style)
        let room = columns - line.width - state.width - 2
        if room > 3 {
            line.add(DisplayWidth.cut(SetList.heading(set, look), to: room), .heading)
            line.add("  ")
        }
        for part in state.parts { line.add(part.text, part.style) }
    }

    private static func word(_ hall: ShownNow.Hall) -> Phrase {
        switch hall {
        case .code: Messages.keyCode
        case .question: Messages.keyQuestion
        case .results: Messages.hallResults
        case .thanks: Messages.hallThanks
        }
    }
}

/// Draws the row below the title if what the screen shows is stale: its age, and the key that connects again.
enum StaleBanner {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ age: Duration, _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        canvas.fill(area, " ", .alarm)
        let end = canvas.put(
            look.text(Messages.lastUpdate, ["time": length(age, look)]), area, from: 1, .alarm)
        canvas.put(
            "\(Command.retry.declaration.label ?? "") \(look.text(Messages.keyRetry))", area, from: end + 2,
            .alarm)
    }

    /// Makes the numbers and names of an area faint, so that nobody reads them as the present ones.
    static func dim(_ area: Area, _ canvas: inout Canvas) {
        canvas.restyle(area) { style in
            (style.ink, style.isBold) = (.faint, false)
        }
    }

    /// Returns seconds up to two minutes, and then minutes, because an old age need not change each second.
    private static func length(_ age: Duration, _ look: Look) -> String {
        let seconds = age.wholeMilliseconds / 1000
        return seconds < 120
            ? look.text(Messages.ageSeconds, ["seconds": String(seconds)]) : SetList.age(age, look)
    }
}

/// Draws the question sets of a session, one a row: its heading, its state, its answers, and the time since
/// its state changed.
enum SetList {
    private typealias Messages = CommandPhrases.Dashboard

    /// The width from which a row has the word for answers, in cells.
    private static let wide = 60

    static func draw(_ session: SessionState, at now: Instant, _ area: Area, _ canvas: inout Canvas) {
        let (look, sets) = (canvas.look, session.listedSets)
        let chosen = sets.firstIndex { $0.set == session.shownSet?.set }
        let first = max(0, min((chosen ?? 0) - area.rows / 2, sets.count - area.rows))
        let shown = sets[first..<min(sets.count, first + area.rows)]
        let isWide = area.columns >= wide
        let counts = shown.map { isWide ? answers($0, look) : String($0.responses) }
        let ages = shown.map { session.changed($0).map { age(now.since($0), look) } ?? "" }
        let (widestCount, widestAge) = (width(counts), width(ages))
        let behind = widestCount + (widestAge > 0 ? widestAge + 2 : 0)
        for (index, set) in shown.enumerated() {
            let row = Area(column: area.column, row: area.row + index, columns: area.columns, rows: 1)
            let isChosen = first + index == chosen
            if isChosen { canvas.put(look.pointer, row, .key) }
            let mark = mark(set, look)
            canvas.put(mark.text, row, from: 2, mark.style)
            let state = state(set, look)
            let end = area.columns - behind - 2
            let room = end - 4 - state.width - 2
            let heading = DisplayWidth.cut(heading(set, look), to: max(1, room))
            canvas.put(heading, row, from: 4, isChosen ? Style(bold: true) : .plain)
            canvas.put(state, row, from: max(5, end - state.width))
            let count = area.columns - behind + widestCount - DisplayWidth.of(counts[index])
            canvas.put(counts[index], row, from: count, .quiet)
            canvas.put(ages[index], row, from: area.columns - DisplayWidth.of(ages[index]), .faint)
            canvas.mark(row, .set(set.set))
        }
    }

    private static func width(_ texts: [String]) -> Int { texts.map { DisplayWidth.of($0) }.max() ?? 0 }

    /// The sign before a set: full if phones show the set as open.
    static func mark(_ set: QuestionSetSummary, _ look: Look) -> Line.Part {
        set.open
            ? Line.Part(text: look.bullet, style: Style(.green, bold: true))
            : Line.Part(text: look.circle, style: .faint)
    }

    static func heading(_ set: QuestionSetSummary, _ look: Look) -> String {
        TerminalEscaping.safe(set.heading(in: look.language))
    }

    /// The words for a set's state: open, closed or prepared, and whether attendees see its results.
    static func state(_ set: QuestionSetSummary, _ look: Look) -> Line {
        var line =
            if set.set == QuestionSet.checkIn {
                Line(look.text(Messages.atCheckIn), .quiet)
            } else if set.open {
                Line(look.text(Messages.setOpen), Style(.green, bold: true))
            } else {
                Line(look.text(set.wasOpen ? Messages.setClosed : Messages.setPrepared), .quiet)
            }
        if set.shared { line.add(look.dot + look.text(Messages.setShared), Style(.magenta, bold: true)) }
        return line
    }

    static func answers(_ set: QuestionSetSummary, _ look: Look) -> String {
        look.text(Messages.allTexts, ["count": String(set.responses)])
    }

    /// Returns a length of time in full minutes, so that the row changes once a minute.
    static func age(_ time: Duration, _ look: Look) -> String {
        let minutes = max(0, time.wholeMilliseconds / 60_000)
        guard minutes >= 60 else {
            return minutes == 0
                ? look.text(Messages.ageNow) : look.text(Messages.ageMinutes, ["minutes": String(minutes)])
        }
        return look.text(
            Messages.ageHours, ["hours": String(minutes / 60), "minutes": String(minutes % 60)])
    }
}

extension CommandPhrases.Dashboard {
    static let phones = Phrase("phones")
    static let hall = Phrase("hall", context: "dashboard")
    static let phonesCheckIn = Phrase("check-in")
    static let phonesNothing = Phrase("nothing to answer")
    static let hallResults = Phrase("results", context: "dashboard")
    static let hallThanks = Phrase("thanks", context: "dashboard")
    static let atCheckIn = Phrase("at check-in", context: "dashboard")
    static let setOpen = Phrase("open", context: "question set")
    static let setClosed = Phrase("closed", context: "question set")
    static let setPrepared = Phrase("prepared", context: "question set")
    static let setShared = Phrase("shared", context: "question set")
    static let ageNow = Phrase("now", context: "age")
    static let sessionOver = Phrase("session over")
    static let lastUpdate = Phrase("last update {time} ago")
    static let ageSeconds = Phrase("{seconds} s", context: "age")
    static let ageMinutes = Phrase("{minutes} min")
    static let ageHours = Phrase("{hours} h {minutes} min")
}
