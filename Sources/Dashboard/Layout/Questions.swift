internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Draws the results of questions: either one question, or as many as fit one below the other.
enum QuestionPane {
    private typealias Messages = CommandPhrases.Dashboard

    /// The rows of a chart that the list of sets leaves visible, if the screen has enough.
    private static let mostChart = 12

    /// Draws the list of question sets, and below it the selected question.
    static func draw(_ session: SessionState, at now: Instant, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        let sets = session.listedSets.count
        if sets > 0 {
            let tally =
                session.tallies.indices.contains(session.question)
                ? TallyChart.height(session.rows(of: session.tallies[session.question], canvas.look)) : 1
            let rows = min(sets, max(1, area.rows - 1 - min(tally, mostChart)))
            SetList.draw(session, at: now, area.takeTop(rows), &canvas)
            if area.rows > min(tally, mostChart) { _ = area.takeTop(1) }
        }
        draw(session, area, &canvas)
    }

    static func draw(_ session: SessionState, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        let (look, tallies) = (canvas.look, session.tallies)
        guard tallies.indices.contains(session.question) else {
            canvas.put(look.text(Messages.noQuestions), area, .faint)
            return
        }
        let head = area.takeTop(1)
        canvas.mark(whole, .nextQuestion)
        let tally = session.rows(of: tallies[session.question], look)
        canvas.put(Self.head(session, tally, look, columns: head.columns), head)
        canvas.put(TerminalEscaping.safe(tally.title), area.takeTop(1), .heading)
        TallyChart.draw(tally, area, &canvas)
    }

    /// Returns the question's number and its summary. If the screen is too narrow for both, the number is
    /// short: `2/12`.
    private static func head(_ session: SessionState, _ tally: TallyRows, _ look: Look, columns: Int) -> Line
    {
        let (number, count) = (String(session.question + 1), String(session.tallies.count))
        let summary = TallyChart.summary(tally, look)
        let whole = look.text(Messages.question, ["number": number, "count": count]) + look.dot
        var line = Line(
            DisplayWidth.of(whole) + summary.width <= columns ? whole : "\(number)/\(count)\(look.dot)",
            .quiet)
        for part in summary.parts { line.add(part.text, part.style) }
        return line
    }

    /// Draws the selected question and the following questions.
    static func drawAll(_ session: SessionState, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        let (look, tallies) = (canvas.look, session.tallies)
        guard !tallies.isEmpty else {
            canvas.put(look.text(Messages.noQuestions), area, .faint)
            return
        }
        canvas.mark(whole, .nextQuestion)
        let head = area.takeTop(1)
        canvas.put(
            look.text(
                Messages.question, ["number": String(session.question + 1), "count": String(tallies.count)])
                + look.dot + look.text(Messages.responded, ["count": String(session.responses)]), head, .quiet
        )
        for tally in tallies[session.question...].lazy.map({ session.rows(of: $0, look) }) {
            let rows = TallyChart.height(tally)
            // Stop here, because a chart without bars would not help the reader.
            guard area.rows >= min(rows, 3) else { return }
            var part = area.takeTop(rows)
            canvas.put(TerminalEscaping.safe(tally.title), part.takeTop(1), .heading)
            canvas.put(TallyChart.summary(tally, look), part.takeTop(1))
            TallyChart.draw(tally, part, &canvas)
            _ = area.takeTop(1)
        }
    }
}

extension SessionState {
    fileprivate func rows(of tally: TallyBody, _ look: Look) -> TallyRows {
        TallyRows(tally, pending: sets[tally.set]?.pending ?? 0, in: look.language)
    }
}

/// Draws the result of a question: its summary, and its bars or newest texts.
enum TallyChart {
    private typealias Messages = CommandPhrases.Tally

    /// Returns the number of rows of the whole chart, including its title and its summary.
    static func height(_ tally: TallyRows) -> Int { 2 + charted(tally) + (tally.summary.pending > 0 ? 1 : 0) }

    private static func charted(_ tally: TallyRows) -> Int { max(tally.rows.count, tally.texts.count) }

    /// Returns the number of answers, their average, and the number of held back answers. If the result is
    /// hidden, the line says so.
    static func summary(_ tally: TallyRows, _ look: Look) -> Line {
        let summary = tally.summary
        var line =
            if let minimum = summary.hiddenBelow {
                Line(look.text(Messages.hidden, ["minimum": String(minimum)]), .faint)
            } else if let answers = summary.answers, answers > 0 {
                Line(look.text(Messages.answers, ["count": String(answers)]), .quiet)
            } else {
                Line(look.text(CommandPhrases.Dashboard.noAnswers), .faint)
            }
        if let average = summary.average {
            line.add(look.dot, .faint)
            line.add(look.text(Messages.average, ["value": average]), Style(.yellow, bold: true))
        }
        if let most = summary.mostPoints {
            line.add(look.dot, .faint)
            line.add(look.text(Messages.points, ["most": String(most)]), .faint)
        }
        if summary.pending > 0 {
            line.add(look.dot, .faint)
            line.add(look.text(Messages.heldBack, ["count": String(summary.pending)]), .faint)
        }
        return line
    }

