internal import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// A question's result as lines, with bars.
enum TallyText {
    private typealias Messages = CommandPhrases.Messages
    private typealias Forms = CommandPhrases.Forms
    private static let widestBar = 30
    private static let widestLabel = 32

    static func write(_ tally: TallyBody, _ call: Invocation) -> String {
        var lines = [TerminalEscaping.safe(tally.title)]
        if let hidden = tally.hidden {
            lines.append("  " + call.text(Messages.hidden, ["minimum": String(hidden.minimum)]))
            return lines.joined(separator: "\n") + "\n"
        }
        var said = call.text(Messages.answers, ["count": String(tally.answers)])
        if let average = tally.average {
            said += ", " + call.text(Messages.average, ["value": String(average)])
        }
        if let median = tally.median {
            said += ", " + call.text(Forms.median, ["value": Amount.text(median)])
        }
        if let quartiles = tally.quartiles, quartiles.count == 3 {
            said +=
                ", "
                + call.text(
                    Forms.quartiles, ["low": Amount.text(quartiles[0]), "high": Amount.text(quartiles[2])])
        }
        lines.append("  " + said)
        if let choices = tally.choices {
            lines += bars(choices.map { (TerminalEscaping.safe($0.label), $0.count) }, call)
        } else if let counts = tally.counts {
            lines += bars(counts.enumerated().reversed().map { ("★\($0.offset + 1)", $0.element) }, call)
        }
        if let histogram = tally.histogram {
            lines += bars(histogram.map { ("\(Amount.text($0.from))–\(Amount.text($0.to))", $0.count) }, call)
        }
        for text in tally.latest ?? [] { lines.append("  · \(TerminalEscaping.safe(text.text))") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func bars(_ rows: [(label: String, count: Int)], _ call: Invocation) -> [String] {
        let most = max(1, rows.map(\.count).max() ?? 0)
        let columns = call.console.width ?? 80
        let labels = rows.map { DisplayWidth.cut($0.label, to: min(widestLabel, max(8, columns / 2))) }
        let width = labels.map { DisplayWidth.of($0) }.max() ?? 0
        let digits = String(most).count
        // Two before the label, two before the count, one before the bar.
        let room = min(widestBar, max(0, columns - width - digits - 5))
        return zip(rows, labels).map { row, label in
            let count = String(repeating: " ", count: digits - String(row.count).count) + String(row.count)
            let bar = Bars.bar(Double(row.count) / Double(most), width: room, plain: !call.isUTF8)
            let line = "  \(DisplayWidth.padded(label, to: width))  \(count)"
            return bar.isEmpty ? line : "\(line) \(bar)"
        }
    }

    /// On one line, for `watch`.
    static func short(_ tally: TallyBody, _ call: Invocation) -> String {
        let title = DisplayWidth.cut(TerminalEscaping.safe(tally.title), to: 40)
        if let hidden = tally.hidden {
            return "\(title): \(call.text(Messages.hidden, ["minimum": String(hidden.minimum)]))"
        }
        if let choices = tally.choices {
            return "\(title): "
                + choices.prefix(4).map { "\(TerminalEscaping.safe($0.label)) \($0.count)" }.joined(
                    separator: ", ")
        }
        if let average = tally.average {
            return "\(title): \(tally.kind == .rating ? "★" : "")\(average) (\(tally.answers))"
        }
        if let newest = tally.latest?.first {
            return
                "\(title) (\(tally.answers)): \(DisplayWidth.cut(TerminalEscaping.safe(newest.text), to: 60))"
        }
        return "\(title): \(tally.answers)"
    }
}
