import Client
import Meetings
import Terminal
import Testing
import Wire

@testable import Dashboard

/// Checks that `:` finds, completes and runs the commands of the command line.
struct CommandPaneTests {
    private let scene = Scene.usual()

    private var commands: LineCommands {
        LineCommands(
            [
                .init("results", "show the results"), .init("poll open", "open a poll"),
                .init("open", "open a page"),
            ],
            keys: ["z": "results {session}"],
            isComplete: {
                ["results", "results ", "results @", "poll open @ 2", "open", "open "].contains($0)
            },
            complete: { _, _ in [] }, run: { _, _, _ in 0 })
    }

    private var dashboard: Dashboard { scene.dashboard(80, 24, commands: commands) }

    private func context(_ columns: Int = 76) -> LineCommands.Context {
        .init(session: scene.body.id, attendee: nil, hasPlaceholders: false, columns: columns)
    }

    @Test func `a whole command line is the first entry, and Enter runs it about the open session`() {
        var dashboard = dashboard
        dashboard.press(":results")
        #expect(dashboard.palette?.entries.first?.item == .line("results"))
        #expect(dashboard.press(.enter) == [.runLine("results", context(), id: 1)])
        #expect(dashboard.palette == nil && dashboard.commandPane?.state == .running)
        #expect(dashboard.text().contains("Study group"), "the title stays visible")
    }

    @Test func `the name of a command is found by some of its letters, and then waits for its arguments`() {
        var dashboard = dashboard
        dashboard.press(":rslts")
        #expect(dashboard.palette?.entries.first?.text == "results")
        #expect(dashboard.press(.enter) == [.complete("results ", context())])
        #expect(dashboard.palette?.query == "results " && dashboard.commandPane == nil)
    }

    @Test func `an action of the dashboard precedes a command line that is not whole`() {
        var dashboard = dashboard
        dashboard.press(":open poll")
        #expect(dashboard.palette?.entries.first?.item == .command(.openPoll))
        #expect(dashboard.palette?.entries.last?.item == .line("open poll"))
    }

    @Test func `Tab writes the first word that can follow, and late words of another line are ignored`() {
        var dashboard = dashboard
        #expect(dashboard.press(":poll o").last == .complete("poll o", context()))
        let found = LineCommands.Completion(line: "poll open ", word: "open", meaning: "")
        _ = dashboard.take(.completed("poll ", [.init(line: "poll x ", word: "x", meaning: "")]))
        _ = dashboard.take(.completed("poll o", [found]))
        #expect(dashboard.palette?.entries.first?.item == .beginning("poll open "))
        #expect(dashboard.press(.tab) == [.complete("poll open ", context())])
        #expect(dashboard.palette?.query == "poll open ")
    }

    @Test func `Escape first stops a command, and then closes its output`() {
        var dashboard = dashboard
        let id = dashboard.runs("results")
        #expect(dashboard.press(.escape) == [.stopLine(id: id)])
        #expect(dashboard.commandPane?.state == .stopping)
        #expect(dashboard.press(.escape).isEmpty && dashboard.commandPane == nil)
        dashboard.take(.printed("late\n", isCut: false), of: id)
        #expect(dashboard.commandPane == nil)
    }

    @Test func `a question takes the keys until Enter, and a hidden answer is not shown`() {
        var dashboard = dashboard
        let id = dashboard.runs("results")
        dashboard.take(.asked("Password: ", isHidden: true), of: id)
        dashboard.press("q:y")
        #expect(dashboard.text().contains("Password:") && !dashboard.text().contains("q:y"))
        dashboard.press(.backspace)
        #expect(dashboard.press(.enter) == [.answerLine("q:", id: id)])
        #expect(dashboard.commandPane?.prompt == nil)
    }

    @Test func `output of an earlier command is not added to that of a later one`() {
        var dashboard = dashboard
        let first = dashboard.runs("results")
        dashboard.take(.ended(code: 0), of: first)
        dashboard.press(.enter)
        _ = dashboard.runs("results")
        dashboard.take(.printed("of the first\n", isCut: false), of: first)
        #expect(dashboard.commandPane?.lines == [])
    }

    @Test func `output cannot control the terminal, and columns stay aligned`() {
        var dashboard = dashboard
        let id = dashboard.runs("results")
        dashboard.take(.printed("\u{1B}]52;c;eA==\u{7}a\tb\u{202E}\nname    value\n", isCut: false), of: id)
        #expect(dashboard.commandPane?.lines == ["]52;c;eA==a     b", "name    value"])
        #expect(dashboard.text().contains("name    value"))
    }

