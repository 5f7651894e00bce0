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
