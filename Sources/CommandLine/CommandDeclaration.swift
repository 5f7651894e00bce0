package import Phrases

/// The declaration of a command. The parser, the help, the completion and the manual all read it.
package struct CommandDeclaration: Sendable {
    /// The words of the command's name: `["meeting", "create"]`.
    package let path: [String]
    package let summary: Phrase
    package let examples: [Example]
    package let positionals: [Positional]
    /// The order of the positionals in version 0.1, without the session or with the session last; empty if
    /// the order is the same. This version still accepts it, with a note.
    package let earlierOrder: [String]
    /// Whether the command changes a session, so that it says which one.
    package let changesSession: Bool
    package private(set) var options: [Option]
    /// The arguments that the command needs beside its required positionals.
    package let needs: [Need]
    /// Prose that the help shows below the options.
    package let notes: Phrase?
    /// Whether the command catches SIGINT and SIGTERM itself. Otherwise these signals cancel the command's
    /// task, and the program exits with 130.
    package let handlesSignals: Bool
    /// Whether the command has the option `--server`.
    package let hasServer: Bool
    /// Whether the output may be long, so that a terminal shows it in the user's pager.
    package let usesPager: Bool
    package private(set) var run: @Sendable (Invocation) async throws(CommandFailure) -> ExitCode

    package init(
        _ path: String, _ summary: Phrase, examples: [Example] = [], positionals: [Positional] = [],
        earlierOrder: [String] = [], changesSession: Bool = false, options: [Option] = [], needs: [Need] = [],
        notes: Phrase? = nil, handlesSignals: Bool = false, hasServer: Bool = true,
        usesPager: Bool = false,
        run: @escaping @Sendable (Invocation) async throws(CommandFailure) -> ExitCode
    ) {
        self.path = path.split(separator: " ").map(String.init)
        self.summary = summary
        self.examples = examples
        self.positionals = positionals
        self.earlierOrder = earlierOrder
        self.changesSession = changesSession
        self.options = options
        self.needs = needs
        self.notes = notes
        self.handlesSignals = handlesSignals
        self.hasServer = hasServer
        self.usesPager = usesPager
        self.run = run
    }

    package var name: String { path.joined(separator: " ") }

    /// Returns this command with another option. Before the command runs, `prepare` changes its invocation.
    package func with(
        _ option: Option,
        prepare: @escaping @Sendable (Invocation) throws(CommandFailure) -> Invocation
    ) -> CommandDeclaration {
        var command = self
        command.options.append(option)
        command.run = { [run] call throws(CommandFailure) in try await run(try prepare(call)) }
        return command
    }

    /// The command with its positionals, as the usage line shows it: `attendee add SESSION NAME`.
    package var shown: String { ([name] + positionals.map(\.shown)).joined(separator: " ") }

    /// The command's own options, and then the options that every command has.
    package var allOptions: [Option] {
        let printsJSON = options.contains { $0.name == Option.json.name }
        let others = printsJSON ? Option.ofJSON : []
        return options + others.filter { other in !options.contains { $0.name == other.name } }
            + (takesSessionAsArgument ? [.session] : [])
            + Option.ofEveryCommand.filter { hasServer || !Option.ofServer.contains($0.name) }
    }

    /// The required options as the usage line shows them: `--attendees N`, `(--now | --starts TIME)`.
    var requiredOptions: [String] {
        needs.filter { $0.applies == nil }.map { $0.names.compactMap { argument(named: $0) } }
            .compactMap { arguments in
                let shown = arguments.compactMap { argument -> String? in
                    if case .option(let option) = argument { option.long } else { nil }
                }
                // The usage line shows a positional anyway.
                guard shown.count == arguments.count else { return nil }
                return shown.count == 1 ? shown[0] : "(\(shown.joined(separator: " | ")))"
            }
    }

    /// Whether the command has an argument `SESSION` and no option of this name. The user may then give the
    /// session either way, because other commands have only the option.
    var takesSessionAsArgument: Bool {
        positionals.contains { $0.name == "SESSION" } && !options.contains { $0.name == Option.session.name }
    }

    package struct Example: Sendable {
        /// The command line without `qring`.
        package let line: String
        package let meaning: Phrase

        package init(_ line: String, _ meaning: Phrase) {
            self.line = line
            self.meaning = meaning
        }
    }

    package struct Positional: Sendable {
        /// The argument's name in capitals, as the help shows it.
        package let name: String
        package let meaning: Phrase
        package let isRequired: Bool
        /// The values that the argument accepts; empty if it accepts any value.
        package let choices: [String]

        package init(_ name: String, _ meaning: Phrase, required: Bool = true, choices: [String] = []) {
            self.name = name
            self.meaning = meaning
            isRequired = required
            self.choices = choices
        }
    }

    /// Alternative options and positionals: the command needs one of them. On a terminal, the command asks
    /// for the first one that takes a value.
    package struct Need: Sendable {
        /// The names of options without the hyphens, and of positionals.
        let names: [String]
        /// Whether the other arguments cause the need; nil if it always exists.
        let applies: (@Sendable (Arguments) -> Bool)?

        /// Returns the need for one of these arguments, always or only if `applies` is true.
        package static func one(
            of names: String..., when applies: (@Sendable (Arguments) -> Bool)? = nil
        ) -> Need {
            Need(names: names, applies: applies)
        }
    }

    package struct Option: Sendable {
        package enum Kind: Sendable, Equatable {
            case flag
            /// The option takes a value; the help shows this name for the value.
            case value(String)
            case oneOf([String])
            /// The option takes a value and may be repeated.
            case values(String)
            /// The option may stand alone, or have a list of some of its `fields`.
            case fields(String)
        }

        /// The option's name without the hyphens.
        package let name: String
        /// The letter of the short form, such as `f` for `-f`.
        package var letter: Character?
        package let kind: Kind
        package let meaning: Phrase
        /// The value without the option, as the help shows it; nil if `meaning` says it, or if there is none.
        package var usual: String?
        /// The integers that the option accepts; nil if its command checks the value.
        package var range: ClosedRange<Int>?
        /// For `--json`: the fields that the user can select; nil if the command does not declare them.
        package var fields: (@Sendable () -> [String])?
        /// The fields of the objects below, with dots: `attendance.present`. Nil if they are not declared.
        package var fieldsBelow: (@Sendable () -> [String])?

        /// Whether this is a field below another one. If the fields below are not declared, the first name
        /// decides.
        private func hasField(below path: String, of fields: [String]) -> Bool {
            guard let dot = path.firstIndex(of: ".") else { return false }
            if let fieldsBelow { return fieldsBelow().contains(path) }
            return fields.contains(String(path[..<dot])) && path.last != "."
        }

        /// - Throws: `.unknownField` if the command declares its fields, and this is none of them.
        func check(field: String) throws(UsageError) {
            guard let known = fields?(), !known.contains(field), !hasField(below: field, of: known) else {
                return
            }
            throw .unknownField(field, known: known, near: Suggestion.nearest(to: field, among: known))
        }

        /// Returns this option with a short form.
        package func orShort(_ letter: Character) -> Option {
            var option = self
            option.letter = letter
            return option
        }

        package static func flag(_ name: String, _ meaning: Phrase) -> Option {
            Option(name: name, kind: .flag, meaning: meaning)
        }
        package static func value(_ name: String, _ value: String, _ meaning: Phrase) -> Option {
            Option(name: name, kind: .value(value), meaning: meaning)
        }
        /// Returns an option whose value is an integer within a range.
        package static func number(
            _ name: String, _ value: String, _ range: ClosedRange<Int>, _ meaning: Phrase
        )
            -> Option
        {
            Option(name: name, kind: .value(value), meaning: meaning, range: range)
        }
        package static func values(_ name: String, _ value: String, _ meaning: Phrase) -> Option {
            Option(name: name, kind: .values(value), meaning: meaning)
        }
        package static func oneOf(_ name: String, _ values: [String], _ meaning: Phrase) -> Option {
            Option(name: name, kind: .oneOf(values), meaning: meaning)
        }

        /// The option as the help shows it: `--for DURATION`, or `-f, --field KEY=VALUE`.
        package var shown: String { (letter.map { "-\($0), " } ?? "") + long }

        /// Returns the meaning with the default.
        package func explanation(in language: Language) -> String {
            let text = meaning.text(in: language)
            return usual.map { "\(text) \(CommandPhrases.Help.usual.text(in: language, ["value": $0]))" }
                ?? text
        }

        /// The option and its meaning for the help. A long list of choices belongs to the meaning, which has
        /// several lines on a narrow terminal.
        func row(in language: Language) -> (String, String) {
            let text = explanation(in: language)
            guard case .oneOf(let values) = kind, long.count > Self.widest else { return (shown, text) }
            return ("--\(name) \(name.uppercased())", "\(text): \(values.joined(separator: ", "))")
        }

        /// The most columns of an option with its choices.
        private static let widest = 60

        /// The long form with its value.
        package var long: String {
            switch kind {
            case .flag: "--\(name)"
            case .value(let value), .values(let value): "--\(name) \(value)"
            case .oneOf(let values): "--\(name) \(values.joined(separator: "|"))"
            case .fields(let value): "--\(name) [\(value)]"
            }
        }

        static let session = value("session", "SESSION", CommandPhrases.Help.sessionOption)
        package static let server = value("server", "URL", CommandPhrases.Help.server)
        /// The option `--json` without declared fields.
        package static let json = Option(
            name: "json", kind: .fields("FIELDS"), meaning: CommandPhrases.Help.json)

        /// Returns the option `--json` with these fields. They are evaluated only if a command line, the help
        /// or the completion needs them.
        /// - Parameter below: the fields of the objects below, with dots.
        package static func json(
            fields: @autoclosure @escaping @Sendable () -> [String],
            below: (@Sendable () -> [String])? = nil
        ) -> Option {
            var option = json
            option.fields = fields
            option.fieldsBelow = below
            return option
        }

        /// The options of every command that prints JSON.
        package static let ofJSON: [Option] = [
            value("jq", "EXPRESSION", CommandPhrases.Help.jq).orShort("q"),
            flag("jsonl", CommandPhrases.Help.jsonLines),
            value("template", "TEMPLATE", CommandPhrases.Help.template),
        ]
        /// The options of every command that talks to a server.
        static let ofServer = ["server", "context"]

        package static let limit = value("limit", "N", CommandPhrases.Help.limit)

        package static let ofEveryCommand: [Option] = [
            server, value("context", "CONTEXT", CommandPhrases.Help.context),
            oneOf("lang", Language.forHosts.map(\.rawValue), CommandPhrases.Help.lang),
            flag("no-input", CommandPhrases.Help.noInput), flag("help", CommandPhrases.Help.help),
        ]
    }
}

extension CommandPhrases.Help {
    static let usual = Phrase("(default {value})")
    static let server = Phrase("the server (default: QRING_SERVER, or else the server of the last login)")
    static let jq = Phrase(
        "print what this program of jq selects from the JSON; texts are printed without quotes")
    static let jsonLines = Phrase("print JSON Lines: each item of a list on its own line")
    static let template = Phrase(
        "print each item as this text, with fields of --json in braces (see qring help formatting)")
    static let limit = Phrase("at most this many items")
    static let context = Phrase("the saved server with this name (qring context list)")
    static let sessionOption = Phrase("the same as the argument SESSION")
    static let lang = Phrase("language (default: QRING_LANG)")
    static let help = Phrase("show examples and options")
    static let noInput = Phrase("ask no questions")
}
