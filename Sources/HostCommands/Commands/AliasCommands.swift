internal import Client
package import CommandLine
internal import Phrases
internal import Terminal

/// The commands for the user's short names of command lines.
package enum AliasCommands {
    private typealias Messages = CommandPhrases.Aliases

    package static let all = [
        CommandDeclaration(
            "alias set", Messages.set,
            examples: [
                .init("alias set w \"watch @\"", Messages.setExample),
                .init("alias set late \"attendee list @ --status late\"", Messages.lateExample),
            ],
            positionals: [.init("NAME", Messages.name), .init("LINE", Messages.line)], notes: Messages.notes,
            hasServer: false, run: set),
        CommandDeclaration(
            "alias list", Messages.list, examples: [.init("alias list", Messages.list)],
            options: [.json(fields: ["name", "line"])], hasServer: false, run: list),
        CommandDeclaration(
            "alias delete", Messages.delete, examples: [.init("alias delete w", Messages.delete)],
            positionals: [.init("ALIAS", Messages.name)], hasServer: false, run: delete),
    ]

    private struct Listed: Encodable {
        let name: String
        let line: String
    }

    private static func set(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let name = call.arguments.positional("NAME") ?? ""
        let line = call.arguments.positional("LINE") ?? ""
        let values = ["name": TerminalEscaping.safe(name), "line": TerminalEscaping.safe(line)]
        guard CommandSet.isName(name) else { throw .said(.usage, Messages.wrongName, values, next: nil) }
        guard !call.commandSet.hasCommand(named: name) else {
            throw .said(.usage, Messages.isCommand, values, next: nil)
        }
        let words = ShellLine.words(of: line)
        // An alias of an alias could lead back to itself.
        if let first = words.first, first == name || call.preferences.aliases[first] != nil {
            throw .said(.usage, Messages.isAlias, values.merging(["word": first]) { $1 }, next: nil)
        }
        do throws(UsageError) { _ = try call.commandSet.find(words) } catch { throw .usage(error) }
        guard !words.isEmpty else { throw .usage(.missing("LINE")) }
        try call.update { $0.aliases[name] = line }
        call.note(Messages.saved, values)
        return .success
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let all = try call.settings().aliases.sorted { $0.key < $1.key }
        if call.wantsJSON {
            call.json(all.map { Listed(name: $0.key, line: $0.value) })
            return .success
        }
        var table = Table([call.text(Messages.headName), call.text(Messages.headLine)], wrapping: [1])
        for (name, line) in all { table.add([name, line]) }
        call.out(table)
        return .success
    }

    private static func delete(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let name = call.arguments.positional("ALIAS") ?? ""
        let names = try call.settings().aliases.keys.sorted()
        guard names.contains(name) else {
            let near = Suggestion.nearest(to: name, among: names)
            throw .said(
                .notFound, near == nil ? Messages.unknown : Messages.unknownNear,
                ["name": TerminalEscaping.safe(name), "near": near ?? ""], next: "qring alias list")
        }
        try call.update { $0.aliases[name] = nil }
        call.note(Messages.deleted, ["name": name])
        return .success
    }
}

extension CommandPhrases {
    /// The texts of `qring alias`.
    enum Aliases {
        static let set = Phrase("give a command line a short name")
        static let setExample = Phrase("then: qring w, and :w in the dashboard")
        static let lateExample = Phrase("more words can follow: qring late --json")
        static let list = Phrase("list the aliases of this computer")
        static let delete = Phrase("delete an alias")
        static let name = Phrase("the alias, of letters, digits and hyphens")
        static let line = Phrase("the command line without qring, in quotes")
        static let notes = Phrase(
            "The words after the alias are added. An alias cannot have the name of a command, and its line "
                + "begins with a command. No shell reads the line.")
        static let wrongName = Phrase("the name \"{name}\" must have letters, digits and hyphens only.")
        static let isCommand = Phrase("\"{name}\" is a command. Choose another name.")
        static let isAlias = Phrase("\"{word}\" is an alias. Begin the line with a command.")
        static let saved = Phrase("{name} now means: {line}")
        static let deleted = Phrase("Deleted the alias {name}.")
        static let unknown = Phrase("there is no alias \"{name}\".")
        static let unknownNear = Phrase("there is no alias \"{name}\". Did you mean {near}?")
        static let headName = Phrase("ALIAS")
        static let headLine = Phrase("COMMAND LINE")
    }
}
