internal import Client
package import CommandLine
internal import Phrases
internal import Terminal
internal import Wire

/// The commands for the user's preferences in `config.json`.
package enum ConfigCommands {
    private typealias Messages = CommandPhrases.Config

    /// The keys. Each has the function that reads it from the settings, and the function that changes it.
    struct Key: Sendable {
        let name: String
        let meaning: Phrase
        /// The accepted values; empty for any text.
        let choices: [String]
        let read: @Sendable (SavedSettings) -> String?
        let write: @Sendable (inout SavedSettings, String?) -> Void

        static let all = [
            Key(
                name: "language", meaning: Messages.language, choices: Language.forHosts.map(\.rawValue),
                read: { $0.language?.rawValue },
                write: { $0.language = $1.flatMap { Language(rawValue: $0) } }),
            Key(
                name: "theme", meaning: Messages.theme, choices: Theme.allCases.map(\.rawValue),
                read: { $0.theme }, write: { $0.theme = $1 }),
            Key(
                name: "pager", meaning: Messages.pager, choices: [],
                read: { $0.pager }, write: { $0.pager = $1 }),
            Key(
                name: "confirm", meaning: Messages.confirm, choices: ["on", "off"],
                read: { $0.confirm.map { $0 ? "on" : "off" } },
                write: { $0.confirm = $1.map { $0 == "on" } }),
        ]
    }

    private static let key = CommandDeclaration.Positional(
        "KEY", Messages.key, choices: Key.all.map(\.name))

    package static let all = [
        CommandDeclaration(
            "config list", Messages.list, examples: [.init("config list", Messages.listExample)],
            options: [.json(fields: ["key", "value"])], hasServer: false, run: list),
        CommandDeclaration(
            "config get", Messages.get, examples: [.init("config get theme", Messages.getExample)],
            positionals: [key], hasServer: false, run: get),
        CommandDeclaration(
            "config set", Messages.set,
            examples: [
                .init("config set theme light", Messages.setExample),
                .init("config set pager \"less -FRX\"", Messages.pagerExample),
                .init("config set theme ''", Messages.resetExample),
            ],
            positionals: [key, .init("VALUE", Messages.value)],
            notes: Messages.notes, hasServer: false, run: set),
    ]

    private struct Listed: Encodable {
        let key: String
        let value: String?
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let settings = try call.settings()
        if call.wantsJSON {
            call.json(Key.all.map { Listed(key: $0.name, value: $0.read(settings)) })
            return .success
        }
        var table = Table(
            [Messages.headKey, Messages.headValue, Messages.headMeaning].map { call.text($0) }, wrapping: [2])
        for key in Key.all { table.add([key.name, key.read(settings) ?? "", call.text(key.meaning)]) }
        call.out(table)
        return .success
    }

    private static func get(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let value = try named(call).read(try call.settings())
        if let value { call.out(TerminalEscaping.safe(value)) }
        return .success
    }

    private static func set(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (key, value) = (try named(call), call.arguments.positional("VALUE") ?? "")
        guard value.isEmpty || key.choices.isEmpty || key.choices.contains(value) else {
            throw .usage(
                .notOneOf(
                    key.name, value, key.choices, near: Suggestion.nearest(to: value, among: key.choices)))
        }
        try call.update { key.write(&$0, value.isEmpty ? nil : value) }
        call.note(
            value.isEmpty ? Messages.reset : Messages.saved,
            ["key": key.name, "value": TerminalEscaping.safe(value)])
        return .success
    }

    private static func named(_ call: Invocation) throws(CommandFailure) -> Key {
        let name = call.arguments.positional("KEY")
        guard let key = Key.all.first(where: { $0.name == name }) else { throw .usage(.missing("KEY")) }
        return key
    }
}

extension SavedSettings {
    /// The saved choices that concern every command.
    var preferences: Preferences {
        Preferences(
            language: language, theme: theme.flatMap { Theme(rawValue: $0) }, pager: pager, aliases: aliases)
    }
}

extension CommandPhrases {
    /// The texts of `qring config`.
    enum Config {
        static let list = Phrase("list the settings of this computer")
        static let listExample = Phrase("all keys with their values")
        static let get = Phrase("print one setting")
        static let getExample = Phrase("prints nothing if the setting has its default")
        static let set = Phrase("change a setting")
        static let setExample = Phrase("colours for a light terminal")
        static let pagerExample = Phrase("long lists in a pager")
        static let resetExample = Phrase("back to the default")
        static let key = Phrase("the setting's name")
        static let value = Phrase("the new value; empty for the default")
        static let language = Phrase("the language: en or ko")
        static let theme = Phrase(
            "the colours: standard, dark, light, contrast (bold instead of colours) or terminal (its own 16)")
        static let pager = Phrase("the command that shows long output on a terminal")
        static let confirm = Phrase(
            "whether the dashboard asks before a key changes all phones: on or off (default on)")
        static let notes = Phrase(
            "The variables QRING_LANG, QRING_THEME and QRING_PAGER override the settings.")
        static let saved = Phrase("{key} is now {value}.")
        static let reset = Phrase("{key} has its default again.")
        static let headKey = Phrase("KEY")
        static let headValue = Phrase("VALUE")
        static let headMeaning = Phrase("MEANING")
    }
}
