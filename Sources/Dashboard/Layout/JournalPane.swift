internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Draws the newest events of the session's journal, the newest first.
enum JournalPane {
    private typealias Messages = CommandPhrases.Dashboard

    /// - Parameter first: the number of newer rows to leave out.
    static func draw(_ session: SessionState, from first: Int, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        let look = canvas.look
        canvas.put(look.text(Messages.journalPane), area.takeTop(1), .quiet)
        let rows = session.journal.rows.dropFirst(first)
        guard !rows.isEmpty else {
            let isRead = session.journal.readUpTo > 0 || session.sequence == 0
            canvas.put(look.text(isRead ? Messages.noEvents : Messages.loadingEvents), area, .faint)
            return
        }
        for (index, row) in rows.prefix(area.rows).enumerated() {
            let time = row.event.at.clock(in: session.zone).prefix(5)
            let end = canvas.put("\(time) ", area, row: index, .faint)
            var line = line(row.event, session, look, columns: area.columns - end)
            if row.count > 1 { line.add(" \(look.times)\(row.count)", .quiet) }
            canvas.put(line, area, row: index, from: end)
        }
    }

    /// Draws these events, one a row.
    static func draw(_ events: [EventBody], _ session: SessionState, _ area: Area, _ canvas: inout Canvas) {
        for (index, event) in events.prefix(area.rows).enumerated() {
            let time = event.at.clock(in: session.zone).prefix(5)
            let end = canvas.put("\(time) ", area, row: index, .faint)
            canvas.put(
                line(event, session, canvas.look, columns: area.columns - end), area, row: index, from: end)
        }
    }

    /// Returns the event's kind, its attendee and its details, as far as they fit.
    private static func line(
        _ event: EventBody, _ session: SessionState, _ look: Look, columns: Int
    ) -> Line {
        let (zone, day) = (session.zone, session.body.startsAt.wall(in: session.zone).prefix(10))
        var line = Line()
        if let name = event.attendeeName {
            let room = max(8, columns / 2)
            line.add(DisplayWidth.cut(TerminalEscaping.safe(name), to: room) + " ", Style(bold: true))
        }
        line.add(look.text(event.kind.phrase), style(event.kind))
        var details = [EventText.details(of: event, in: look.language, zone: zone, day: String(day))]
        if let note = event.note { details.append("\"\(note)\"") }
        if case .account = Event.Actor(event.actor), let name = event.actorName { details.append(name) }
        for detail in details where !detail.isEmpty {
            line.add(look.dot + TerminalEscaping.safe(detail), .quiet)
        }
        return line
    }

    private static func style(_ kind: Event.Kind) -> Style {
        switch kind {
        case .checkedIn, .added: Style(.green)
        case .withdrawn, .removed: Style(.red)
        case .corrected, .edited, .undone, .redone, .merged, .renamed, .moderated, .questionsMerged:
            Style(.yellow)
        default: .plain
        }
    }
}

