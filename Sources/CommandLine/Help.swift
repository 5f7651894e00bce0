internal import FoundationEssentials
package import Phrases
package import Terminal

/// The texts that `help` prints, with examples first.
package enum HelpText {
    private typealias Help = CommandPhrases.Help

    /// Returns the overview of all commands.
    /// - Parameters:
    ///   - width: the terminal's columns; nil without a terminal.
    ///   - paint: makes the headings bold.
    package static func overview(
        _ set: CommandSet, _ extensions: [String] = [], in language: Language, width: Int? = nil,
        paint: Paint = .none
    ) -> String {
        func heading(_ phrase: Phrase) -> String { paint.styled(phrase.text(in: language), .heading) }
        var text = set.headline.text(in: language) + "\n\n\(heading(Help.examples)):\n"
        for line in set.overviewExamples {
            guard let command = (try? set.find(line.split(separator: " ").map(String.init)))?.command else {
                continue
            }
            text += "  qring \(line)\n      \(command.summary.text(in: language))\n"
        }
        let sections = HelpSection.entries(of: set)
        let left =
            (sections.flatMap(\.entries).map(\.name) + set.topics.map(\.name)).map { DisplayWidth.of($0) }
            .max() ?? 0
        for (name, entries) in sections {
            text += "\n\(heading(name))\n"
            text += columns(entries.map { ($0.name, $0.meaning(in: language)) }, left: left, width: width)
        }
        let programs = extensions.filter { !set.hasCommand(named: $0) }
        if !programs.isEmpty {
            text += "\n\(heading(Help.extensions))\n" + programs.map { "  \($0)\n" }.joined()
        }
        text += "\n\(heading(Help.topics))\n"
        text += columns(
            set.topics.map { ($0.name, $0.summary.text(in: language)) }, left: left, width: width)
        return text + "\n" + Help.moreAboutACommand.text(in: language) + "\n"
    }

    /// Returns the list of the commands whose names begin with `path`.
    package static func group(
        _ path: [String], _ commands: [CommandDeclaration], in language: Language, width: Int? = nil
    ) -> String {
        let below = commands.filter { $0.path.starts(with: path) }
        return columns(below.map { ($0.name, $0.summary.text(in: language)) }, width: width)
            + "\n" + Help.moreAboutACommand.text(in: language) + "\n"
    }

    package static func page(
        _ command: CommandDeclaration, in language: Language, width: Int? = nil, paint: Paint = .none
    ) -> String {
        func heading(_ phrase: Phrase) -> String { paint.styled(phrase.text(in: language), .heading) }
        var text = TextWrapping.lines(
            "qring \(command.name): \(command.summary.text(in: language))", indent: 0, width: width)
        if !command.examples.isEmpty {
            text += "\n\(heading(Help.examples)):\n"
            for example in command.examples {
                text += "  qring \(example.line)\n"
                if let caption = command.caption(of: example, in: language) {
                    text += TextWrapping.lines(caption, indent: 6, width: width)
                }
            }
        }
        let usage =
            [Help.usage.text(in: language) + ": qring", command.shown]
            + command.requiredOptions + ["[\(Help.options.text(in: language))]"]
        let wrapped = TextWrapping.lines(usage.joined(separator: " "), indent: 0, width: width)
        text += "\n" + heading(Help.usage) + wrapped.dropFirst(Help.usage.text(in: language).count)
        if !command.positionals.isEmpty {
            text +=
                "\n"
                + columns(command.positionals.map { ($0.name, $0.meaning.text(in: language)) }, width: width)
        }
        text +=
            "\n" + columns(command.allOptions.map { $0.row(in: language) }, width: width)
        if let fields = command.jsonFields, !fields.isEmpty {
            text +=
                "\n\(heading(Help.jsonFields)):\n"
                + TextWrapping.lines(fields.joined(separator: ", "), indent: 2, width: width ?? 80)
        }
        if let notes = command.notes {
            let lines = notes.text(in: language).split(separator: "\n", omittingEmptySubsequences: false)
            text += "\n" + lines.map { TextWrapping.lines(String($0), indent: 0, width: width) }.joined()
        }
        return text
    }

    /// The minimum width of the column of meanings. If it is narrower, each meaning moves below its name.
    private static let narrowestMeaning = 24

    /// Returns names and meanings in two columns, wrapped at the terminal's width. If a name is too wide or
    /// the terminal is too narrow, the meaning goes to the next line.
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
                : "  \(broken(name, width))\n\(wrapped)"
        }.joined()
    }

    /// Returns a name that is wider than a line as several lines. They end behind a bar: `--kind a|b|`.
    private static func broken(_ name: String, _ width: Int?) -> String {
        guard let width, DisplayWidth.of(name) + 2 > width else { return name }
        let lines = TextWrapping.lines(name.replacing("|", with: "| "), indent: 2, width: width)
        return String(lines.dropFirst(2).dropLast()).replacing("| ", with: "|")
    }
}

