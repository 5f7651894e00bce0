internal import Phrases
internal import Terminal

/// The command `qring completion SHELL`, and the hidden command that the completion scripts call.
package enum CompletionCommand {
    private typealias Messages = CommandPhrases.Completion

    enum Shell: String, CaseIterable { case bash, zsh, fish }

    package static let declaration =
        CommandDeclaration(
            "completion", Messages.summary,
            examples: [
                .init(
                    "completion bash > ~/.local/share/bash-completion/completions/qring", Messages.bashExample
                ),
                .init("completion zsh > ~/.zfunc/_qring", Messages.zshExample),
                .init("completion fish > ~/.config/fish/completions/qring.fish", Messages.fishExample),
            ],
            positionals: [.init("SHELL", Messages.shell, choices: Shell.allCases.map(\.rawValue))],
            notes: Messages.notes, hasServer: false
        ) { call throws(CommandFailure) in
            let shell = call.arguments.positional("SHELL").flatMap { Shell(rawValue: $0) } ?? .bash
            call.console.out(CompletionScripts.script(for: shell))
            return .success
        }

    /// The name of the hidden command: scripts call `qring __complete SHELL …` when the user presses Tab. The
    /// help does not list this command. It asks no questions and reports no errors.
    static let hiddenWord = "__complete"

    /// Prints the candidates for the word that the user is typing.
    /// - Parameter words: first the shell's name. For bash, the line up to the cursor and `COMP_WORDBREAKS`
    ///   follow. For the other shells, every word after the program's name follows; the user is typing the
    ///   last one.
    static func complete(
        _ words: [String], in set: CommandSet,
        _ invocation: (CommandDeclaration, Arguments) throws(CommandFailure) -> Invocation
    ) async {
        guard let shell = words.first.flatMap({ Shell(rawValue: $0) }), words.count >= 2 else { return }
        let line = shell == .bash ? ShellLine(words[1]) : nil
        let typed = line.map { Array($0.words.dropFirst()) } ?? Array(words.dropFirst())
        guard !typed.isEmpty, let arguments = try? Arguments(server(in: typed), for: asking) else { return }
        guard let call = try? invocation(asking, arguments) else { return }
        let answer = Completer(set, in: call.language).answer(typed, call.preferences.aliases)
        var found: [Completer.Candidate]
        switch answer.wanted {
        case .nothing: return
        case .files: return call.out(":files")
        case .folders: return call.out(":folders")
        case .words(let candidates): found = candidates.filter { $0.word.hasPrefix(answer.typed) }
        case .values(let name):
            found = await set.valueCandidates(name, answer.typed, answer.given, call)
        }
        // zsh offers only words that begin with the typed text, unless it is told otherwise.
        if !found.allSatisfy({ $0.word.hasPrefix(answer.typed) }) { call.out(":anywhere") }
        // The user continues to type after a candidate that ends with =, so the shell must not add a space.
        if found.contains(where: { $0.word.hasSuffix("=") }) { call.out(":nospace") }
        for candidate in found {
            let word = answer.lead + candidate.word
            if let line {
                if let inserted = line.insertion(of: word, breaks: words.count > 2 ? words[2] : "") {
                    call.out(inserted)
                }
            } else {
                call.out(
                    candidate.meaning.isEmpty ? word : "\(word)\t\(TerminalEscaping.safe(candidate.meaning))")
            }
        }
    }

    /// Returns the words of the options `--server` and `--context` on the line, because the candidates come
    /// from that server.
    private static func server(in words: [String]) -> [String] {
        ["--server", "--context"].flatMap { option -> [String] in
            if let equals = words.dropLast().last(where: { $0.hasPrefix("\(option)=") }) { return [equals] }
            guard let index = words.dropLast(2).lastIndex(of: option) else { return [] }
            return [option, words[index + 1]]
        }
    }

    private static let asking = CommandDeclaration(hiddenWord, Messages.summary) {
        (_) async throws(CommandFailure) in .success
    }
}

extension CommandPhrases {
    /// The texts of `qring completion`.
    enum Completion {
        static let summary = Phrase("print a completion script for a shell")
        static let shell = Phrase("bash, zsh or fish")
        static let bashExample = Phrase("for bash, with the package bash-completion")
        static let zshExample = Phrase("for zsh, with ~/.zfunc in fpath")
        static let fishExample = Phrase("for fish")
        static let notes = Phrase(
            "For the current shell only: source <(qring completion bash), source <(qring completion zsh), "
                + "qring completion fish | source.\nIt completes commands, options, their values and "
                + "files. It asks the server for the names and ids of your meetings, sessions, polls, "
                + "attendees, tokens and links.")
    }
}
