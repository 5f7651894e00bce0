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
                .init("results @ --output results.csv", Forms.csv),
                .init("results @ --statistics --output statistics.csv", Forms.statistics),
                .init("results @ --json", Help.json),
                .init("results @ --all", Help.resultsAll),
            ],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [
                .value("set", "SET", Help.set),
                .oneOf("order", ResultOrder.allCases.map(\.rawValue), Forms.order),
                .flag("follow", Help.resultsFollow),
                .flag("all", Help.resultsAll),
                .value("output", "FILE", Forms.csv), .flag("statistics", Forms.statistics),
                .value("csv", "FILE", Forms.csvOld),
                .json(of: ResultsBody.self),
            ] + CommandDeclaration.Option.table, run: results)
    ]

    private static func results(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let file = ["output", "csv"].first { call.arguments.value($0) != nil }
        let chosen = (file.map { [$0] } ?? []) + ["follow", "all"].filter { call.arguments.has($0) }
        guard chosen.count < 2 else { throw .usage(.together("--\(chosen[0])", "--\(chosen[1])")) }
        let isStatistics = call.arguments.has("statistics")
        if isStatistics, file == nil { throw .failed(Messages.statisticsNeedFile) }
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session(
            for: .people, telling: call)
        let (name, order) = (call.arguments.value("set"), call.choice("order", of: ResultOrder.self))
        if call.arguments.has("follow") {
            return try await FollowingResults.run(call, host, session, set: name, order: order)
        }
        if let path = file.flatMap({ call.arguments.value($0) }) {
            let file = try await calling { () async throws(APIError) in
                try await host.resultsFile(
                    of: session.id, set: name, statistics: isStatistics, order: order, call.table)
            }
            try call.write(file, to: path)
            return .success
        }
        let results = try await calling { () async throws(APIError) in
            var results = try await host.results(of: session.id, set: name, order: order)
            if call.arguments.has("all") { try await readTexts(of: &results, host) }
            return results
        }
        show(results, call)
        if name == nil, !call.wantsJSON {
            try await tellOtherSets(than: results.set, of: session, host, call)
        }
        return .success
    }

    /// Replaces the newest texts of each question with all texts.
    private static func readTexts(of results: inout ResultsBody, _ host: APIClient) async throws(APIError) {
        for index in results.tallies.indices where results.tallies[index].latest != nil {
            var texts: [TextAnswerBody] = []
            var cursor: String?
            repeat {
                let page = try await host.textAnswers(to: results.tallies[index].questionId, after: cursor)
                // A host sees the other texts where they are moderated.
                texts += page.items.filter { $0.status ?? .visible == .visible }
                cursor = page.nextCursor
            } while cursor != nil
            results.tallies[index].latest = texts
        }
    }

    static func show(_ results: ResultsBody, _ call: Invocation) {
        if call.wantsJSON { return call.json(results) }
        let rate = "\(Int((results.responseRate * 100).rounded()))%"
        call.out(Messages.responses, ["count": String(results.responses), "rate": rate])
        tellTallies(results, call, countsRest: true)
    }

    /// Names the other answered sets, such as polls, with the commands that show their results.
    private static func tellOtherSets(
        than shown: String, of session: SessionBody, _ host: APIClient, _ call: Invocation
    ) async throws(CommandFailure) {
        let sets = try await calling { () async throws(APIError) in try await host.sets(of: session.id) }
        let others = sets.filter { $0.set != shown && $0.responses > 0 }
        guard !others.isEmpty else { return }
        call.out("")
        for set in others {
            call.out(
                Messages.otherResults,
                [
                    "heading": PollCommands.heading(set, call),
                    "command": "qring results \(session.id.text) --set \(set.set)",
                ])
        }
    }

    /// Prints how many responses are held back, and then a chart for each question.
    /// - Parameter countsRest: whether to say how many written answers are left out.
    static func tellTallies(_ results: ResultsBody, _ call: Invocation, countsRest: Bool = false) {
        if results.pending > 0 {
            let waiting = call.text(CommandPhrases.Tally.pending, ["count": String(results.pending)])
            call.console.out(TextWrapping.lines(waiting, indent: 0, width: call.console.width))
        }
        for tally in results.tallies {
            call.console.out("\n" + TallyText.write(tally, call, countsRest: countsRest))
        }
    }
}

extension CommandPhrases.Forms {
    static let csv = Phrase("write the answers as CSV to this file (- means standard output)")
    static let statistics = Phrase(
        "with --output: write the statistics of each question instead of the answers")
    static let order = Phrase(
        "the order of the choices: as in the question, by count, or by the choices' values")
    static let csvOld = Phrase("the same as --output")
}

extension CommandPhrases.Help {
    static let resultsFollow = Phrase("print the results again whenever they change")
    static let resultsAll = Phrase("show all written answers, not only the newest")
    static let results = Phrase("show the results as bars")
}