extension CommandDeclaration {
    /// The fields that `--json` can select; nil if the command does not declare them.
    package var jsonFields: [String]? {
        options.first { $0.name == Option.json.name }.flatMap { $0.fields?() }
    }
}

extension CommandDeclaration {
    /// Returns the text below an example; nil if the command's summary says the same.
    func caption(of example: Example, in language: Language) -> String? {
        let meaning = example.meaning.text(in: language)
        return meaning == summary.text(in: language) ? nil : meaning
    }
}

extension CommandDeclaration.Positional {
    /// The argument as the help shows it: `NAME`, or `[NAME]` if it is optional.
    var shown: String { isRequired ? name : "[\(name)]" }
}

/// A heading of the overview. `firstWords` lists the first words of the commands below the heading, in their
/// order.
package struct HelpSection: Sendable {
    package let heading: Phrase
    package let firstWords: [String]

    package init(_ heading: Phrase, _ firstWords: [String]) {
        self.heading = heading
        self.firstWords = firstWords
    }

    /// One line of the overview: a command, or all commands that begin with one word.
    package struct Entry {
        package let name: String
        package let commands: [CommandDeclaration]

        func meaning(in language: Language) -> String {
            if commands.count == 1, commands[0].name == name { return commands[0].summary.text(in: language) }
            var seen: Set<String> = []
            return commands.map { $0.path.count == 1 ? $0.summary.text(in: language) : $0.path[1] }.filter {
                seen.insert($0).inserted
            }
            .joined(separator: ", ")
        }
    }

    /// Returns all commands by heading; each command appears once. The last heading has the commands that no
    /// section names.
    package static func entries(of set: CommandSet) -> [(heading: Phrase, entries: [Entry])] {
        let named = Set(set.sections.flatMap(\.firstWords))
        var seen: Set<String> = []
        let others = set.commands.compactMap(\.path.first).filter {
            !named.contains($0) && seen.insert($0).inserted
        }
        return (set.sections + [HelpSection(set.otherCommands, others)]).compactMap { section in
            let entries = section.firstWords.compactMap { word in
                let below = set.commands.filter { $0.path.first == word }
                return below.isEmpty ? nil : Entry(name: word, commands: below)
            }
            return entries.isEmpty ? nil : (section.heading, entries)
        }
    }
}

/// A help page about a subject that many commands share: `qring help environment`.
package struct HelpTopic: Sendable {
    package let name: String
    package let summary: Phrase
    /// The heading of this topic's section in the manual.
    package let manualHeading: Phrase
    /// Names with their meanings. A row of prose has an empty name.
    package let rows: [(name: String, meaning: Phrase)]

    package init(
        name: String, summary: Phrase, manualHeading: Phrase, rows: [(name: String, meaning: Phrase)]
    ) {
        self.name = name
        self.summary = summary
        self.manualHeading = manualHeading
        self.rows = rows
    }

    package func text(in language: Language, width: Int?) -> String {
        let prose = rows.prefix { $0.name.isEmpty }.map {
            TextWrapping.lines($0.meaning.text(in: language), indent: 0, width: width)
        }
        let listed = rows.drop { $0.name.isEmpty }.map { ($0.name, $0.meaning.text(in: language)) }
        return "qring help \(name): \(summary.text(in: language))\n\n" + prose.joined()
            + (prose.isEmpty || listed.isEmpty ? "" : "\n") + HelpText.columns(listed, width: width)
    }
}

