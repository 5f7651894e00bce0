package import Phrases

extension Invocation {
    /// Whether the person at the terminal says yes. With `--yes`, or without a terminal to ask on, it is not
    /// asked: a line that a script typed is meant.
    package func confirmed(_ question: Phrase, _ values: [String: String] = [:]) async -> Bool {
        guard mayAsk, !arguments.has("yes") else { return true }
        let answer = await console.ask(text(question, values) + " ", hidden: false)
        return ["y", "yes", "예", "네", "ㅇ"].contains(answer?.lowercased())
    }
}

extension CommandDeclaration.Option {
    package static let yes = flag("yes", CommandPhrases.Help.yes)
}
