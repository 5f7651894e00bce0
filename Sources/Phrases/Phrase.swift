/// A sentence in every language of the product, so that none can be missing one. `{name}` stands for a value.
package struct Phrase: Sendable {
    package let english: String
    package let korean: String

    package init(_ english: String, _ korean: String) {
        self.english = english
        self.korean = korean
    }

    package func text(in language: Language, _ values: [String: String] = [:]) -> String {
        let sentence =
            switch language {
            case .english: english
            case .korean: korean
            }
        return values.isEmpty ? sentence : Self.filled(sentence, values)
    }

    /// The names between braces, in order of appearance.
    package static func placeholders(in sentence: String) -> [String] {
        sentence.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
            .compactMap { part in part.firstIndex(of: "}").map { String(part[..<$0]) } }
    }

    /// In one pass, so that a value that looks like a placeholder stays as it is.
    package static func filled(_ sentence: String, _ values: [String: String]) -> String {
        var text = ""
        var rest = sentence[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            text += values[name] ?? "{\(name)}"
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
