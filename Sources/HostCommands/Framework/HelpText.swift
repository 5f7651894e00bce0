package import Phrases

/// What `help` prints, examples first.
package enum HelpText {
    package static func overview(_ commands: [CommandDeclaration], in language: Language) -> String {
        typealias Help = CommandPhrases.Help
        var text = Help.headline.text(in: language) + "\n\n"
        text += listing(commands, in: language)
        text += "\n" + Help.moreAboutACommand.text(in: language) + "\n"
        return text
    }

    /// The commands that begin with the same word.
    package static func group(_ path: [String], _ commands: [CommandDeclaration], in language: Language) -> String {
        listing(commands.filter { $0.path.starts(with: path) }, in: language)
    }

    package static func page(_ command: CommandDeclaration, in language: Language) -> String {
        typealias Help = CommandPhrases.Help
        var text = "qring \(command.name): \(command.summary.text(in: language))\n"
        if !command.examples.isEmpty {
            text += "\n\(Help.examples.text(in: language)):\n"
            for example in command.examples { text += "  qring \(example.line)\n      \(example.meaning.text(in: language))\n" }
        }
        text += "\n\(Help.usage.text(in: language)): qring \(command.name)"
        for positional in command.positionals { text += positional.isRequired ? " \(positional.name)" : " [\(positional.name)]" }
        text += " [\(Help.options.text(in: language))]\n"
        if !command.positionals.isEmpty {
            text += "\n" + columns(command.positionals.map { ($0.name, $0.meaning.text(in: language)) })
        }
        text += "\n" + columns(command.allOptions.map { ($0.shown, $0.meaning.text(in: language)) })
        if let notes = command.notes { text += "\n\(notes.text(in: language))\n" }
        return text
    }

    private static func listing(_ commands: [CommandDeclaration], in language: Language) -> String {
        columns(commands.map { ($0.name, $0.summary.text(in: language)) })
    }

    /// Two columns; a first one that is too wide has its meaning on the next line.
    private static func columns(_ rows: [(String, String)]) -> String {
        let widest = 26
        let width = min(widest, rows.map { DisplayWidth.of($0.0) }.max() ?? 0)
        return rows.map { left, right in
            DisplayWidth.of(left) <= width
                ? "  \(DisplayWidth.padded(left, to: width))  \(right)\n"
                : "  \(left)\n  \(String(repeating: " ", count: width))  \(right)\n"
        }.joined()
    }
}
