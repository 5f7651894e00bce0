internal import Client
internal import CommandLine
internal import Dashboard
internal import Meetings
internal import Phrases

/// The command lines of the dashboard: `:` runs the commands of the program itself, with the same table,
/// parser and completion as a shell.
struct DashboardLines: Sendable {
    private typealias Messages = CommandPhrases.Dashboard

    private let call: Invocation
    /// The variables of every command.
    private let environment: [String: String]
    /// The host's own keys and commands.
    private let file: DashboardFile

    /// - Throws: the first mistake in the host's file of keys and commands.
    init(_ call: Invocation, _ host: APIClient) throws(CommandFailure) {
        self.call = call
        file = try DashboardFile(
            DashboardFile.path(beside: call.settingsFile.path), call.commandSet, in: call.language)
        // The commands use the dashboard's server, which an option may have named, and its host, who may have
        // no saved sign-in, as in the demo.
        var own = [
            "QRING_SERVER": host.server.url, "QRING_LANG": call.language.rawValue, "QRING_CONTEXT": "",
        ]
        if case .bearer(let token) = host.authority { own["QRING_TOKEN"] = token }
        environment = call.environment.merging(own) { $1 }
    }

    var commands: LineCommands {
        let own = file.commands.sorted { $0.key < $1.key }.map { name, command in
            let line = command.words.joined(separator: " ")
            return LineCommands.Verb(name, call.text(Messages.fileCommand, ["line": line]))
        }
        let extensions = Extensions(environment: environment).names.filter { program(of: $0) != nil }.map {
            LineCommands.Verb($0, call.text(Messages.fileCommand, ["line": "qring-\($0)"]))
        }
        let known = call.commandSet.commands.map { LineCommands.Verb($0.name, call.text($0.summary)) }
        return LineCommands(
            known + own + extensions + aliasVerbs, own: own, keys: file.keys,
            isComplete: { isComplete($0) }, complete: { await completions(of: $0, $1) },
            run: { await run($0, $1, $2) })
    }

    /// The aliases as they are saved now, so that a new one applies at once.
    private var aliases: [String: String] {
        (try? call.settings().aliases) ?? call.preferences.aliases
    }

    private var aliasVerbs: [LineCommands.Verb] {
        aliases.sorted { $0.key < $1.key }.map { LineCommands.Verb($0.key, $0.value) }
    }

    /// Returns the words of a line without the program's name, which people type out of habit.
    private func words(_ line: String) -> [String] {
        var words = ShellLine.words(of: line)
        if words.first == "qring" { words.removeFirst() }
        if let first = words.first, file.commands[first] != nil { return words }
        return call.commandSet.expanded(words, aliases)
    }

    /// Returns the path of an extension; nil if a command has this name, or if the program is not safe.
    private func program(of name: String) -> String? {
        guard !call.commandSet.hasCommand(named: name) else { return nil }
        return Extensions(environment: environment).path(of: name)
            .flatMap { Extensions.isWritableByOthers($0) ? nil : $0 }
    }

    private func isComplete(_ line: String) -> Bool {
        if let first = words(line).first, file.commands[first] != nil || program(of: first) != nil {
            return true
        }
        guard case .command(let command, let rest)? = try? call.commandSet.find(words(line)) else {
            return false
        }
        return (try? Arguments(rest, for: command)) != nil
    }

    private func variables(_ context: LineCommands.Context) -> [String: String] {
        environment.merging(["QRING_SESSION": context.session?.text ?? ""]) { $1 }
    }

    // MARK: Completion

    /// The time without another key after which the server is asked for names.
    private static let pause = Duration.milliseconds(150)

    private func completions(of line: String, _ context: LineCommands.Context) async
        -> [LineCommands.Completion]
    {
        let ending = line.hasSuffix(" ") ? [""] : []
        let answer = Completer(call.commandSet, in: call.language).answer(words(line) + ending)
        let found: [Completer.Candidate]
        switch answer.wanted {
        case .nothing: return []
        case .files: found = Completer.files(answer.typed)
        case .folders: found = Completer.files(answer.typed, areFolders: true)
        case .words(let candidates): found = candidates.filter { $0.word.hasPrefix(answer.typed) }
        case .values(let name):
            do { try await Task.sleep(for: Self.pause) } catch { return [] }
            guard
                let asking = try? Invocation(
                    command: call.command, arguments: try Arguments([], for: call.command),
                    environment: variables(context), console: call.console, language: call.language,
                    commandSet: call.commandSet)
            else { return [] }
            found = await call.commandSet.valueCandidates(name, answer.typed, answer.given, asking)
        }
        return found.map { candidate in
            let whole = ShellLine.replacingLastWord(of: line, with: answer.lead + candidate.word)
            // The value, or a name in the folder, follows directly.
            let space = candidate.word.hasSuffix("=") || candidate.word.hasSuffix("/") ? "" : " "
            return .init(line: whole + space, word: answer.lead + candidate.word, meaning: candidate.meaning)
        }
    }

