package import Phrases
package import Terminal

/// One run of a command, with the parsed command line and everything that the command may use.
package struct Invocation: Sendable {
    package let command: CommandDeclaration
    package let arguments: Arguments
    package let environment: [String: String]
    package let console: any Console
    package let language: Language
    package let commandSet: CommandSet
    package let preferences: Preferences
    /// The settings that the operator has made, by name; empty for commands that read none (`reading`).
    package internal(set) var settings: [String: SettingValue] = [:]
    /// Prints the command's JSON.
    private let jsonOutput: JSONOutput

    /// - Throws: `.said` or `.usage` if the program of `--jq` or the template is wrong.
    package init(
        command: CommandDeclaration, arguments: Arguments, environment: [String: String],
        console: any Console, language: Language, commandSet: CommandSet,
        preferences: Preferences = Preferences()
    ) throws(CommandFailure) {
        self.command = command
        self.arguments = arguments
        self.environment = environment
        self.console = console
        self.language = language
        self.commandSet = commandSet
        self.preferences = preferences
        jsonOutput = try JSONOutput(
            command, arguments, console: console,
            paint: Self.paint(console, environment, preferences))
    }

    // MARK: Output

    package func text(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
        phrase.text(in: language, values)
    }
    package func out(_ line: String = "") { console.outLine(line) }
    package func out(_ phrase: Phrase, _ values: [String: String] = [:]) {
        console.outLine(text(phrase, values))
    }
    /// Prints a table, fitted to the terminal's width.
    package func out(_ table: Table) { console.out(table.text(width: console.width, paint: paint)) }
    /// Writes a message to standard error, wrapped at the terminal's width.
    package func note(_ phrase: Phrase, _ values: [String: String] = [:]) {
        console.err(TextWrapping.lines(text(phrase, values), indent: 0, width: console.errWidth))
    }

    /// Throws if output was lost. A command that prints until somebody stops it calls this function after it
    /// prints; `CommandSet` calls it at the end of every other command.
    package func checkOutput() throws(CommandFailure) { try CommandSet.checkOutput(console, language) }

    /// The option with which the user wants JSON, or a text that is made of it; nil if there is none.
    package var jsonOption: String? { JSONOutput.options.first(where: arguments.isGiven) }
    package var wantsJSON: Bool { jsonOption != nil }
    /// Prints the JSON that is the command's result, as `--json`, `--jsonl`, `--jq` and `--template` want it.
    package func out(json text: [UInt8]) { jsonOutput.print(text, isLine: false) }
    /// Prints one JSON text of a stream of many on a line of its own.
    package func out(jsonLine text: [UInt8]) { jsonOutput.print(text, isLine: true) }
    /// Throws if the program of `--jq` did not fit the command's JSON.
    package func checkJSON() throws(CommandFailure) { try jsonOutput.check() }

    /// Whether commands may use colours and pictures: standard output is a terminal, and the user has not
    /// switched colours off (no-color.org: any value of `NO_COLOR` except an empty one).
    package var isColourful: Bool { Self.isColourful(console, environment) }

    static func isColourful(_ console: any Console, _ environment: [String: String]) -> Bool {
        console.outIsTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    package var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale = locale?.lowercased() else { return true }
        return locale.contains("utf-8") || locale.contains("utf8")
    }

    // MARK: Options

    /// Returns the value of a setting. A command that reads no file of settings knows the options and the
    /// variables.
    package func setting(_ name: String) -> String? {
        if let value = settings[name]?.text ?? arguments.value(name) { return value }
        let value = environment[Setting.variable(name)]
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the option's value as a duration; nil if the user did not give the option.
    /// - Throws: `.usage` if the value is not a duration (`DurationText`).
    package func duration(_ name: String) throws(CommandFailure) -> Duration? {
        guard let written = arguments.value(name) else { return nil }
        guard let duration = DurationText.read(written) else {
            throw .usage(.notReadable("--\(name)", written, expected: "30s, 90m, 1h30m"))
        }
        return duration
    }

    /// Returns the option's value as an integer; nil if the user did not give the option.
    /// - Throws: `.usage` if the value is not an integer within the range.
    package func integer(_ name: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let written = arguments.value(name) else { return nil }
        do throws(UsageError) { return try Arguments.integer(written, range, "--\(name)") } catch {
            throw .usage(error)
        }
    }

    /// Returns the value of an option whose declaration has a range; nil if the user did not give the option.
    /// - Throws: `.usage` if the value is not an integer within the range.
    package func integer(_ name: String) throws(CommandFailure) -> Int? {
        guard let range = command.options.first(where: { $0.name == name })?.range else {
            preconditionFailure("--\(name) has no range")
        }
        return try integer(name, range)
    }

    package func choice<Choice: RawRepresentable<String>>(_ name: String, of type: Choice.Type) -> Choice? {
        arguments.value(name).flatMap { Choice(rawValue: $0) }
    }

    /// The failure of an edit whose options change nothing.
    package var nothingToChange: CommandFailure {
        .said(.usage, CommandPhrases.Fail.nothingToChange, [:], next: "qring help \(command.name)")
    }

    // MARK: Questions at the terminal

    /// Whether the command may ask the user: standard input is a terminal, and `--no-input` is not given.
    package var mayAsk: Bool { console.inIsTerminal && !arguments.has("no-input") }

    /// Returns the option's value, or else asks the user for it.
    /// - Parameter what: the name of the value, for the message if the command may not ask.
    /// - Throws: `.said` if the option is missing and the command may not ask, or if the input ends.
    package func asked(
        _ option: String, _ prompt: Phrase, _ what: Phrase, hidden: Bool = false
    ) async throws(CommandFailure) -> String {
        if let given = arguments.value(option) { return given }
        guard mayAsk else {
            throw .said(
                .usage, CommandPhrases.Fail.noTerminal, ["what": text(what), "option": "--\(option)"],
                next: nil)
        }
        guard let answer = await console.ask(text(prompt), hidden: hidden) else {
            throw .failed(CommandPhrases.Fail.inputEnded)
        }
        return answer
    }

    /// Returns whether the user agrees to an action that cannot be undone. Returns true without a question if
    /// `--yes` is given.
    /// - Parameter refusal: the message if the command may not ask. It says what the action would delete.
    /// - Throws: `.said` with `refusal` if the command may not ask and `--yes` is missing.
    package func confirmed(
        _ question: Phrase, orElse refusal: Phrase, _ values: [String: String] = [:]
    ) async throws(CommandFailure) -> Bool {
        if arguments.has("yes") { return true }
        guard mayAsk else { throw .said(.usage, refusal, values, next: "… --yes") }
        let answer = await console.ask(text(question, values) + " ", hidden: false)
        return Self.isYes(answer)
    }

    /// Returns the number of `--limit`; nil if the user did not give it.
    /// - Throws: `.usage` if it is no number from 1.
    package func limit() throws(CommandFailure) -> Int? { try integer("limit", 1...Int.max) }

    package static func isYes(_ answer: String?) -> Bool {
        ["y", "yes", "예", "네", "ㅇ"].contains(answer?.lowercased())
    }

    // MARK: Files

    /// The folder of a server's data: the setting, the folder that systemd has made for the service
    /// (`StateDirectory=`), or the user's data folder (XDG Base Directory).
    package var dataFolderPath: String {
        if let given = setting("data") { return given }
        if let folder = environment["STATE_DIRECTORY"], folder.hasPrefix("/"), !folder.contains(":") {
            return folder
        }
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return "\(folder)/qring" }
        return "\(environment["HOME"] ?? ".")/.local/share/qring"
    }

    /// Returns a file's bytes, or all of standard input for `-`.
    /// - Throws: `.said` with the system's reason if the file cannot be read.
    package func contents(of path: String, most: Int = .max) async throws(CommandFailure) -> [UInt8] {
        if path == "-" { return await console.readInput() }
        do throws(FileFailure) { return try FileBytes.read(path, most: most) } catch {
            throw .failed(CommandPhrases.Fail.fileUnreadable, ["path": path, "reason": error.reason])
        }
    }

    /// Writes a file and reports its path, or writes to standard output for `-`.
    /// - Parameter isPrivate: whether only the owner may read the file.
    /// - Throws: `.said` with the system's reason if the file cannot be written.
    package func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(CommandFailure) {
        if path == "-" { return console.out(bytes) }
        do throws(FileFailure) { try FileBytes.write(bytes, to: path, isPrivate: isPrivate) } catch {
            throw .failed(CommandPhrases.Fail.fileUnwritable, ["path": path, "reason": error.reason])
        }
        note(CommandPhrases.Messages.written, ["path": path])
    }
}

extension CommandDeclaration.Option {
    package static let yes = flag("yes", CommandPhrases.Help.yes)
}

extension CommandPhrases.Help {
    static let yes = Phrase("do not ask for confirmation")
}

extension CommandPhrases.Messages {
    static let written = Phrase("Saved: {path}")
}
