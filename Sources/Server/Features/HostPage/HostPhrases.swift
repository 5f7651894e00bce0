import Meetings
import Phrases
import Wire

/// The module `/host/phrases.js`: the catalogue of `Phrase.Host`, and the languages for attendees, for the
/// scripts of the host's page.
///
/// Each script of the page has the phrases that it uses and that no script before it has. So a host who shows
/// the code does not wait for the texts of forms.
enum HostPhrases {
    static let path = "/host/phrases.js"
    private static let noPhrases = "const phrases = {};"

    /// The module's text. Its constant `phrases` gets the texts in one language by their names, `languages`
    /// has the tag and the own name of each language, and `accents` has the names of the colours.
    static let module: String = {
        """
        export const accents = \(json(Accent.allCases.map(\.rawValue)));
        export const languages = \(json(Language.allCases.map { [$0.rawValue, $0.ownName] }));
        export \(noPhrases)

        """
    }()

    /// Returns the joined scripts of the host's page with their phrases, by their paths in each language.
    /// - Parameters:
    ///   - scripts: the scripts without phrases.
    ///   - first: the path of the script that the page loads before all others.
    static func added(to scripts: [String: String], first: String) -> [String: String] {
        let ofFirst = names(in: scripts[first] ?? "")
        var added: [String: String] = [:]
        for (path, script) in scripts {
            let isFirst = path == first
            let names = isFirst ? ofFirst : names(in: script).subtracting(ofFirst)
            for language in Language.forHosts {
                let texts = object(names, in: language)
                let (place, statement) =
                    isFirst
                    ? (noPhrases, "const phrases = \(texts);")
                    : ("\n", "\nObject.assign($[\"host/phrases\"].phrases,\(texts));\n")
                var script = script
                if let place = script.firstBytes(of: place) {
                    script.replaceSubrange(place, with: statement)
                }
                for later in scripts.keys where language != .english {
                    let named = Self.path(of: later, in: language)
                    script = script.replacingBytes(
                        of: "import(\"\(later)\")", with: "import(\"\(named)\")")
                }
                added[Self.path(of: path, in: language)] = script
            }
        }
        return added
    }

    /// Returns the path of a script of the host's page with the phrases of a language.
    static func path(of script: String, in language: Language) -> String {
        language == .english ? script : "\(script.dropLast(3)).\(language.rawValue).js"
    }

    /// Returns the names of the phrases that a script may use: all of its words, and the names that begin
    /// with a word before a value, as in `` t(`count_${kind}`) ``.
    private static func names(in script: String) -> Set<String> {
        var (names, beginnings): (Set<String>, Set<String>) = ([], [])
        let bytes = Array(script.utf8)
        // Plain loops, because debug builds run them without optimisation.
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, isOfWord(bytes[end]) { end += 1 }
            defer { start = end + 1 }
            guard end > start else { continue }
            let word = String(decoding: bytes[start..<end], as: UTF8.self)
            if Phrase.Host.all[word] != nil { names.insert(word) }
            if start > 0, bytes[start - 1] == UInt8(ascii: "`"), end + 1 < bytes.count,
                bytes[end] == UInt8(ascii: "$"), bytes[end + 1] == UInt8(ascii: "{")
            {
                beginnings.insert(word)
            }
        }
        for name in Phrase.Host.all.keys where beginnings.contains(where: { name.hasPrefix($0) }) {
            names.insert(name)
        }
        return names
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func object(_ names: Set<String>, in language: Language) -> String {
        let lines = names.sorted().compactMap { name in
            Phrase.Host.all[name].map { "\(name):\(json($0.text(in: language)))" }
        }
        return "{\(lines.joined(separator: ",\n"))}"
    }

    private static func json(_ value: some Encodable) -> String {
        String(decoding: WireJSON.bytes(value), as: UTF8.self)
    }

    /// The module with the example questions: for each name, the texts by the tags of their languages.
    static let examplesPath = "/host/examples.js"

    /// The text of that module. Its constant is `examples`. The order is fixed, so that the file is the same
    /// after a restart, and on each node.
    static let examples: String = {
        let examples = Phrase.Page.examples.sorted { $0.key < $1.key }.map { name, phrase in
            let texts = Language.allCases.map { "\(json($0.rawValue)):\(json(phrase.text(in: $0)))" }
            return "\(json(name)):{\(texts.joined(separator: ","))}"
        }
        return "export const examples = {\(examples.joined(separator: ","))};\n"
    }()
}
