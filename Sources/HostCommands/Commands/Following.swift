internal import CommandLine
internal import Phrases
internal import Terminal

/// Prints the commands that the user may type next. They go to standard error, because they are not part of
/// the result.
enum Following {
    static func show(_ call: Invocation, _ commands: [(line: String, meaning: Phrase)]) {
        call.console.errLine("\n" + call.text(CommandPhrases.Messages.nextCommands))
        let width = commands.map { DisplayWidth.of($0.line) }.max() ?? 0
        for (line, meaning) in commands {
            call.console.errLine("  qring \(DisplayWidth.padded(line, to: width))   # \(call.text(meaning))")
        }
    }

    /// Returns the text as one word for a shell, in quotes if the text needs them.
    static func quoted(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.:/@".unicodeScalars.contains($0)
        }
        return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: "'\\''"))'"
    }
}

extension Invocation {
    /// Prints that a list is empty, or that no entry matches the search.
    func noteNothing(isSearch: Bool) {
        note(isSearch ? CommandPhrases.Messages.nothingFound : CommandPhrases.Messages.nothing)
    }
}

extension CommandPhrases.Messages {
    static let nextCommands = Phrase("Next:")
}