/// Draws what is known about one attendee: the record, the totals, and the history over the series.
enum PersonPage {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionState, _ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = TitleBar.frame(session, dashboard, whole, &canvas)
        let look = canvas.look
        guard let details = session.details, let person = session.people[details.id] else {
            canvas.put(look.text(Messages.nobody), area, row: 1, .faint)
            return
        }
        if area.rows >= 16 { _ = area.takeTop(1) }
        canvas.put(TerminalEscaping.safe(person.name), area.takeTop(1), .heading)
        let facts = facts(person, session, details, look)
        let widest = facts.map { DisplayWidth.of($0.label) }.max() ?? 0
        for fact in facts {
            let rows = DisplayWidth.wrapped(fact.text, to: max(8, area.columns - widest - 2))
            for (index, text) in rows.enumerated() {
                let row = area.takeTop(1)
                if index == 0 { canvas.put(fact.label, row, .quiet) }
                canvas.put(text, row, from: widest + 2, fact.style)
            }
        }
        if area.rows >= 8 { _ = area.takeTop(1) }
        drawHistory(details, area, &canvas)
    }

    private static func facts(
        _ person: AttendeeBody, _ session: SessionState, _ details: SessionState.PersonDetails, _ look: Look
    ) -> [(label: String, text: String, style: Style)] {
        var facts: [(label: String, text: String, style: Style)] = []
        func add(_ label: Phrase, _ text: String?, _ style: Style = .plain) {
            guard let text, !text.isEmpty else { return }
            facts.append((look.text(label), TerminalEscaping.safe(text), style))
        }
        add(
            Messages.formStatus, look.status(person.status), Style(look.colour(of: person.status), bold: true)
        )
        let when = person.checkedInAt.map { $0.clock(in: session.zone) }
        let how = person.method.map { look.text($0.phrase) }
        add(Messages.personArrived, [when, how].compactMap { $0 }.joined(separator: look.dot))
        add(Messages.formEmail, person.email)
        add(Messages.formNumber, person.number)
        add(Messages.personTyped, person.typedName)
        let marks = [
            person.walkIn == true ? look.text(Messages.personWalkIn) : nil,
            person.firstTime == true ? look.text(Messages.personFirst) : nil,
            person.leftAt.map {
                look.text(Messages.personOut, ["time": String($0.clock(in: session.zone).prefix(5))])
            },
            person.presentMinutes.map { look.text(Messages.personMinutes, ["count": String($0)]) },
            person.partial == true ? look.text(Phrase.Export.partial) : nil,
        ]
        add(Messages.personMarks, marks.compactMap { $0 }.joined(separator: look.dot))
        add(Messages.formNote, person.note)
        if let totals = details.totals {
            let counts: [(AttendanceStatus, Int)] = [
                (.present, totals.present), (.late, totals.late), (.absent, totals.absent),
                (.excused, totals.excused),
            ]
            let partial = totals.partial.map { ["\(look.text(Phrase.Export.partial)) \($0)"] } ?? []
            add(
                Messages.personTotals,
                (counts.map { "\(look.status($0.0)) \($0.1)" } + partial).joined(separator: look.dot))
        }
        return facts
    }

    private static func drawHistory(
        _ details: SessionState.PersonDetails, _ whole: Area, _ canvas: inout Canvas
    ) {
        var area = whole
        let look = canvas.look
        let head = area.takeTop(1)
        canvas.put(look.text(Messages.personHistory), head, .heading)
        if !details.isComplete {
            canvas.put(look.text(Messages.loadingMore), atEndOf: head, .faint)
        } else if details.rounds.isEmpty {
            canvas.put(look.text(Messages.noHistory), area, .faint)
        }
        let rows = details.rounds.prefix(area.rows).map { row($0, look) }
        let names = rows.map { DisplayWidth.of($0.name) }.max() ?? 0
        let statuses = rows.map { DisplayWidth.of($0.status) }.max() ?? 0
        // On a narrow screen, the date is enough.
        let hasNames = dateWidth + names + 2 + statuses <= area.columns
        for (index, row) in rows.enumerated() {
            canvas.put(row.date, area, row: index, .quiet)
            if hasNames { canvas.put(row.name, area, row: index, from: dateWidth, .quiet) }
            canvas.put(
                row.status, area, row: index, from: hasNames ? dateWidth + names + 2 : dateWidth, row.style)
        }
    }

    /// The width of a date, with the gap behind it.
    private static let dateWidth = 18

    private static func row(_ round: SessionState.PersonDetails.Round, _ look: Look) -> (
        date: String, name: String, status: String, style: Style
    ) {
        let zone = Zone.named(round.session.timeZone)
        let status = round.attendee?.status
        let when = round.attendee?.checkedInAt.map { String($0.clock(in: zone).prefix(5)) + " " } ?? ""
        return (
            round.session.startsAt.wall(in: zone),
            look.text(Messages.round, ["round": String(round.session.round)]),
            when + (status.map(look.status) ?? look.dash), Style(status.map(look.colour) ?? .faint)
        )
    }
}

extension CommandPhrases.Dashboard {
    static let loadingEvents = Phrase("Loading…")
    static let noEvents = Phrase("No events yet")
    static let personArrived = Phrase("Checked in")
    static let personTyped = Phrase("Typed name")
    static let personMarks = Phrase("Marks")
    static let personWalkIn = Phrase("walk-in")
    static let personOut = Phrase("out since {time}")
    static let personMinutes = Phrase("{count} {count|minute|minutes} present")
    static let personFirst = Phrase("first time")
    static let personTotals = Phrase("All sessions", context: "journal")
    static let personHistory = Phrase("Earlier sessions")
    static let loadingMore = Phrase("loading…")
    static let noHistory = Phrase("No earlier session")
}
