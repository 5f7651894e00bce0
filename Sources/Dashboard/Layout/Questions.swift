internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The questions' results: one alone, or as many below each other as there is room for.
enum QuestionPane {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionState, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        let (look, tallies) = (canvas.look, session.tallies)
        guard tallies.indices.contains(session.question) else {
            canvas.put(look.text(Messages.noQuestions), area, .faint)
            return
        }
        let head = area.takeTop(1)
        canvas.mark(whole, .nextQuestion)
        let tally = tallies[session.question]
        canvas.put(Self.head(session, tally, look, columns: head.columns), head)
        canvas.put(TerminalEscaping.safe(tally.title), area.takeTop(1), .heading)
        TallyChart.draw(tally, area, &canvas)
    }

    /// Which question it is, and its summary. Where there is no room for both, the summary keeps its place:
    /// `2/12` says which as well.
    private static func head(_ session: SessionState, _ tally: TallyBody, _ look: Look, columns: Int) -> Line
    {
        let (number, count) = (String(session.question + 1), String(session.tallies.count))
        let summary = TallyChart.summary(tally, pending: session.pending[tally.set] ?? 0, look)
        let whole = look.text(Messages.question, ["number": number, "count": count]) + look.dot
        var line = Line(
            DisplayWidth.of(whole) + summary.width <= columns ? whole : "\(number)/\(count)\(look.dot)",
            .quiet)
        for part in summary.parts { line.add(part.text, part.style) }
        return line
    }

    /// From the one that is chosen on.
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
        for tally in tallies[session.question...] {
            let rows = TallyChart.rows(tally)
            // One that would be cut to its title tells nothing.
            guard area.rows >= min(rows, 3) else { return }
            var part = area.takeTop(rows)
            canvas.put(TerminalEscaping.safe(tally.title), part.takeTop(1), .heading)
            canvas.put(
                TallyChart.summary(tally, pending: session.pending[tally.set] ?? 0, look), part.takeTop(1))
            TallyChart.draw(tally, part, &canvas)
            _ = area.takeTop(1)
        }
    }
}

/// A question's result: bars, a histogram, or the newest texts. A kind that this version does not know still
/// has its summary.
enum TallyChart {
    private typealias Messages = CommandPhrases.Dashboard

    private struct Bar {
        let label: String
        let count: Int
    }

    /// How many rows all of it takes, with its title and its summary.
    static func rows(_ tally: TallyBody) -> Int { 2 + (bars(tally)?.count ?? tally.latest?.count ?? 0) }

    /// How many answers there are, and their average, or why that is hidden; and how many wait until their
    /// group is complete.
    static func summary(_ tally: TallyBody, pending: Int, _ look: Look) -> Line {
        var line = summary(tally, look)
        if pending > 0 {
            line.add(look.dot, .faint)
            line.add(look.text(Messages.pending, ["count": String(pending)]), .faint)
        }
        return line
    }

    private static func summary(_ tally: TallyBody, _ look: Look) -> Line {
        if let hidden = tally.hidden {
            return Line(
                look.text(CommandPhrases.Messages.hidden, ["minimum": String(hidden.minimum)]), .faint)
        }
        guard tally.answers > 0 else { return Line(look.text(Messages.noAnswers), .faint) }
        var line = Line(
            look.text(
                tally.answers == 1 ? Messages.oneAnswer : Messages.answers, ["count": String(tally.answers)]),
            .quiet)
        if let average = tally.average {
            line.add(look.dot, .faint)
            line.add(look.text(Messages.average, ["value": String(average)]), Style(.yellow, bold: true))
        }
        return line
    }

    /// The bars or texts alone, as many as there is room for.
    static func draw(_ tally: TallyBody, _ area: Area, _ canvas: inout Canvas) {
        if tally.hidden != nil { return }
        if let bars = bars(tally) {
            drawBars(bars, area, &canvas)
        } else {
            drawTexts(tally.latest ?? [], area, &canvas)
        }
    }

    private static func bars(_ tally: TallyBody) -> [Bar]? {
        if tally.hidden != nil { return nil }
        if let choices = tally.choices {
            return choices.map { Bar(label: TerminalEscaping.safe($0.label), count: $0.count) }
        }
        if let counts = tally.counts {
            return counts.enumerated().reversed().map { Bar(label: "\($0.offset + 1)★", count: $0.element) }
        }
        return tally.histogram?.map { Bar(label: range($0), count: $0.count) }
    }

    /// `2–4`, and a whole number alone where nothing else lies in it.
    private static func range(_ bar: TallyBody.Bar) -> String {
        func said(_ number: Double) -> String {
            number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
        }
        return "\(said(bar.from))–\(said(bar.to))"
    }

    private static func drawBars(_ bars: [Bar], _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        let labels = bars.map { $0.label.replacing("★", with: look.star).replacing("–", with: look.dash) }
        let most = max(1, bars.map(\.count).max() ?? 0)
        let digits = String(most).count
        let widest = min(labels.map { DisplayWidth.of($0) }.max() ?? 0, max(6, area.columns / 2 - 2))
        for (row, (bar, label)) in zip(bars, labels).prefix(area.rows).enumerated() {
            canvas.put(DisplayWidth.cut(label, to: widest), area, row: row)
            let count = String(bar.count)
            canvas.put(count, area, row: row, from: widest + 1 + digits - count.count, .quiet)
            let room = area.columns - widest - digits - 3
            let share = Double(bar.count) / Double(most)
            canvas.put(
                Bars.bar(share, width: max(0, room), plain: !look.isUTF8), area, row: row,
                from: widest + digits + 2, Style(.blue))
        }
    }

    private static func drawTexts(_ texts: [TextAnswerBody], _ area: Area, _ canvas: inout Canvas) {
        let mark = canvas.look.isUTF8 ? "· " : "- "
        for (row, text) in texts.prefix(area.rows).enumerated() {
            let end = canvas.put(mark, area, row: row, .faint)
            canvas.put(TerminalEscaping.safe(text.text), area, row: row, from: end)
        }
    }
}
