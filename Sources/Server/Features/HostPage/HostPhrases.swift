import Phrases
import Wire

/// The module `/host/phrases.js`: the catalogues of `Phrase.Host`, and the languages for attendees, for the
/// scripts of the host's page.
enum HostPhrases {
    static let path = "/host/phrases.js"

    /// Returns the module's text. Its constant `phrases` has for each name the texts in `Language.forHosts`,
    /// and `languages` has the tag and the own name of each language.
    static func module() -> [UInt8] {
        let lines = Phrase.Host.all.sorted { $0.key < $1.key }.map { name, phrase in
            let texts = WireJSON.bytes(Language.forHosts.map { phrase.text(in: $0) })
            return "  \(name): \(String(decoding: texts, as: UTF8.self)),\n"
        }
        let languages = WireJSON.bytes(Language.allCases.map { [$0.rawValue, $0.ownName] })
        return Array(
            """
            export const languages = \(String(decoding: languages, as: UTF8.self));
            export const phrases = {
            \(lines.joined())};

            """.utf8)
    }
}
