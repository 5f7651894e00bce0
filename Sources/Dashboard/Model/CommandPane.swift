internal import Client
package import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The commands of the command line, as `:` finds, completes and runs them.
package struct LineCommands: Sendable {
    package struct Verb: Hashable, Sendable {
        package let name: String
        package let meaning: String

        package init(_ name: String, _ meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    /// A word that can follow, with the line that it would make.
    package struct Completion: Hashable, Sendable {
        package let line: String
        package let word: String
        package let meaning: String

        package init(line: String, word: String, meaning: String) {
            self.line = line
            self.word = word
            self.meaning = meaning
        }
    }

    /// What a line is about: `@` means the session.
    package struct Context: Hashable, Sendable {
        package let session: SessionID?
        /// The attendee at the cursor.
        package let attendee: AttendeeID?
        /// Whether the line comes from the host's file, where `{session}` and `{attendee}` are values.
        package let hasPlaceholders: Bool
        /// The width of the pane, in columns.
        package let columns: Int
    }

    private let readVerbs: @Sendable () -> [Verb]
    /// The commands of the host's file. They are among the verbs, too.
    let own: [Verb]
    /// The lines of the keys that the host has chosen.
    let keys: [Character: String]
    /// Whether a line is a command with all its arguments, although the server may refuse them.
    let isComplete: @Sendable (String) -> Bool
    let complete: @Sendable (String, Context) async -> [Completion]
    /// Runs a line, and returns its exit code. The end of its task cancels the command.
    let run: @Sendable (String, Context, CommandRun) async -> Int32

    package init(
        _ verbs: @escaping @autoclosure @Sendable () -> [Verb], own: [Verb] = [],
        keys: [Character: String] = [:],
        isComplete: @escaping @Sendable (String) -> Bool,
        complete: @escaping @Sendable (String, Context) async -> [Completion],
        run: @escaping @Sendable (String, Context, CommandRun) async -> Int32
    ) {
        readVerbs = verbs
        self.own = own
        self.keys = keys
        self.isComplete = isComplete
        self.complete = complete
        self.run = run
    }

    static let none = LineCommands(
        [], isComplete: { _ in false }, complete: { _, _ in [] }, run: { _, _, _ in 0 })

    /// The first words of lines. An alias can be new.
    var verbs: [Verb] { readVerbs() }

    /// Whether a line begins with the first word of a command, and a space.
    func begins(_ line: String) -> Bool {
        guard let space = line.firstIndex(of: " ") else { return false }
        let word = line[..<space]
        return verbs.contains { $0.name == word || $0.name.hasPrefix("\(word) ") }
    }
}

/// The output of a command that runs, or has run, in the dashboard.
struct CommandPane: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case running, stopping
        case ended(code: Int32)
    }

    /// The answer to the question at the end of the output.
    struct Prompt: Hashable, Sendable {
        let isHidden: Bool
        var typed = ""
    }

    /// The number that tells the output of this command from the output of earlier ones.
    let id: Int
    let line: String
    var state = State.running
    var prompt: Prompt?
    private(set) var lines: [String] = []
    private(set) var rows: [String] = []
    private(set) var columns: Int
    /// Whether the first lines are no longer here.
    private(set) var isCut = false
    /// The first visible row; nil for the end of the output.
    var firstRow: Int?

    init(id: Int, line: String, columns: Int) {
        self.id = id
        self.line = line
        self.columns = columns
    }

    /// The bounds of the output. When there is more, the first lines are removed, so that a command that
    /// never ends needs no more memory.
    static let (mostLines, mostCharacters, mostAtOnce) = (5000, 1 << 20, 6000)
    static let longestAnswer = 1000

    /// Adds output. Its control characters are removed.
    mutating func add(_ text: String, isCut: Bool) {
        var added = TerminalEscaping.safeLines(text).split(separator: "\n", omittingEmptySubsequences: false)
        if added.last?.isEmpty == true { added.removeLast() }
        self.isCut = self.isCut || isCut
        lines += added.map(Self.withoutTabs)
        if lines.count <= Self.mostAtOnce, lines.reduce(0, { $0 + $1.utf8.count }) <= 2 * Self.mostCharacters
        {
            rows += lines.suffix(added.count).flatMap { Self.rows(of: $0, columns) }
        } else {
            var (kept, characters) = (0, 0)
            for line in lines.reversed() {
                characters += line.utf8.count
                guard kept < Self.mostLines, characters <= Self.mostCharacters else { break }
                kept += 1
            }
            lines.removeFirst(lines.count - kept)
            self.isCut = true
            fit(columns)
        }
    }

    mutating func fit(_ columns: Int) {
        self.columns = columns
        rows = lines.flatMap { Self.rows(of: $0, columns) }
    }

    private static func withoutTabs(_ line: Substring) -> String {
        guard line.contains("\t") else { return String(line) }
        var (text, width) = ("", 0)
        for character in line {
            let part = character == "\t" ? String(repeating: " ", count: 8 - width % 8) : String(character)
            text += part
            width += DisplayWidth.of(part)
        }
        return text
    }

    /// Returns a line as rows. Spaces stay, because they align columns.
    private static func rows(of line: String, _ columns: Int) -> [String] {
        guard line.utf8.count > columns else { return [line] }
        var (rows, row, width): ([String], String, Int) = ([], "", 0)
        for character in line {
            let next = DisplayWidth.of(character)
            if width + next > columns, width > 0 {
                rows.append(row)
                (row, width) = ("", 0)
            }
            row.append(character)
            width += next
        }
        return rows + [row]
    }
}

