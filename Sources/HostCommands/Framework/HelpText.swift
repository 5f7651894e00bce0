package import Phrases
internal import Terminal

/// What `help` prints, examples first.
package enum HelpText {
    private typealias Help = CommandPhrases.Help
    private typealias Overview = CommandPhrases.Overview

    /// - Parameter width: of the terminal; nil without one.
    package static func overview(_ commands: [CommandDeclaration], in language: Language, width: Int? = nil)
        -> String
    {
        var text = Help.headline.text(in: language) + "\n\n\(Help.examples.text(in: language)):\n"
        for line in ["demo", "meeting create \"Study group\" --now", "watch @"] {
            guard
                let command = (try? CommandTree(commands).find(line.split(separator: " ").map(String.init)))?
                    .command
            else { continue }
            text += "  qring \(line)\n      \(command.summary.text(in: language))\n"
        }
        let sections = HelpSection.all(of: commands)
        let left =
            (sections.flatMap(\.entries).map(\.name) + HelpTopic.all.map(\.name)).map { DisplayWidth.of($0) }
            .max() ?? 0
        for (heading, entries) in sections {
            text += "\n\(heading.text(in: language))\n"
            text += columns(entries.map { ($0.name, $0.meaning(in: language)) }, left: left, width: width)
        }
        text += "\n\(Overview.topics.text(in: language))\n"
        text += columns(
            HelpTopic.all.map { ($0.name, $0.summary.text(in: language)) }, left: left, width: width)
        return text + "\n" + Help.moreAboutACommand.text(in: language) + "\n"
    }

    /// The commands that begin with the same word.
    package static func group(
        _ path: [String], _ commands: [CommandDeclaration], in language: Language, width: Int? = nil
    ) -> String {
        let below = commands.filter { $0.path.starts(with: path) }
        return columns(below.map { ($0.name, $0.summary.text(in: language)) }, width: width)
            + "\n" + Help.moreAboutACommand.text(in: language) + "\n"
    }

    package static func page(_ command: CommandDeclaration, in language: Language, width: Int? = nil)
        -> String
    {
        var text = TextWrapping.lines(
            "qring \(command.name): \(command.summary.text(in: language))", indent: 0, width: width)
        if !command.examples.isEmpty {
            text += "\n\(Help.examples.text(in: language)):\n"
            for example in command.examples {
                text +=
                    "  qring \(example.line)\n"
                    + TextWrapping.lines(example.meaning.text(in: language), indent: 6, width: width)
            }
        }
        text += "\n\(Help.usage.text(in: language)): qring \(command.name)"
        for positional in command.positionals { text += " \(positional.shown)" }
        text += " [\(Help.options.text(in: language))]\n"
        if !command.positionals.isEmpty {
            text +=
                "\n"
                + columns(command.positionals.map { ($0.name, $0.meaning.text(in: language)) }, width: width)
        }
        text +=
            "\n" + columns(command.allOptions.map { ($0.shown, $0.meaning.text(in: language)) }, width: width)
        if let fields = command.jsonFields, !fields.isEmpty {
            text +=
                "\n\(Help.jsonFields.text(in: language)):\n"
                + TextWrapping.lines(fields.joined(separator: ", "), indent: 2, width: width ?? 80)
        }
        if let notes = command.notes {
            let lines = notes.text(in: language).split(separator: "\n", omittingEmptySubsequences: false)
            text += "\n" + lines.map { TextWrapping.lines(String($0), indent: 0, width: width) }.joined()
        }
        return text
    }

    /// So much room a meaning has beside its name, or it stands below it.
    private static let narrowestMeaning = 24

    /// Two columns; a first one that is too wide has its meaning on the next line, and so have all where the
    /// terminal is narrow. Meanings are wrapped where it has an end.
    static func columns(_ rows: [(String, String)], left: Int? = nil, width: Int? = nil) -> String {
        let widest = 26
        let column = left ?? min(widest, rows.map { DisplayWidth.of($0.0) }.max() ?? 0)
        if let width, width < column + 4 + narrowestMeaning {
            return rows.map { "  \($0)\n\(TextWrapping.lines($1, indent: 6, width: width))" }.joined()
        }
        return rows.map { name, meaning in
            let wrapped = TextWrapping.lines(meaning, indent: column + 4, width: width)
            return DisplayWidth.of(name) <= column
                ? "  \(DisplayWidth.padded(name, to: column))  \(wrapped.dropFirst(column + 4))"
                : "  \(name)\n\(wrapped)"
        }.joined()
    }
}

extension CommandDeclaration {
    /// What `--json` can choose from, where it was declared.
    package var jsonFields: [String]? {
        options.first { $0.name == Option.json.name }.flatMap { $0.fields?() }
    }
}

extension CommandDeclaration.Positional {
    /// `NAME`, or `[NAME]` where it may be left out.
    var shown: String { isRequired ? name : "[\(name)]" }
}
