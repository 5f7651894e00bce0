package import Phrases

/// The declaration of a command. The parser, the help, the completion and the manual all read it.
package struct CommandDeclaration: Sendable {
    /// The words of the command's name: `["meeting", "create"]`.
    package let path: [String]
    package let summary: Phrase
    package let examples: [Example]
    package let positionals: [Positional]
    package let options: [Option]
    /// Prose that the help shows below the options.
    package let notes: Phrase?
    /// Whether the command catches SIGINT and SIGTERM itself. Otherwise these signals cancel the command's
    /// task, and the program exits with 130.
    package let handlesSignals: Bool
    /// Whether the command has the option `--server`.
    package let hasServer: Bool
    package let run: @Sendable (Invocation) async throws(CommandFailure) -> ExitCode

    package init(
        _ path: String, _ summary: Phrase, examples: [Example] = [], positionals: [Positional] = [],
        options: [Option] = [],
        notes: Phrase? = nil, handlesSignals: Bool = false, hasServer: Bool = true,
        run: @escaping @Sendable (Invocation) async throws(CommandFailure) -> ExitCode
    ) {
        self.path = path.split(separator: " ").map(String.init)
        self.summary = summary
        self.examples = examples
        self.positionals = positionals
        self.options = options
        self.notes = notes
        self.handlesSignals = handlesSignals
        self.hasServer = hasServer
        self.run = run
    }

    package var name: String { path.joined(separator: " ") }

    /// The command's own options, and then the options that every command has.
    package var allOptions: [Option] {
        options + Option.ofEveryCommand.filter { hasServer || $0.name != Option.server.name }
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
        package let kind: Kind
        package let meaning: Phrase
        /// For `--json`: the fields that the user can select; nil if the command does not declare them.
        package var fields: (@Sendable () -> [String])?

        package static func flag(_ name: String, _ meaning: Phrase) -> Option {
            Option(name: name, kind: .flag, meaning: meaning)
        }
        package static func value(_ name: String, _ value: String, _ meaning: Phrase) -> Option {
            Option(name: name, kind: .value(value), meaning: meaning)
        }
        package static func values(_ name: String, _ value: String, _ meaning: Phrase) -> Option {
            Option(name: name, kind: .values(value), meaning: meaning)
        }
        package static func oneOf(_ name: String, _ values: [String], _ meaning: Phrase) -> Option {
            Option(name: name, kind: .oneOf(values), meaning: meaning)
        }

        /// The option as the help shows it: `--for DURATION`.
        package var shown: String {
            switch kind {
            case .flag: "--\(name)"
            case .value(let value), .values(let value): "--\(name) \(value)"
            case .oneOf(let values): "--\(name) \(values.joined(separator: "|"))"
            case .fields(let value): "--\(name) [\(value)]"
            }
        }

        package static let server = value("server", "URL", CommandPhrases.Help.server)
        /// The option `--json` without declared fields.
        package static let json = Option(
            name: "json", kind: .fields("FIELDS"), meaning: CommandPhrases.Help.json)

        /// Returns the option `--json` with these fields. They are evaluated only if a command line, the help
        /// or the completion needs them.
        package static func json(fields: @autoclosure @escaping @Sendable () -> [String]) -> Option {
            var option = json
            option.fields = fields
            return option
        }

        package static let ofEveryCommand: [Option] = [
            server, oneOf("lang", Language.allCases.map(\.rawValue), CommandPhrases.Help.lang),
            flag("no-input", CommandPhrases.Help.noInput), flag("help", CommandPhrases.Help.help),
        ]
    }
}

extension CommandPhrases.Help {
    static let server = Phrase(
        "the server (default: QRING_SERVER, or else the server of the last login)",
        "서버(기본: QRING_SERVER, 없으면 마지막에 로그인한 서버)")
    static let lang = Phrase("language (default: QRING_LANG)", "언어(기본: QRING_LANG)")
    static let help = Phrase("show examples and options", "예와 옵션 보기")
    static let noInput = Phrase("ask no questions", "아무것도 묻지 않기")
}
