internal import Client
internal import Meetings
internal import Phrases
internal import Wire

package enum InformationCommands {
    private typealias Help = CommandPhrases.Help

    package static let all = [
        CommandDeclaration(
            "version", Help.version,
            examples: [.init("version", Help.versionOption), .init("version --json", Help.json)],
            options: [.json(fields: ["version"])], hasServer: false, run: version),
        CommandDeclaration(
            helpName, Help.helpCommand,
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
            options: [.value("man", "DIR", CommandPhrases.Manual.option)], hasServer: false, run: help),
    ]

    static let helpName = "help"

    private static func version(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        if call.wantsJSON {
            call.json(["version": ProductVersion.text])
        } else {
            call.out("qring \(ProductVersion.text)")
        }
        return .success
    }

    private static func help(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        if let folder = call.arguments.value("man") { return try writeManual(into: folder, call) }
        let words = ["COMMAND", "SUBCOMMAND", "ACTION"].compactMap { call.arguments.positional($0) }
        let width = call.console.width
        if words.count == 1, let topic = HelpTopic.named(words[0]) {
            call.console.out(topic.text(in: call.language, width: width))
            return .success
        }
        do throws(UsageError) {
            switch try CommandTree(call.allCommands).find(words) {
            case .group([]):
                call.console.out(HelpText.overview(call.allCommands, in: call.language, width: width))
            case .group(let path):
                call.console.out(HelpText.group(path, call.allCommands, in: call.language, width: width))
            case .command(let command, rest: []):
                call.console.out(HelpText.page(command, in: call.language, width: width))
            case .command(_, let rest): throw .unexpected(rest[0])
            }
        } catch {
            throw .usage(error)
        }
        return .success
    }

    /// `qring.1` and a page for every command.
    private static func writeManual(into folder: String, _ call: Invocation) throws(CommandFailure)
        -> ExitCode
    {
        let pages = ManualPage.all(
            of: call.allCommands, in: call.language, date: String(SystemTime.now.wall(in: .utc).prefix(10)))
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
