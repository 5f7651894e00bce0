internal import Glibc
package import Phrases
internal import Terminal

/// The command line of a program: its commands, and the texts that the help adds to them. This module parses
/// command lines, prints help, completes words and reports failures. It does not know what the commands do.
package struct CommandSet: Sendable {
    package let commands: [CommandDeclaration]
    /// The program's version, such as `1.2.0`.
    package let version: String
    /// The first line of the overview and of the manual.
    package let headline: Phrase
    /// Example command lines without the program's name. The overview shows only those that name a known
    /// command.
    package let overviewExamples: [String]
    package let sections: [HelpSection]
    /// The heading above the commands that no section names.
    package let otherCommands: Phrase
    /// The pages of `qring help TOPIC`.
    package let topics: [HelpTopic]
    /// Returns the candidates for a value. The first argument is the name that the help shows for the value
    /// (`SESSION`); `typed` is the beginning that the user has typed; `given` has the arguments
    /// before, by name. Returns an empty array if this name has no known values.
    package let valueCandidates:
        @Sendable (_ name: String, _ typed: String, _ given: [String: String], Invocation) async ->
            [Completer.Candidate]
    /// Checks a value that the user has typed at a prompt, by the name that the help shows for the value.
    /// `label` is the argument's name in errors. Returns the reason why the command would refuse the value;
    /// nil if it may be right.
    package let valueFault:
        @Sendable (_ name: String, _ label: String, _ value: String, Invocation) async -> CommandFailure?

    package init(
        _ commands: [CommandDeclaration], version: String, headline: Phrase, overviewExamples: [String],
        sections: [HelpSection], otherCommands: Phrase, topics: [HelpTopic],
        valueCandidates:
            @escaping @Sendable (String, String, [String: String], Invocation) async ->
            [Completer.Candidate],
        valueFault: @escaping @Sendable (String, String, String, Invocation) async -> CommandFailure? = {
            _, _, _, _ in nil
        }
    ) {
        self.commands = commands
        self.version = version
        self.headline = headline
        self.overviewExamples = overviewExamples
        self.sections = sections
        self.otherCommands = otherCommands
        self.topics = topics
        self.valueCandidates = valueCandidates
        self.valueFault = valueFault
    }

    // MARK: Finding a command

    package enum Found {
        case command(CommandDeclaration, rest: [String])
        /// The beginning of the names of several commands, such as `meeting`; empty for all commands.
        case group([String])

        package var command: CommandDeclaration? {
            if case .command(let command, _) = self { command } else { nil }
        }
    }

    /// Returns the command that the words begin with. Options that every command has may precede the
    /// command's name.
    /// - Throws: `UsageError` if no command begins with these words, or if an option before the name is
    ///   unknown.
    package func find(_ words: [String]) throws(UsageError) -> Found {
        var path: [String] = []
        var before: [String] = []
        var rest = words[...]
        while let word = rest.first {
            if word.hasPrefix("-") {
                before.append(rest.removeFirst())
                if takesAValue(word), !rest.isEmpty { before.append(rest.removeFirst()) }
                continue
            }
            let next = path + [word]
            let below = commands.filter { $0.path.starts(with: next) }
            if below.isEmpty {
                let candidates = Set(
                    commands.filter { $0.path.starts(with: path) && $0.path.count > path.count }.map {
                        $0.path[path.count]
                    })
                throw .unknownCommand(
                    next.joined(separator: " "), under: path,
                    near: suggestion(word, under: path, among: candidates.sorted()))
            }
            rest.removeFirst()
            path = next
            if let exact = below.first(where: { $0.path == path }), !continues(path, rest.first) {
                return .command(exact, rest: before + rest)
            }
        }
        let known = CommandDeclaration.Option.ofEveryCommand.map(\.name)
        for word in before where word.hasPrefix("-") && word != "-h" {
            let name = String(word.prefix { $0 != "=" }.drop { $0 == "-" })
            if !known.contains(name) {
                throw .unknownOption(word, near: Suggestion.nearest(to: name, among: known).map { "--\($0)" })
            }
        }
        return .group(path)
    }

    /// Whether a longer command begins with `path` and this word. Then the longer command is meant: `poll
    /// close`, and not `poll` with the argument `close`.
    private func continues(_ path: [String], _ word: String?) -> Bool {
        guard let word else { return false }
        return commands.contains { $0.path.starts(with: path + [word]) }
    }

    /// Whether this option takes the next word as its value. For example, `--server` does.
    private func takesAValue(_ word: String) -> Bool {
        CommandDeclaration.Option.ofEveryCommand.contains { "--\($0.name)" == word && $0.kind != .flag }
    }

    /// Returns a similar word of the same level. Otherwise, returns the only command whose last word is
    /// `word`: `meeting create` for `create`.
    private func suggestion(_ word: String, under path: [String], among candidates: [String]) -> String? {
        if let near = Suggestion.nearest(to: word, among: candidates) {
            return (path + [near]).joined(separator: " ")
        }
        let byLastWord = commands.filter { $0.path.last == word }
        return byLastWord.count == 1 ? byLastWord[0].name : nil
    }

    // MARK: Aliases

    /// Whether a word is the first one of a command, so that no alias can have this name.
    package func hasCommand(named name: String) -> Bool { commands.contains { $0.path.first == name } }

    /// Whether a text can be the name of an alias or of another command that the user adds.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("-")
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// Returns a command line whose first word is no alias any more. A command always prevails, also one that
    /// a newer version has added. The line of an alias is not expanded again, so that no loop is possible.
    package func expanded(_ words: [String], _ aliases: [String: String]) -> [String] {
        guard let first = words.first, let line = aliases[first], !hasCommand(named: first) else {
            return words
        }
        return ShellLine.words(of: line) + words.dropFirst()
    }

    // MARK: Running a command

    /// Runs one command line.
    /// - Parameters:
    ///   - arguments: the words of the command line without the program's name.
    ///   - preferences: the user's saved preferences.
    ///   - catchesSignals: whether Ctrl-C and SIGTERM cancel the command.
    /// - Returns: the exit code.
    package func run(
        arguments: [String], environment: [String: String], console: any Console, catchesSignals: Bool,
        preferences: Preferences
    ) async -> Int32 {
        // Ignore SIGPIPE, because write(2) reports a closed pipe and the console then ends the program.
        signal(SIGPIPE, SIG_IGN)
        // Ignore SIGXFSZ, because write(2) also reports a file that has reached its size limit.
        signal(SIGXFSZ, SIG_IGN)
        // Accept the option `--version`, because most programs have it.
        let arguments = expanded(
            arguments.first == "--version" ? ["version"] + arguments.dropFirst() : arguments,
            preferences.aliases)
        let language = Self.language(arguments, environment, preferences.language)
        @Sendable func invocation(_ command: CommandDeclaration, _ arguments: Arguments)
            throws(CommandFailure)
            -> Invocation
        {
            try Invocation(
                command: command, arguments: arguments, environment: environment, console: console,
                language: language, commandSet: self, preferences: preferences)
        }
        if arguments.first == CompletionCommand.hiddenWord {
            await CompletionCommand.complete(Array(arguments.dropFirst()), in: self, invocation)
            return ExitCode.success.rawValue
        }
        var command: CommandDeclaration?
        var perhapsField: String?
        do throws(CommandFailure) {
            var code = ExitCode.success
            let (words, paint) = (arguments, Invocation.paint(console, environment, preferences))
            switch try Self.usage({ () throws(UsageError) in try find(words) }) {
            case .group(let path): help(path, language, console, paint, environment)
            case .command(let found, let rest):
                command = found
                let parsed = try Self.usage { () throws(UsageError) in
                    try Arguments(rest, for: found, mayAsk: console.inIsTerminal)
                }
                perhapsField = parsed.perhapsField
                if parsed.has("help") {
                    console.out(HelpText.page(found, in: language, width: console.width, paint: paint))
                } else {
                    let call = try invocation(found, parsed)
                    code = try await run(call, catchesSignals: catchesSignals, again: invocation)
                }
            }
            console.endPaging()
            try Self.checkOutput(console, language)
            return code.rawValue
        } catch {
            console.endPaging()
            let report = FailureReport(
                error, command: command, language: language, environment: environment)
            for line in report.lines {
                // A suggested command line is indented. Do not wrap it, so that people can copy it.
                let width = line.hasPrefix(" ") ? nil : console.errWidth
                console.err(TextWrapping.lines(line, indent: 0, width: width))
            }
            if !error.isReported, error.exitCode == .notFound, let perhapsField,
                let known = command?.allOptions.first(where: { $0.name == "json" })?.fields?()
            {
                console.err(
                    TextWrapping.lines(
                        CommandPhrases.Usage.perhapsField.text(
                            in: language,
                            [
                                "word": TerminalEscaping.safe(perhapsField),
                                "known": known.joined(separator: ", "),
                            ]), indent: 0, width: console.errWidth))
            }
            return error.exitCode.rawValue
        }
    }

    /// Reads a part of the command line, and turns its error into a failure of the command.
    private static func usage<Value>(_ read: () throws(UsageError) -> Value) throws(CommandFailure) -> Value {
        do throws(UsageError) { return try read() } catch { throw .usage(error) }
    }

    private func run(
        _ call: Invocation, catchesSignals: Bool,
        again: @escaping @Sendable (CommandDeclaration, Arguments) throws(CommandFailure) -> Invocation
    ) async throws(CommandFailure) -> ExitCode {
        @Sendable func run() async throws(CommandFailure) -> ExitCode {
            var call = call
            if call.arguments.isInEarlierOrder {
                call.note(CommandPhrases.Usage.earlierOrder, ["command": "qring \(call.command.shown)"])
            }
            if call.arguments.firstMissing(of: call.command) != nil {
                call = try again(call.command, try await asked(call))
            }
            if call.command.usesPager, let pager = call.pager {
                call.console.page(through: pager, environment: call.environment)
            }
            let code = try await call.command.run(call)
            try call.checkJSON()
            return code
        }
        if call.command.handlesSignals || !catchesSignals { return try await run() }
        return try await Interruption.cancelling(call.console) { () async throws(CommandFailure) in
            try await run()
        }
    }

    /// Asks the user for the missing arguments, and returns all arguments. Each answer is checked at once.
    private func asked(_ call: Invocation) async throws(CommandFailure) -> Arguments {
        var arguments = call.arguments
        // An answer can cause another need, so search again after each answer.
        while let missing = arguments.firstMissing(of: call.command)?.argument {
            let prompt = "\(missing.shown) (\(call.text(missing.meaning))): "
            guard let answer = await call.console.ask(prompt, hidden: false) else {
                throw .failed(CommandPhrases.Fail.inputEnded)
            }
            guard !answer.isEmpty else { continue }
            var fault = await valueFault(missing.valueName, missing.label, answer, call)
            if fault == nil {
                do throws(UsageError) { try arguments.give(answer, for: missing) } catch {
                    fault = .usage(error)
                }
            }
            if let fault { call.console.errLine(fault.sentence(in: call.language)) }
        }
        return arguments
    }

    /// Throws if a write to standard output has failed, so that a script never takes a part of the output for
    /// the whole.
    static func checkOutput(_ console: any Console, _ language: Language) throws(CommandFailure) {
        guard let reason = console.lostOutput else { return }
        throw .failed(
            CommandPhrases.Fail.fileUnwritable,
            ["path": CommandPhrases.Fail.standardOutput.text(in: language), "reason": reason])
    }

    /// Prints the commands whose names begin with `path`. If `path` is empty, prints the overview.
    private func help(
        _ path: [String], _ language: Language, _ console: any Console, _ paint: Paint,
        _ environment: [String: String]
    ) {
        console.out(
            path.isEmpty
                ? HelpText.overview(
                    self, Extensions(environment: environment).names, in: language, width: console.width,
                    paint: paint)
                : HelpText.group(path, commands, in: language, width: console.width))
    }

    /// Reads `--lang` before all other options, so that even errors in the command line are reported in the
    /// right language.
    private static func language(
        _ arguments: [String], _ environment: [String: String], _ saved: Language?
    ) -> Language {
        var asked = arguments.firstIndex(of: "--lang").flatMap {
            arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil
        }
        asked =
            asked ?? arguments.first { $0.hasPrefix("--lang=") }.map { String($0.dropFirst(7)) }
            ?? environment["QRING_LANG"]
        if let asked, let language = Language(tag: asked) { return language.forHosts }
        if let saved { return saved }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        return locale.flatMap { Language(tag: $0) }?.forHosts ?? .english
    }
}

extension CommandPhrases.Fail {
    static let standardOutput = Phrase("standard output")
}
