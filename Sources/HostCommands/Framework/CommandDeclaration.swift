package import Phrases

/// A command as data: what parses it, helps with it, completes it and writes its manual.
package struct CommandDeclaration: Sendable {
    /// `["meeting", "create"]`.
    package let path: [String]
    package let summary: Phrase
    package let examples: [Example]
    package let positionals: [Positional]
    package let options: [Option]
    /// Said below the options.
    package let notes: Phrase?
    /// Whether it catches SIGINT and SIGTERM itself; otherwise its task is cancelled, and the program ends
    /// with 130.
    package let handlesSignals: Bool
    /// Whether `--server` says whom it speaks to.
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

    /// Its own options, and those of every command.
    package var allOptions: [Option] {
        options + Option.ofEveryCommand.filter { hasServer || $0.name != Option.server.name }
    }

    package struct Example: Sendable {
        /// Without `qring`.
        package let line: String
        package let meaning: Phrase

        package init(_ line: String, _ meaning: Phrase) {
            self.line = line
            self.meaning = meaning
        }
    }

    package struct Positional: Sendable {
        /// In capitals, as help shows it.
        package let name: String
        package let meaning: Phrase
        package let isRequired: Bool
        /// What it must be one of; empty for anything.
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
            /// Takes a value; the name is what help shows for it.
            case value(String)
            case oneOf([String])
            /// May be given again.
            case values(String)
            /// May be given alone, or with a list of some of the option's `fields`.
            case fields(String)
        }

        /// Without the hyphens.
        package let name: String
        package let kind: Kind
        package let meaning: Phrase
        /// Of `--json`: what can be chosen from; nil where the command does not say.
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

        /// As help shows it: `--for DURATION`.
        var shown: String {
            switch kind {
            case .flag: "--\(name)"
            case .value(let value), .values(let value): "--\(name) \(value)"
            case .oneOf(let values): "--\(name) \(values.joined(separator: "|"))"
            case .fields(let value): "--\(name) [\(value)]"
            }
        }

        package static let server = value("server", "URL", CommandPhrases.Help.server)
        /// JSON of anything; `json(of:)` says more.
        static let ifVersion = value("if-version", "N", CommandPhrases.Fields.ifVersion)

        package static let json = Option(
            name: "json", kind: .fields("FIELDS"), meaning: CommandPhrases.Help.json)

        /// JSON with the fields of a body, or of a page's items.
        package static func json<Body: Decodable & SendableMetatype>(of body: Body.Type) -> Option {
            var option = json
            option.fields = { FieldNames.of(body) }
            return option
        }

        /// JSON with these fields, where the body is only written.
        package static func json(fields: [String]) -> Option {
            var option = json
            option.fields = { fields }
            return option
        }

        static let ofEveryCommand: [Option] = [
            server, oneOf("lang", Language.allCases.map(\.rawValue), CommandPhrases.Help.lang),
            flag("no-input", CommandPhrases.Help.noInput), flag("help", CommandPhrases.Help.help),
        ]
    }
}
