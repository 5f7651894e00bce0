/// All commands, found by their paths.
package struct CommandTree: Sendable {
    package let commands: [CommandDeclaration]

    package init(_ commands: [CommandDeclaration]) { self.commands = commands }

    enum Found {
        case command(CommandDeclaration, rest: [String])
        /// The beginning of several commands' paths, such as `meeting`; empty for all.
        case group([String])

        var command: CommandDeclaration? {
            if case .command(let command, _) = self { command } else { nil }
        }
    }

    /// Options of every command may stand before the command's name.
    func find(_ words: [String]) throws(UsageError) -> Found {
        var path: [String] = []
        var before: [String] = []
        var rest = words[...]
        while let word = rest.first {
            if word.hasPrefix("-") {
                before.append(rest.removeFirst())
                if takesAValue(word), !rest.isEmpty { before.append(rest.removeFirst()) }
                continue
            }
            let next = path + [word]
            let below = commands.filter { $0.path.starts(with: next) }
            if below.isEmpty {
                let candidates = Set(
                    commands.filter { $0.path.starts(with: path) && $0.path.count > path.count }.map {
                        $0.path[path.count]
                    })
                throw .unknownCommand(
                    next.joined(separator: " "), under: path,
                    near: suggestion(word, under: path, among: candidates.sorted()))
            }
            rest.removeFirst()
            path = next
            if let exact = below.first(where: { $0.path == path }) {
                return .command(exact, rest: before + rest)
            }
        }
        let known = CommandDeclaration.Option.ofEveryCommand.map(\.name)
        for word in before where word.hasPrefix("-") && word != "-h" {
            let name = String(word.prefix { $0 != "=" }.drop { $0 == "-" })
            if !known.contains(name) {
                throw .unknownOption(word, near: Suggestion.nearest(to: name, among: known).map { "--\($0)" })
            }
        }
        return .group(path)
    }

    /// `--server` and the like take the next word with them.
    private func takesAValue(_ word: String) -> Bool {
        CommandDeclaration.Option.ofEveryCommand.contains { "--\($0.name)" == word && $0.kind != .flag }
    }

    /// A word of the next level, or a command whose last word it is: `create` for `meeting create`.
    private func suggestion(_ word: String, under path: [String], among candidates: [String]) -> String? {
        if let near = Suggestion.nearest(to: word, among: candidates) {
            return (path + [near]).joined(separator: " ")
        }
        let byLastWord = commands.filter { $0.path.last == word }
        return byLastWord.count == 1 ? byLastWord[0].name : nil
    }
}
