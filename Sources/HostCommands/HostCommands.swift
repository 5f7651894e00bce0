internal import Client
internal import Glibc
internal import Outbound
internal import Phrases

/// The command line.
package enum HostCommands {
    package static var all: [CommandDeclaration] {
        AccountCommands.all + MeetingCommands.all + SessionCommands.all + CodeCommands.all
            + AttendeeCommands.all + QuestionCommands.all
            + ResultCommands.all + CorrectionCommands.all + MemberCommands.all + LiveCommands.all
            + DashboardCommand.all
            + CompletionCommands.all + InformationCommands.all + SeriesCommands.all + RosterCommands.all
    }

    /// Runs one command line.
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - extra: commands that only the program itself can have, such as `serve`.
    /// - Returns: the exit code.
    package static func run(
        arguments: [String], environment: [String: String], extra: [CommandDeclaration] = [],
        console: any Console = StandardConsole(),
        catchesSignals: Bool = true
    ) async -> Int32 {
        // A reader that went away is told by write(2), which knows what to do about it.
        signal(SIGPIPE, SIG_IGN)
        // And so is a file that has grown to its limit.
        signal(SIGXFSZ, SIG_IGN)
        let commands = extra + all
        // As nearly every program is asked for it.
        let arguments = arguments.first == "--version" ? ["version"] + arguments.dropFirst() : arguments
        let settingsFile = SettingsFile(environment: environment)
        let language = language(arguments, environment, settingsFile)
        func invocation(_ command: CommandDeclaration, _ arguments: Arguments) -> Invocation {
            Invocation(
                command: command, arguments: arguments, environment: environment, console: console,
                language: language,
                settingsFile: settingsFile, transport: HTTPTransport(environment: environment),
                allCommands: commands)
        }
        if arguments.first == CompletionCommands.hiddenWord {
            await CompletionCommands.complete(Array(arguments.dropFirst()), invocation, commands)
            return ExitCode.success.rawValue
        }
        var command: CommandDeclaration?
        do throws(CommandFailure) {
            let call: Invocation
            do throws(UsageError) {
                switch try CommandTree(commands).find(arguments) {
                case .group(let path):
                    return help(
                        path, commands, language, console,
                        isAsked: arguments.contains { $0 == "--help" || $0 == "-h" })
                case .command(let found, let rest):
                    command = found
                    let parsed = try Arguments(rest, for: found)
                    if parsed.has("help") {
                        console.out(HelpText.page(found, in: language, width: console.width))
                        return ExitCode.success.rawValue
                    }
                    call = invocation(found, parsed)
                }
            } catch {
                throw .usage(error)
            }
            if call.command.handlesSignals || !catchesSignals {
                return try await call.command.run(call).rawValue
            }
            return try await Interruption.cancelling(console) { () async throws(CommandFailure) in
                try await call.command.run(call)
            }.rawValue
        } catch {
            let hasToken = !environment["QRING_TOKEN", default: ""].isEmpty
            let report = FailureReport(error, command: command?.name, language: language, hasToken: hasToken)
            for line in report.lines {
                // What is to be typed stays on one line.
                let width = line.hasPrefix(" ") ? nil : console.errWidth
                console.err(TextWrapping.lines(line, indent: 0, width: width))
            }
            return error.exitCode.rawValue
        }
    }

    /// Without a command that is whole: all of them, or those that begin so.
    private static func help(
        _ path: [String], _ commands: [CommandDeclaration], _ language: Language, _ console: any Console,
        isAsked: Bool
    ) -> Int32 {
        guard !path.isEmpty else {
            console.out(HelpText.overview(commands, in: language, width: console.width))
            return ExitCode.success.rawValue
        }
        let text = HelpText.group(path, commands, in: language, width: console.width)
        if isAsked {
            console.out(text)
            return ExitCode.success.rawValue
        }
        console.err(text)
        return ExitCode.usage.rawValue
    }

    /// `--lang` is looked for before anything is parsed, so that a wrong line is refused in the right
    /// language.
    private static func language(_ arguments: [String], _ environment: [String: String], _ file: SettingsFile)
        -> Language
    {
        var asked = arguments.firstIndex(of: "--lang").flatMap {
            arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil
        }
        asked =
            asked ?? arguments.first { $0.hasPrefix("--lang=") }.map { String($0.dropFirst(7)) }
            ?? environment["QRING_LANG"]
        if let asked, let language = Language(tag: asked) { return language }
        if let saved = try? file.load().language { return saved }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        return locale.flatMap { Language(tag: $0) } ?? .english
    }
}