extension Dashboard {
    private typealias Messages = CommandPhrases.Dashboard

    var lineContext: LineCommands.Context { lineContext(hasPlaceholders: false) }

    private func lineContext(hasPlaceholders: Bool) -> LineCommands.Context {
        .init(
            session: session?.id, attendee: session?.selected, hasPlaceholders: hasPlaceholders,
            columns: CommandPanel.inside(size).columns)
    }

    mutating func run(line: String, hasPlaceholders: Bool = false) -> [DashboardAction] {
        commandsRun += 1
        commandPane = CommandPane(id: commandsRun, line: line, columns: lineContext.columns)
        return [.runLine(line, lineContext(hasPlaceholders: hasPlaceholders), id: commandsRun)]
    }

    /// Takes a key while the output of a command is visible.
    mutating func takeInPane(_ key: Key) -> [DashboardAction] {
        guard let pane = commandPane else { return [] }
        if let prompt = pane.prompt { return answer(prompt, key) }
        switch key {
        case .escape: return stopOrClose()
        case .enter, .character("q"), .character(":"):
            guard case .ended = pane.state else { return [] }
            commandPane = nil
            if key == .character(":") { openPalette(.everything) }
        case .up, .character("k"): scrollPane(by: -1)
        case .down, .character("j"): scrollPane(by: 1)
        case .pageUp: scrollPane(by: -pageStep)
        case .pageDown, .character(" "): scrollPane(by: pageStep)
        case .home, .character("g"): scrollPane(by: -.max / 2)
        case .end, .character("G"): commandPane?.firstRow = nil
        case .character("y"):
            guard hasClipboard, !pane.lines.isEmpty else { return [] }
            say(Messages.outputCopied)
            return [.copy(pane.lines.joined(separator: "\n"))]
        default: break
        }
        return []
    }

    /// Stops the command, or closes its output if it has ended or does not end.
    private mutating func stopOrClose() -> [DashboardAction] {
        guard let pane = commandPane else { return [] }
        guard pane.state == .running else {
            commandPane = nil
            return []
        }
        commandPane?.state = .stopping
        commandPane?.prompt = nil
        return [.stopLine(id: pane.id)]
    }

    private mutating func answer(_ prompt: CommandPane.Prompt, _ key: Key) -> [DashboardAction] {
        guard let id = commandPane?.id else { return [] }
        switch key {
        case .escape: return stopOrClose()
        case .enter:
            commandPane?.prompt = nil
            return [.answerLine(prompt.typed, id: id)]
        case .backspace: if !prompt.typed.isEmpty { commandPane?.prompt?.typed.removeLast() }
        case .character(let character):
            guard prompt.typed.count < CommandPane.longestAnswer else { return [] }
            commandPane?.prompt?.typed.append(character)
        default: break
        }
        return []
    }

    mutating func scrollPane(by step: Int) {
        guard let pane = commandPane else { return }
        let last = max(0, pane.rows.count - CommandPanel.rowsOfOutput(pane, size))
        let row = max(0, (pane.firstRow ?? last) + max(-last, min(last, step)))
        commandPane?.firstRow = row >= last ? nil : row
    }

    mutating func take(_ event: CommandEvent, of id: Int) {
        guard commandPane?.id == id else { return }
        switch event {
        case .printed(let text, let isCut): commandPane?.add(text, isCut: isCut)
        case .asked(let text, let isHidden):
            guard commandPane?.state == .running else { return }
            commandPane?.add(text, isCut: false)
            commandPane?.firstRow = nil
            commandPane?.prompt = .init(isHidden: isHidden)
        case .ended(let code):
            commandPane?.state = .ended(code: code)
            commandPane?.prompt = nil
        }
    }
}

extension CommandPhrases.Dashboard {
    static let outputCopied = Phrase("Copied the output")
}
