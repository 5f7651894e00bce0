package import Phrases

/// A manual page (man(7)): either `qring.1` or the page of one command.
package struct ManualPage {
    package let fileName: String
    package let text: String

    private typealias Manual = CommandPhrases.Manual
    private typealias Help = CommandPhrases.Help

    /// Returns the manual page of the program, the pages of all commands, and a page for each group of
    /// commands, such as `qring meeting`.
    /// - Parameter date: the date for the footer, such as `2026-11-20`.
    package static func all(of set: CommandSet, in language: Language, date: String) -> [ManualPage] {
        [overview(set, language, date)] + set.commands.map { page($0, set, language, date) }
            + groups(of: set).map { group($0, set, language, date) }
    }

    /// Returns the beginnings of names that several commands share and that are no command themselves.
    static func groups(of set: CommandSet) -> [[String]] {
        let commands = Set(set.commands.map(\.path))
        let groups = Set(
            set.commands.flatMap { command in
                (1..<max(1, command.path.count)).map { Array(command.path.prefix($0)) }
            })
        return groups.subtracting(commands).sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func sorted(_ commands: [CommandDeclaration]) -> [CommandDeclaration] {
        commands.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    }

    private static func group(
        _ path: [String], _ set: CommandSet, _ language: Language, _ date: String
    ) -> ManualPage {
        let below = sorted(set.commands.filter { $0.path.starts(with: path) })
        let name = path.joined(separator: " ")
        var roff = Roff(
            title: page(named: name), date: date, version: set.version,
            manual: Manual.title.text(in: language))
        roff.section(Manual.name.text(in: language))
        roff.prose("\(page(named: name)) - \(Manual.groupOf.text(in: language, ["name": name]))")
        roff.section(Manual.synopsis.text(in: language))
        roff.line(
            "\\fBqring \(Roff.escaped(name))\\fR "
                + "\\fI\(Roff.escaped(Help.command.text(in: language)))\\fR [\\fI…\\fR]"
        )
        roff.section(Manual.commands.text(in: language))
        for command in below { roff.item(bold: "qring \(command.name)", command.summary.text(in: language)) }
        roff.section(Manual.seeAlso.text(in: language))
        roff.references(["qring"] + below.map { page(named: $0.name) })
        return ManualPage(fileName: "\(page(named: name)).1", text: roff.text)
    }

    private static func overview(_ set: CommandSet, _ language: Language, _ date: String) -> ManualPage {
        var roff = Roff(
            title: "qring", date: date, version: set.version, manual: Manual.title.text(in: language))
        roff.section(Manual.name.text(in: language))
        roff.prose("qring - \(set.headline.text(in: language).replacing("qring: ", with: ""))")
        roff.section(Manual.synopsis.text(in: language))
        roff.line("\\fBqring\\fR \\fI\(Roff.escaped(Help.command.text(in: language)))\\fR [\\fI…\\fR]")
        roff.section(Manual.commands.text(in: language))
        for command in sorted(set.commands) {
            roff.item(bold: "qring \(command.name)", command.summary.text(in: language))
        }
        for topic in set.topics {
            roff.section(topic.manualHeading.text(in: language))
            for (name, meaning) in topic.rows {
                if name.isEmpty {
                    roff.prose(meaning.text(in: language))
                } else {
                    roff.item(bold: name, meaning.text(in: language))
                }
            }
        }
        roff.section(Manual.seeAlso.text(in: language))
        roff.references(
            (set.commands.map(\.path) + groups(of: set)).map { page(named: $0.joined(separator: " ")) }
                .sorted())
        return ManualPage(fileName: "qring.1", text: roff.text)
    }

    private static func page(
        _ command: CommandDeclaration, _ set: CommandSet, _ language: Language, _ date: String
    ) -> ManualPage {
        let name = page(named: command.name)
        var roff = Roff(
            title: name, date: date, version: set.version, manual: Manual.title.text(in: language))
        roff.section(Manual.name.text(in: language))
        roff.prose("\(name) - \(command.summary.text(in: language))")
        roff.section(Manual.synopsis.text(in: language))
        let arguments =
            command.positionals.map { Roff.placeholder($0.shown) } + command.requiredOptions.map(Roff.escaped)
        roff.line(
            "\\fBqring \(Roff.escaped(command.name))\\fR \((arguments.map { "\($0) " }).joined())"
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
            let parts = option.long.split(separator: " ", maxSplits: 1).map(String.init)
            let value = parts.count > 1 ? " " + Roff.placeholder(parts[1]) : ""
            let short = option.letter.map { "\\fB\(Roff.escaped("-\($0)"))\\fR, " } ?? ""
            roff.item("\(short)\\fB\(Roff.escaped(parts[0]))\\fR\(value)", option.explanation(in: language))
        }
        if let fields = command.jsonFields, !fields.isEmpty {
            roff.section(Manual.jsonFields.text(in: language))
            roff.prose(fields.joined(separator: ", "))
        }
        if !command.examples.isEmpty {
            roff.section(Manual.examples.text(in: language))
            for example in command.examples {
                roff.item(bold: "qring \(example.line)", command.caption(of: example, in: language) ?? "")
            }
        }
        roff.section(Manual.seeAlso.text(in: language))
        roff.references(["qring"])
        return ManualPage(fileName: "\(name).1", text: roff.text)
    }

    private static func page(named command: String) -> String { "qring-\(command.replacing(" ", with: "-"))" }
}

/// Builds a text in roff, the language of man(7), which groff and mandoc read.
package struct Roff {
    package private(set) var text: String

    init(title: String, date: String, version: String, manual: String) {
        text =
            ".TH \"\(Self.escaped(title.uppercased()))\" \"1\" \"\(date)\" \"qring \(version)\" "
            + "\"\(Self.escaped(manual))\"\n"
        // Switch off hyphenation and stretched spaces, because people copy commands from the manual.
        text += ".nh\n.ad l\n"
    }

    /// Whether the last line is a heading. A heading begins a paragraph, and mandoc warns of a second one.
    private var isAfterHeading: Bool { text.split(separator: "\n").last?.hasPrefix(".SH") ?? false }

    mutating func section(_ heading: String) { text += ".SH \"\(Self.escaped(heading))\"\n" }

    /// Adds a line of roff.
    mutating func line(_ roff: String) { text += roff + "\n" }

    mutating func prose(_ words: String) {
        if !isAfterHeading {
            text += ".PP\n"
        }
        text += Self.escaped(words) + "\n"
    }

    /// Adds a term and its meaning, or the term alone if the meaning is empty.
    mutating func item(_ roff: String, _ meaning: String) {
        guard meaning.isEmpty else {
            text += ".TP\n\(roff)\n\(Self.escaped(meaning))\n"
            return
        }
        text += (isAfterHeading ? "" : ".PP\n") + "\(roff)\n"
    }

    mutating func item(bold name: String, _ meaning: String) {
        item("\\fB\(Self.escaped(name))\\fR", meaning)
    }

    mutating func references(_ pages: [String]) {
        for (index, page) in pages.enumerated() {
            text += ".BR \(Self.escaped(page)) (1)\(index == pages.count - 1 ? "" : ",")\n"
        }
    }

    /// Sets placeholders such as `[NAME]` in italics, except their brackets and bars.
    package static func placeholder(_ name: String) -> String {
        var roff = ""
        var word = ""
        func flushed() -> String { word.isEmpty ? "" : "\\fI\(escaped(word))\\fR" }
        for character in name {
            if "[]|".contains(character) {
                roff += flushed() + String(character)
                word = ""
            } else {
                word.append(character)
            }
        }
        return roff + flushed()
    }

    /// Escapes the characters that are special in roff: backslashes, quotes, a dot at the start of a line,
    /// and hyphens (so that people can copy them).
    package static func escaped(_ text: String) -> String {
        let body = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing(
            "\"", with: "\\(dq"
        ).replacing(
            "'", with: "\\(aq"
        )
        .replacing("~", with: "\\(ti").replacing("^", with: "\\(ha").replacing("`", with: "\\(ga")
        return body.hasPrefix(".") ? "\\&" + body : body
    }
}

extension CommandPhrases.Help {
    static let command = Phrase("COMMAND")
}

extension CommandPhrases.Manual {
    static let groupOf = Phrase("the commands that begin with qring {name}")
    static let title = Phrase("QRing manual")
    static let name = Phrase("NAME")
    static let synopsis = Phrase("SYNOPSIS")
    static let description = Phrase("DESCRIPTION")
    static let options = Phrase("OPTIONS")
    static let commands = Phrase("COMMANDS")
    static let examples = Phrase("EXAMPLES")
    static let seeAlso = Phrase("SEE ALSO")
    static let jsonFields = Phrase("JSON FIELDS")
}
