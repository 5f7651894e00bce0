internal import Meetings
internal import Phrases
internal import Wire

/// Manual pages (man(7)): `qring.1`, and one a command.
struct ManualPage {
    let fileName: String
    let text: String

    private typealias Manual = CommandPhrases.Manual
    private typealias Help = CommandPhrases.Help

    /// - Parameter date: `2026-11-20`, at the foot.
    static func all(of commands: [CommandDeclaration], in language: Language, date: String) -> [ManualPage] {
        [overview(commands, language, date)] + commands.map { page($0, language, date) }
    }

    private static func overview(_ commands: [CommandDeclaration], _ language: Language, _ date: String)
        -> ManualPage
    {
        var roff = Roff(
            title: "qring", date: date, version: ProductVersion.text, manual: Manual.title.text(in: language))
        roff.section(Manual.name.text(in: language))
        roff.prose("qring - \(Help.headline.text(in: language).replacing("qring: ", with: ""))")
        roff.section(Manual.synopsis.text(in: language))
        roff.line("\\fBqring\\fR \\fI\(Roff.escaped(Help.command.text(in: language)))\\fR [\\fI…\\fR]")
        roff.section(Manual.commands.text(in: language))
        for command in commands {
            roff.item(bold: "qring \(command.name)", command.summary.text(in: language))
        }
        let topics: [(Phrase, HelpTopic)] = [
            (Manual.references, .references), (Manual.times, .times), (Manual.formatting, .formatting),
            (Manual.exitStatus, .exitCodes),
            (Manual.environment, .environment),
        ]
        for (heading, topic) in topics {
            roff.section(heading.text(in: language))
            for (name, meaning) in topic.rows {
                if name.isEmpty {
                    roff.prose(meaning.text(in: language))
                } else {
                    roff.item(bold: name, meaning.text(in: language))
                }
            }
        }
        roff.section(Manual.seeAlso.text(in: language))
        roff.references(commands.map { page(named: $0.name) })
        return ManualPage(fileName: "qring.1", text: roff.text)
    }

    private static func page(_ command: CommandDeclaration, _ language: Language, _ date: String)
        -> ManualPage
    {
        let name = page(named: command.name)
        var roff = Roff(
            title: name, date: date, version: ProductVersion.text, manual: Manual.title.text(in: language))
        roff.section(Manual.name.text(in: language))
        roff.prose("\(name) - \(command.summary.text(in: language))")
        roff.section(Manual.synopsis.text(in: language))
        let positionals = command.positionals.map { " " + Roff.placeholder($0.shown) }.joined()
        roff.line(
            "\\fBqring \(Roff.escaped(command.name))\\fR\(positionals) "
                + "[\\fI\(Roff.escaped(Help.options.text(in: language)))\\fR]"
        )
        if let notes = command.notes {
            roff.section(Manual.description.text(in: language))
            for line in notes.text(in: language).split(separator: "\n") { roff.prose(String(line)) }
        }
        roff.section(Manual.options.text(in: language))
        for positional in command.positionals {
            roff.item(Roff.placeholder(positional.name), positional.meaning.text(in: language))
        }
        for option in command.allOptions {
            let parts = option.shown.split(separator: " ", maxSplits: 1).map(String.init)
            let value = parts.count > 1 ? " " + Roff.placeholder(parts[1]) : ""
            roff.item("\\fB\(Roff.escaped(parts[0]))\\fR\(value)", option.meaning.text(in: language))
        }
        if let fields = command.jsonFields, !fields.isEmpty {
            roff.section(Manual.jsonFields.text(in: language))
            roff.prose(fields.joined(separator: ", "))
        }
        if !command.examples.isEmpty {
            roff.section(Manual.examples.text(in: language))
            for example in command.examples {
                roff.item(bold: "qring \(example.line)", example.meaning.text(in: language))
            }
        }
        roff.section(Manual.seeAlso.text(in: language))
        roff.references(["qring"])
        return ManualPage(fileName: "\(name).1", text: roff.text)
    }

    private static func page(named command: String) -> String { "qring-\(command.replacing(" ", with: "-"))" }
}