    /// Draws as many bars or texts as fit into the area, and below them why answers are held back.
    static func draw(_ tally: TallyRows, _ area: Area, _ canvas: inout Canvas) {
        if tally.rows.isEmpty {
            drawTexts(tally.texts, area, &canvas)
        } else {
            drawBars(tally.rows, area, &canvas)
        }
        let (pending, row) = (tally.summary.pending, charted(tally))
        guard pending > 0, row < area.rows else { return }
        let why = canvas.look.text(Phrase.Page.pending, ["count": String(pending)])
        let room = area.rows - row
        let lines =
            room == 1
            ? [DisplayWidth.cut(why, to: area.columns)] : DisplayWidth.wrapped(why, to: area.columns)
        for (index, line) in lines.prefix(room).enumerated() {
            canvas.put(line, area, row: row + index, .faint)
        }
    }

    private static func drawBars(_ rows: [TallyRows.Row], _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        let labels = rows.map {
            TerminalEscaping.safe($0.title).replacing("★", with: look.star).replacing("–", with: look.dash)
        }
        let figures = TallyFigures(rows)
        let widest = min(labels.map { DisplayWidth.of($0) }.max() ?? 0, max(6, area.columns / 2 - 2))
        for (index, (row, label)) in zip(rows, labels).prefix(area.rows).enumerated() {
            canvas.put(DisplayWidth.cut(label, to: widest), area, row: index)
            let start = canvas.put(figures.text(of: row), area, row: index, from: widest + 1, .quiet) + 1
            let room = max(0, area.columns - start - 1)
            canvas.put(
                Bars.bar(row.share, width: room, plain: !look.isUTF8), area, row: index, from: start,
                Style(.blue))
        }
    }

    private static func drawTexts(_ texts: [String], _ area: Area, _ canvas: inout Canvas) {
        let mark = canvas.look.isUTF8 ? "· " : "- "
        for (row, text) in texts.prefix(area.rows).enumerated() {
            let end = canvas.put(mark, area, row: row, .faint)
            canvas.put(TerminalEscaping.safe(text), area, row: row, from: end)
        }
    }
}

/// Draws all texts that answer a question, each on as many rows as it needs, with its status.
enum TextsPage {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionState, _ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = TitleBar.frame(session, dashboard, whole, &canvas)
        let look = canvas.look
        guard let open = session.texts,
            let tally = session.tallies.first(where: { $0.questionId == open.question })
        else { return }
        let head = area.takeTop(1)
        let count = look.text(
            open.isComplete ? Messages.allTexts : Messages.loading, ["count": String(open.texts.count)])
        let title = TerminalEscaping.safe(TallyRows(tally, in: look.language).title)
        canvas.put(
            DisplayWidth.cut(title, to: max(1, head.columns - DisplayWidth.of(count) - 2)), head, .heading)
        canvas.put(count, atEndOf: head, .quiet)
        _ = area.takeTop(1)
        let rows = Rows(open, dashboard.size, look.language)
        let first = rows.first(open)
        for (at, row) in rows.all.dropFirst(first).prefix(area.rows).enumerated() {
            let (isChosen, text) = (row.index == open.selected, open.texts[row.index])
            let style = isChosen ? Style(bold: true) : text.status == .hidden ? Style.faint : .plain
            if row.isFirst {
                let bullet = look.isUTF8 ? "·" : "-"
                canvas.put(isChosen ? look.pointer : bullet, area, row: at, isChosen ? .key : .faint)
                let (mark, colour) = AudiencePane.status(text.status?.rawValue ?? "", look)
                canvas.put(mark, atEndOf: area, row: at, colour)
            }
            canvas.put(row.text, area, row: at, from: 2, style)
        }
    }

    /// The rows of all texts on a screen.
    struct Rows {
        /// The rows of the screen around the texts: the title, the question, a gap and the footer.
        private static let around = 4

        private(set) var all: [(text: String, index: Int, isFirst: Bool)] = []
        /// The first row of each text, and the row after the last text.
        private var starts = [0]
        private let visible: Int

        init(_ open: SessionState.OpenTexts, _ size: Size, _ language: Language) {
            let statuses = TextStatus.allCases.compactMap { Phrase.Record.questionStatuses[$0.rawValue] }
            let widest = statuses.map { DisplayWidth.of($0.text(in: language)) }.max() ?? 0
            // At the left are the pointer and the margin, at the right the status and the margin.
            let columns = max(1, size.columns - widest - 5)
            visible = max(1, size.rows - Self.around)
            for (index, text) in open.texts.enumerated() {
                let lines = DisplayWidth.wrapped(TerminalEscaping.safe(text.text), to: columns)
                all += lines.enumerated().map { ($0.element, index, $0.offset == 0) }
                starts.append(all.count)
            }
        }

        /// Returns the first row on the screen if a text is selected and not scrolled. It keeps the text in
        /// the middle, if there are texts above and below it.
        private func first(_ index: Int) -> Int {
            max(0, min(starts[index] - visible / 3, all.count - visible))
        }

        /// Returns the rows by which a text must be scrolled until its end is on the screen.
        func lastLine(of index: Int) -> Int {
            guard index + 1 < starts.count else { return 0 }
            return max(0, starts[index + 1] - visible - first(index))
        }

        /// Returns the first row on the screen.
        func first(_ open: SessionState.OpenTexts) -> Int {
            guard open.selected + 1 < starts.count else { return 0 }
            return first(open.selected) + min(open.line, lastLine(of: open.selected))
        }
    }
}

extension CommandPhrases.Dashboard {
    static let noQuestions = Phrase("No questions")
    static let question = Phrase("Question {number} of {count}", context: "dashboard")
    static let noAnswers = Phrase("No answers yet")
    static let allTexts = Phrase("{count} {count|answer|answers}")
    static let responded = Phrase("{count} answered")
}
