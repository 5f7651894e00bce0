internal import Client
internal import Phrases
internal import Wire

package enum InformationCommands {
    private typealias Help = CommandPhrases.Help

    package static let all = [
        CommandDeclaration("version", Help.version, examples: [.init("version --json", Help.json)], options: [.json], run: version),
        CommandDeclaration(
            "help", Help.helpCommand, examples: [.init("help meeting create", Help.moreAboutACommand)],
            positionals: [.init("COMMAND", Help.helpTopic, required: false), .init("SUBCOMMAND", Help.helpTopic, required: false)],
            run: help),
    ]

    private static func version(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        if call.wantsJSON { call.json(["version": ProductVersion.text]) } else { call.out("qring \(ProductVersion.text)") }
        return .success
    }

    private static func help(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let words = ["COMMAND", "SUBCOMMAND"].compactMap { call.arguments.positional($0) }
        do throws(UsageError) {
            switch try CommandTree(call.allCommands).find(words) {
            case .group([]): call.console.out(HelpText.overview(call.allCommands, in: call.language))
            case .group(let path): call.console.out(HelpText.group(path, call.allCommands, in: call.language))
            case .command(let command, rest: []): call.console.out(HelpText.page(command, in: call.language))
            case .command(_, let rest): throw .unexpected(rest[0])
            }
        } catch {
            throw .usage(error)
        }
        return .success
    }
}
