internal import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Writes the result of a question as lines with bars.
enum TallyText {
    private typealias Messages = CommandPhrases.Tally
    private static let widestBar = 30
    private static let widestLabel = 32

    static func write(_ tally: TallyBody, _ call: Invocation) -> String {
        let shown = TallyRows(tally, in: call.language)
        let lines =
            [TerminalEscaping.safe(shown.title), "  " + summary(shown.summary, call)]
            + bars(shown.rows, call) + shown.texts.map { "  · \(TerminalEscaping.safe($0))" }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func summary(_ summary: TallyRows.Summary, _ call: Invocation) -> String {
        if let minimum = summary.hiddenBelow {
            return call.text(Messages.hidden, ["minimum": String(minimum)])
        }
        var parts = [call.text(Messages.answers, ["count": String(summary.answers ?? 0)])]
        if let average = summary.average { parts.append(call.text(Messages.average, ["value": average])) }
        if let median = summary.median { parts.append(call.text(Messages.median, ["value": median])) }
        if let low = summary.lowerQuartile, let high = summary.upperQuartile {
            parts.append(call.text(Messages.quartiles, ["low": low, "high": high]))
        }
        return parts.joined(separator: ", ")
    }

    private static func bars(_ rows: [TallyRows.Row], _ call: Invocation) -> [String] {
        let columns = call.console.width ?? 80
        let labels = rows.map {
            DisplayWidth.cut(TerminalEscaping.safe($0.title), to: min(widestLabel, max(8, columns / 2)))
        }
        let width = labels.map { DisplayWidth.of($0) }.max() ?? 0
        let digits = rows.map { String($0.count).count }.max() ?? 0
        // A row also needs two columns before the label, two before the count, and one before the bar.
        let room = min(widestBar, max(0, columns - width - digits - 5))
        return zip(rows, labels).map { row, label in
            let count = String(repeating: " ", count: digits - String(row.count).count) + String(row.count)
            let bar = Bars.bar(row.share, width: room, plain: !call.isUTF8)
            let line = "  \(DisplayWidth.padded(label, to: width))  \(count)"
            return bar.isEmpty ? line : "\(line) \(bar)"
        }
    }

    /// Returns the result on one line, for `watch`.
    static func short(_ tally: TallyBody, _ call: Invocation) -> String {
        let shown = TallyRows(tally, in: call.language)
        let title = DisplayWidth.cut(TerminalEscaping.safe(shown.title), to: 40)
        let answers = String(shown.summary.answers ?? 0)
        if shown.summary.hiddenBelow != nil { return "\(title): \(summary(shown.summary, call))" }
        if tally.choices != nil {
            return "\(title): "
                + shown.rows.prefix(4).map { "\(TerminalEscaping.safe($0.title)) \($0.count)" }.joined(
                    separator: ", ")
        }
        if let average = shown.summary.average {
            return "\(title): \(average)\(tally.kind == .rating ? " ★" : "") (\(answers))"
        }
        if let newest = shown.texts.first {
            return "\(title) (\(answers)): \(DisplayWidth.cut(TerminalEscaping.safe(newest), to: 60))"
        }
        return "\(title): \(answers)"
    }
}
