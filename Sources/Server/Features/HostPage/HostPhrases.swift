import Phrases
import Wire

/// The module `/host/phrases.js`: the catalogues of `Phrase.Host` for the scripts of the host's page.
enum HostPhrases {
    static let path = "/host/phrases.js"

    /// Returns the module's text. Its constant `phrases` has for each name the texts in `Language.forHosts`.
    static func module() -> [UInt8] {
        let lines = Phrase.Host.all.sorted { $0.key < $1.key }.map { name, phrase in
            let texts = WireJSON.bytes(Language.forHosts.map { phrase.text(in: $0) })
            return "  \(name): \(String(decoding: texts, as: UTF8.self)),\n"
        }
        return Array("export const phrases = {\n\(lines.joined())};\n".utf8)
    }
}
