internal import Client
internal import Glibc
internal import Phrases

/// The command line.
package enum HostCommands {
    package static var all: [CommandDeclaration] {
        AccountCommands.all + MeetingCommands.all + SessionCommands.all + CodeCommands.all + AttendeeCommands.all + QuestionCommands.all
            + LiveCommands.all + InformationCommands.all
    }

    /// Runs one command line.
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - extra: commands that only the program itself can have, such as `serve`.
    /// - Returns: the exit code.
    package static func run(
        arguments: [String], environment: [String: String], extra: [CommandDeclaration] = [], console: any Console = StandardConsole(),
        catchesSignals: Bool = true
    ) async -> Int32 {
        // A reader that went away is told by write(2), which knows what to do about it.
        signal(SIGPIPE, SIG_IGN)
        let commands = extra + all
        // As nearly every program is asked for it.
        let arguments = arguments.first == "--version" ? ["version"] + arguments.dropFirst() : arguments
        let settingsFile = SettingsFile(environment: environment)
        let language = language(arguments, environment, settingsFile)
        var command: CommandDeclaration?
        do throws(CommandFailure) {
            let invocation: Invocation
            do throws(UsageError) {
                switch try CommandTree(commands).find(arguments) {
                case .group(let path):
                    return help(path, commands, language, console, isAsked: arguments.contains { $0 == "--help" || $0 == "-h" })
                case .command(let found, let rest):
                    command = found
                    let parsed = try Arguments(rest, for: found)
                    if parsed.has("help") {
                        console.out(HelpText.page(found, in: language))
                        return ExitCode.success.rawValue
                    }
                    invocation = Invocation(
                        command: found, arguments: parsed, environment: environment, console: console, language: language,
                        settingsFile: settingsFile, transport: HTTPTransport(environment: environment), allCommands: commands)
                }
            } catch {
                throw .usage(error)
            }
            if invocation.command.handlesSignals || !catchesSignals { return try await invocation.command.run(invocation).rawValue }
            return try await Interruption.cancelling(console) { () async throws(CommandFailure) in
                try await invocation.command.run(invocation)
            }.rawValue
        } catch {
            for line in FailureReport(error, command: command?.name, language: language).lines { console.errLine(line) }
            return error.exitCode.rawValue
        }
    }

    /// Without a command that is whole: all of them, or those that begin so.
    private static func help(
        _ path: [String], _ commands: [CommandDeclaration], _ language: Language, _ console: any Console, isAsked: Bool
    ) -> Int32 {
        guard !path.isEmpty else {
            console.out(HelpText.overview(commands, in: language))
            return ExitCode.success.rawValue
        }
        let text = HelpText.group(path, commands, in: language)
        if isAsked {
            console.out(text)
            return ExitCode.success.rawValue
        }
        console.err(text)
        return ExitCode.usage.rawValue
    }

    /// `--lang` is looked for before anything is parsed, so that a wrong line is refused in the right language.
    private static func language(_ arguments: [String], _ environment: [String: String], _ file: SettingsFile) -> Language {
        var asked = arguments.firstIndex(of: "--lang").flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
        asked = asked ?? arguments.first { $0.hasPrefix("--lang=") }.map { String($0.dropFirst(7)) } ?? environment["QRING_LANG"]
        if let asked, let language = Language(tag: asked) { return language }
        if let saved = try? file.load().language { return saved }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        return locale.flatMap { Language(tag: $0) } ?? .english
    }
}