extension CommandPhrases.Messages {
    static let otherResults = Phrase("Also answered: {heading}. Show it: {command}")
    static let statisticsNeedFile = Phrase(
        "--statistics needs --output FILE; add it, or leave --statistics out")
    static let repeatedText = Phrase.Page.repeatedText
    static let equalTexts = Phrase.Page.equalTexts
    static let equalTextsAmong = Phrase.Page.equalTextsAmong
    static let moreEqualTexts = Phrase.Page.moreEqualTexts
    static let moreTexts = Phrase("{count} more {count|answer|answers}: qring results {session} --all")
    static let responses = Phrase("{count} answered ({rate} of those checked in)")
}

/// Writes the result of a question as lines with bars.
enum TallyText {
    private typealias Messages = CommandPhrases.Tally
    private static let widestBar = 30
    private static let widestLabel = 32

    static func write(_ tally: TallyBody, _ call: Invocation, countsRest: Bool) -> String {
        let shown = TallyRows(tally, in: call.language)
        var lines =
            [TerminalEscaping.safe(shown.title)] + lines(of: summary(shown.summary, call), call, after: "  ")
            + bars(shown.rows, call) + texts(shown.texts, call)
        // A choice with its own text has more answers than texts, so only a short answer has a known
        // remainder.
        let missing = tally.isTextAlone ? tally.answers - shown.texts.count : 0
        if countsRest, tally.latest != nil, tally.hidden == nil, missing > 0 {
            let set = call.arguments.value("set").map { " --set \(Following.quoted($0))" } ?? ""
            let session = Following.quoted(call.arguments.positional("SESSION") ?? "@") + set
            lines.append(
                "  "
                    + call.text(
                        CommandPhrases.Messages.moreTexts, ["count": String(missing), "session": session]))
        }
        if let equal = tally.equalTexts, !call.arguments.has("all") {
            lines += self.lines(of: equal, among: tally, call)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the texts. With `--all`, equal texts are one text with their number.
    private static func texts(_ texts: [String], _ call: Invocation) -> [String] {
        guard call.arguments.has("all") else { return texts.flatMap { lines(of: $0, call, after: "  · ") } }
        return EqualTexts(texts).counts.flatMap { lines(of: $0, call) }
    }

    private static func lines(of equal: EqualTexts.Count, _ call: Invocation) -> [String] {
        guard equal.count > 1 else { return lines(of: equal.text, call, after: "  · ") }
        let values = ["text": equal.text, "count": String(equal.count)]
        return lines(of: call.text(CommandPhrases.Messages.repeatedText, values), call, after: "  · ")
    }

    /// Returns the texts that several answers share.
    private static func lines(of equal: TallyBody.SharedTexts, among tally: TallyBody, _ call: Invocation)
        -> [String]
    {
        typealias Messages = CommandPhrases.Messages
        let isWhole = !tally.isTextAlone || equal.compared >= tally.answers
        let title = call.text(
            isWhole ? Messages.equalTexts : Messages.equalTextsAmong, ["count": String(equal.compared)])
        let rest =
            equal.more > 0 ? ["  " + call.text(Messages.moreEqualTexts, ["count": String(equal.more)])] : []
        return ["  " + title + ":"] + equal.items.flatMap { lines(of: $0, call) } + rest
    }

    /// Returns a text after a bullet or a space, wrapped at the terminal's width.
    private static func lines(of text: String, _ call: Invocation, after start: String) -> [String] {
        let safe = TerminalEscaping.safe(text)
        let rows =
            call.console.width.map { DisplayWidth.wrapped(safe, to: max(10, $0 - start.count)) } ?? [safe]
        return rows.enumerated().map {
            ($0.offset == 0 ? start : String(repeating: " ", count: start.count)) + $0.element
        }
    }

    private static func summary(_ summary: TallyRows.Summary, _ call: Invocation) -> String {
        if let minimum = summary.hiddenBelow {
            return call.text(Messages.hidden, ["minimum": String(minimum)])
        }
        var parts = [call.text(Messages.answers, ["count": String(summary.answers ?? 0)])]
        if let average = summary.average { parts.append(call.text(Messages.average, ["value": average])) }
        if let most = summary.mostPoints {
            parts.append(call.text(Messages.rankedPoints, ["most": String(most)]))
        }
        if let median = summary.median { parts.append(call.text(Messages.median, ["value": median])) }
        if let deviation = summary.deviation {
            parts.append(call.text(Messages.deviation, ["value": deviation]))
        }
        if let mode = summary.mode { parts.append(call.text(Messages.mode, ["value": mode])) }
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
        if tally.isOrderedByCount {
            return "\(title): "
                + shown.rows.prefix(4).map { "\(TerminalEscaping.safe($0.title)) \($0.figure)" }.joined(
                    separator: ", ")
        }
        if let average = shown.summary.average {
            return "\(title): \(average)\(tally.unit.isEmpty ? "" : " \(tally.unit)") (\(answers))"
        }
        if let newest = shown.texts.first {
            return "\(title) (\(answers)): \(DisplayWidth.cut(TerminalEscaping.safe(newest), to: 60))"
        }
        return "\(title): \(answers)"
    }
}