    @Test func `a long line continues on the next row, also after the screen has changed`() {
        var dashboard = dashboard
        let id = dashboard.runs("results")
        dashboard.take(.printed(String(repeating: "가", count: 40) + "\n", isCut: false), of: id)
        #expect(dashboard.commandPane?.rows.map(\.count) == [38, 2])
        _ = dashboard.take(.screen(.resized(Size(columns: 40, rows: 12))))
        #expect(dashboard.commandPane?.rows.map(\.count) == [18, 18, 4])
    }

    @Test func `a command that never ends needs no more memory, and the newest lines stay`() {
        var pane = CommandPane(id: 1, line: "watch", columns: 76)
        for number in 1...40 {
            pane.add((1...500).map { "\(number).\($0)\n" }.joined(), isCut: false)
        }
        #expect(pane.lines.count <= CommandPane.mostAtOnce && pane.lines.last == "40.500")
        #expect(pane.isCut && pane.rows == pane.lines)
        pane.add(String(repeating: String(repeating: "x", count: 100_000) + "\n", count: 30), isCut: false)
        #expect(pane.lines.count == 10)
    }

    @Test func `a key of the host runs its line, and only such a line has placeholders`() {
        var dashboard = dashboard
        let line = LineCommands.Context(
            session: scene.body.id, attendee: nil, hasPlaceholders: true, columns: 76)
        #expect(dashboard.press("z") == [.runLine("results {session}", line, id: 1)])
    }

    @Test
    func `the help begins with the keys and commands of the host's file, and keeps room for the others`() {
        var keys: [Character: String] = [:]
        for key in "0123456789dDivVzZ" { keys[key] = "results @ \u{1B}\(key)" }
        let own = [LineCommands.Verb("badge", "your command: badge-printer")]
        for (given, isShort) in [(["z": "results {session}"], true), (keys, false)] {
            var dashboard = scene.dashboard(
                80, 24,
                commands: LineCommands(
                    [], own: own, keys: given, isComplete: { _ in false }, complete: { _, _ in [] },
                    run: { _, _, _ in 0 }))
            dashboard.press("?")
            let text = dashboard.text()
            #expect(text.contains("results {session}") == isShort && text.contains("badge (") == isShort)
            #expect(text.contains("results @ 0") != isShort && text.contains("ask a poll now"))
        }
    }

    @Test func `after the session, the first entries are results, files, next week and absences`() {
        var scene = scene
        var dashboard = dashboard
        dashboard.press(":")
        #expect(dashboard.palette?.entries.first?.item != .line("results @"))
        dashboard.press(.escape)
        scene.now = Scene.startsAt + .minutes(121)
        let body = scene.body
        _ = dashboard.take(scene.frame(21) { $0.session = body })
        #expect(dashboard.text().contains("The session is over"))
        dashboard.press(":")
        #expect(
            dashboard.palette?.entries.prefix(5).map(\.item) == [
                .line("results @"), .beginning("results @ --output results-2026-11-21-1900.csv "),
                .beginning("attendee export @ --output attendance-2026-11-21-1900.csv "),
                .beginning("meeting continue @ --starts \"2026-11-28 19:00\" --for 120m "),
                .line("meeting absences @"),
            ])
        #expect(dashboard.press(.enter) == [.runLine("results @", context(), id: 1)])
    }

    @Test func `the keys scroll the output, and the end follows new lines`() {
        var dashboard = dashboard
        let id = dashboard.runs("results")
        dashboard.take(.printed((1...99).map { "line \($0)\n" }.joined(), isCut: false), of: id)
        #expect(dashboard.text().contains("line 99") && !dashboard.text().contains("line 1 "))
        dashboard.press("g")
        #expect(dashboard.text().contains("line 1 ") && !dashboard.text().contains("line 99"))
        dashboard.take(.printed("line 100\n", isCut: false), of: id)
        #expect(!dashboard.text().contains("line 100"))
        dashboard.press("G")
        #expect(dashboard.text().contains("line 100"))
    }
}

extension Dashboard {
    /// Runs a command line, and returns its number.
    mutating func runs(_ line: String) -> Int {
        guard case .runLine(_, _, let id)? = run(line: line).first else { return 0 }
        return id
    }
}
