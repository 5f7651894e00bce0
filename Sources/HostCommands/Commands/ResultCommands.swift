import Client
package import CommandLine
import Meetings
import Phrases
import RecordText
import Terminal
import Wire

package enum ResultCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Forms = CommandPhrases.Forms
    private typealias Messages = CommandPhrases.Messages

    package static let all = [
        CommandDeclaration(
            "results", Help.results,
            examples: [
                .init("results @", Help.results), .init("results @ --follow", Help.resultsFollow),
                .init("results @ --csv results.csv", Forms.csv), .init("results @ --json", Help.json),
            ],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [
                .value("set", "NAME", Help.set), .flag("follow", Help.resultsFollow),
                .value("csv", "FILE", Forms.csv),
                .flag("bom", Forms.byteOrderMark), .json(of: ResultsBody.self),
            ], run: results)
    ]

    private static func results(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        if call.arguments.has("follow"), call.arguments.value("csv") != nil {
            throw .usage(.together("--follow", "--csv"))
        }
        let host = try call.host()
        let session = try await Reference(call.arguments.positional("SESSION") ?? "@", host).session(
            for: .people, telling: call)
        let name = call.arguments.value("set")
        if call.arguments.has("follow") {
            return try await FollowingResults.run(call, host, session, set: name)
        }
        if let path = call.arguments.value("csv") {
            let hasMark = call.arguments.has("bom")
            let file = try await calling { () async throws(APIError) in
                try await host.resultsFile(of: session.id, set: name, byteOrderMark: hasMark)
            }
            try call.write(file, to: path)
            return .success
        }
        show(
            try await calling { () async throws(APIError) in try await host.results(of: session.id, set: name)
            }, call)
        return .success
    }

    static func show(_ results: ResultsBody, _ call: Invocation) {
        if call.wantsJSON { return call.json(results) }
        let rate = "\(Int((results.responseRate * 100).rounded()))%"
        call.out(Messages.responses, ["count": String(results.responses), "rate": rate])
        tellTallies(results, call)
    }

    /// Prints how many responses are held back, and then a chart for each question.
    static func tellTallies(_ results: ResultsBody, _ call: Invocation) {
        if results.pending > 0 {
            let waiting = call.text(CommandPhrases.Tally.pending, ["count": String(results.pending)])
            call.console.out(TextWrapping.lines(waiting, indent: 0, width: call.console.width))
        }
        for tally in results.tallies { call.console.out("\n" + TallyText.write(tally, call)) }
    }
}

extension CommandPhrases.Forms {
    static let csv = Phrase(
        "write the answers as CSV to this file (- means standard output)",
        "답변을 CSV 파일로 저장, -는 표준 출력")
    static let byteOrderMark = Phrase(
        "add a byte order mark, so that spreadsheets detect UTF-8",
        "스프레드시트가 UTF-8을 알아보도록 BOM 추가")
}

extension CommandPhrases.Help {
    static let resultsFollow = Phrase("print the results again whenever they change", "결과가 바뀔 때마다 다시 출력")
    static let results = Phrase("show the results as bars", "결과를 막대로 보기")
}

extension CommandPhrases.Messages {
    static let responses = Phrase(
        "{count} answered ({rate} of those checked in)",
        "{count}명이 답변했습니다(체크인 인원의 {rate})")
}

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
        let figures = TallyFigures(rows)
        // A row also needs two columns before the label, two before the figures, and one before the bar.
        let room = min(widestBar, max(0, columns - width - figures.width - 5))
        return zip(rows, labels).map { row, label in
            let bar = Bars.bar(row.share, width: room, plain: !call.isUTF8)
            let line = "  \(DisplayWidth.padded(label, to: width))  \(figures.text(of: row))"
            return bar.isEmpty ? line : "\(line) \(bar)"
        }
    }

    /// Returns the result on one line, for `watch`.
    static func short(_ tally: TallyBody, _ call: Invocation) -> String {
        let shown = TallyRows(tally, in: call.language)
        let title = DisplayWidth.cut(TerminalEscaping.safe(shown.title), to: 40)
        let answers = String(shown.summary.answers ?? 0)
        if shown.summary.hiddenBelow != nil { return "\(title): \(summary(shown.summary, call))" }
        if tally.choices != nil || tally.words != nil {
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
