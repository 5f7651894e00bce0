import Meetings
import Phrases
import Wire

/// The module `/host/phrases.js`: the catalogue of `Phrase.Host`, and the languages for attendees, for the
/// scripts of the host's page.
enum HostPhrases {
    static let path = "/host/phrases.js"

    /// Returns the module's text. Its constant `phrases` has the texts in one language by their names,
    /// `languages` has the tag and the own name of each language, and `accents` has the names of the colours.
    static func module(in language: Language) -> String {
        let lines = Phrase.Host.all.sorted { $0.key < $1.key }.map { name, phrase in
            "  \(name): \(String(decoding: WireJSON.bytes(phrase.text(in: language)), as: UTF8.self)),\n"
        }
        let accents = WireJSON.bytes(Accent.allCases.map(\.rawValue))
        let languages = WireJSON.bytes(Language.allCases.map { [$0.rawValue, $0.ownName] })
        return """
            export const accents = \(String(decoding: accents, as: UTF8.self));
            export const languages = \(String(decoding: languages, as: UTF8.self));
            export const phrases = {
            \(lines.joined())};

            """
    }

    /// The module with the example questions: for each name, the texts by the tags of their languages.
    static let examplesPath = "/host/examples.js"

    /// The text of that module. Its constant is `examples`.
    static let examples: String = {
        let texts = Phrase.Page.examples.mapValues { phrase in
            Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0.rawValue, phrase.text(in: $0)) })
        }
        return "export const examples = \(String(decoding: WireJSON.bytes(texts), as: UTF8.self));\n"
    }()
}