    // MARK: Running

    private func run(_ line: String, _ context: LineCommands.Context, _ run: CommandRun) async -> Int32 {
        let console = PaneConsole(run, columns: context.columns)
        let typed = words(line)
        let own = typed.first.flatMap { file.commands[$0] }
        let template = own.map { $0.words } ?? typed
        // The words that the user types are no templates, because a program of --jq has braces too.
        let hasPlaceholders = own != nil || context.hasPlaceholders
        var words = template
        if hasPlaceholders {
            if context.session == nil, template.contains(where: { $0.contains("{session}") }) {
                console.errLine(call.text(Messages.noSessionOpen))
                return ExitCode.usage.rawValue
            }
            if context.attendee == nil, template.contains(where: { $0.contains("{attendee}") }) {
                console.errLine(call.text(Messages.noAttendeeSelected))
                return ExitCode.usage.rawValue
            }
            words = template.map { filled($0, context) }
        }
        if let own {
            let added = typed.dropFirst().map { context.hasPlaceholders ? filled($0, context) : $0 }
            return await runProgram(
                words + added, context, with: own.getsToken ? .token : .nothing, console)
        }
        let found = try? call.commandSet.find(words).command
        if found?.name == call.command.name {
            console.errLine(call.text(Messages.isOpen))
            return ExitCode.usage.rawValue
        }
        if found == nil, let program = words.first.flatMap({ program(of: $0) }) {
            return await runProgram([program] + words.dropFirst(), context, with: .nothing, console)
        }
        if let found, !HostCommands.all.contains(where: { $0.path == found.path }) {
            // These commands need the server's modules. They block their thread, or handle signals.
            return await runProgram(["/proc/self/exe"] + words, context, with: .everything, console)
        }
        var preferences = call.preferences
        preferences.aliases = aliases
        return await call.commandSet.run(
            arguments: words, environment: variables(context), console: console, catchesSignals: false,
            preferences: preferences)
    }

    private func filled(_ word: String, _ context: LineCommands.Context) -> String {
        DashboardFile.fill(
            word, session: context.session?.text ?? "", attendee: context.attendee?.text ?? "")
    }

    /// The secrets that a program gets.
    private enum Secrets {
        /// All variables, for this program itself.
        case everything
        /// `QRING_TOKEN`, if it is set.
        case token
        /// None. The program can call `qring`, which finds the saved sign-in.
        case nothing
    }

    /// Runs a program without a terminal. No shell reads its words.
    private func runProgram(
        _ words: [String], _ context: LineCommands.Context, with secrets: Secrets, _ console: PaneConsole
    ) async -> Int32 {
        var variables = variables(context).merging(["NO_COLOR": "1", "TERM": "dumb"]) { $1 }
        variables["QRING_ATTENDEE"] = context.attendee?.text ?? ""
        if secrets != .everything { variables = Extensions.withoutSecrets(variables) }
        if secrets == .token { variables["QRING_TOKEN"] = environment["QRING_TOKEN"] }
        let code = await CapturedProcess.run(words, environment: variables, print: { console.out($0) })
        if let code { return code }
        console.errLine(call.text(Messages.programMissing, ["program": words[0]]))
        return ExitCode.failed.rawValue
    }

}

/// The streams of a command whose output and questions are shown in the dashboard.
private final class PaneConsole: Console {
    private let run: CommandRun
    private let columns: Int

    init(_ run: CommandRun, columns: Int) {
        self.run = run
        self.columns = columns
    }

    // The output has neither colours nor pictures. The user answers questions in the dashboard.
    let outIsTerminal = false
    let inIsTerminal = true
    var width: Int? { columns }
    var errWidth: Int? { columns }

    func out(_ bytes: [UInt8]) { run.print(bytes) }
    func err(_ text: String) { run.print(Array(text.utf8)) }
    func ask(_ prompt: String, hidden: Bool) async -> String? { await run.ask(prompt, hidden: hidden) }
    /// Standard input is empty, because the dashboard has the keys.
    func readInput() async -> [UInt8] { [] }
    func restoreTerminal() -> Bool { false }
}

extension CommandPhrases.Dashboard {
    static let isOpen = Phrase("The dashboard is open already. Close this with Esc.")
}