/// The command `qring help`, which can also write the manual pages.
package enum HelpCommand {
    private typealias Help = CommandPhrases.Help

    package static let name = "help"

    package static let declaration = CommandDeclaration(
        name, Help.helpCommand,
        examples: [
            .init("help meeting create", Help.helpExample),
            .init("help exit-codes", Help.helpTopicExample),
            .init("help --man .", CommandPhrases.Manual.example),
        ],
        positionals: [
            .init("COMMAND", Help.helpTopic, required: false),
            .init("SUBCOMMAND", Help.helpTopic, required: false),
            .init("ACTION", Help.helpTopic, required: false),
        ],
        options: [.value("man", "DIR", CommandPhrases.Manual.option)], hasServer: false, usesPager: true,
        run: run)

    private static func run(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        if let folder = call.arguments.value("man") { return try writeManual(into: folder, call) }
        let words = ["COMMAND", "SUBCOMMAND", "ACTION"].compactMap { call.arguments.positional($0) }
        let (set, width) = (call.commandSet, call.console.width)
        if words.count == 1, let topic = set.topics.first(where: { $0.name == words[0] }) {
            call.console.out(topic.text(in: call.language, width: width))
            return .success
        }
        do throws(UsageError) {
            switch try set.find(words) {
            case .group([]):
                call.console.out(
                    HelpText.overview(
                        set, Extensions(environment: call.environment).names, in: call.language,
                        width: width, paint: call.paint))
            case .group(let path):
                call.console.out(HelpText.group(path, set.commands, in: call.language, width: width))
            case .command(let command, rest: []):
                call.console.out(HelpText.page(command, in: call.language, width: width, paint: call.paint))
            case .command(_, let rest): throw .unexpected(rest[0])
            }
        } catch {
            throw .usage(error)
        }
        return .success
    }

    /// Writes `qring.1`, and one manual page for every command.
    private static func writeManual(into folder: String, _ call: Invocation) throws(CommandFailure)
        -> ExitCode
    {
        do throws(FileFailure) { try FileBytes.makeFolder(folder) } catch {
            throw .failed(CommandPhrases.Fail.fileUnwritable, ["path": folder, "reason": error.reason])
        }
        let today = String(Date.now.ISO8601Format().prefix(10))
        let pages = ManualPage.all(of: call.commandSet, in: call.language, date: today)
        for page in pages {
            let path = "\(folder)/\(page.fileName)"
            do throws(FileFailure) { try FileBytes.write(Array(page.text.utf8), to: path) } catch {
                throw .failed(CommandPhrases.Fail.fileUnwritable, ["path": path, "reason": error.reason])
            }
        }
        call.note(
            CommandPhrases.Manual.written,
            ["count": String(pages.count), "folder": folder, "first": "\(folder)/qring.1"])
        return .success
    }
}

/// Wraps prose at the terminal's width.
package enum TextWrapping {
    /// Returns indented lines, each with its line end. A word that is wider than a line gets its own line.
    /// - Parameter width: the terminal's columns; nil to write everything on one line.
    package static func lines(_ text: String, indent: Int, width: Int?) -> String {
        let margin = String(repeating: " ", count: indent)
        // If the terminal is too narrow to wrap the text well, the terminal breaks the line.
        guard let width, width - indent >= 20 else { return margin + text + "\n" }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, indent + DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) > width {
                lines.append(line)
                line = String(word)
            } else {
                line += line.isEmpty ? String(word) : " \(word)"
            }
        }
        return (lines + [line]).map { margin + $0 + "\n" }.joined()
    }
}

extension CommandPhrases.Help {
    static let topics = Phrase("Topics")
    static let extensions = Phrase("Extensions (programs qring-NAME on the PATH)")
    static let moreAboutACommand = Phrase("For examples and options of a command, run: qring help COMMAND")
    static let examples = Phrase("Examples", context: "help")
    static let usage = Phrase("Usage")
    static let jsonFields = Phrase("Fields of --json")
    static let helpExample = Phrase("examples and options of a command")
    static let helpTopicExample = Phrase("the exit codes")
    static let helpCommand = Phrase("show help for a command or topic, or write manual pages")
    static let helpTopic = Phrase("a command or a topic")
}

extension CommandPhrases.Manual {
    static let option = Phrase("write manual pages into a folder instead")
    static let example = Phrase("then read: man ./qring.1")
    static let written = Phrase("{count} {count|page|pages} written to {folder}. To read: man {first}")
}
