import CLanguages

/// The translations of one language: the entries of its file in the folder `Languages`.
///
/// The files have the format of GNU gettext (PO files). `scripts/sentences --check` has checked them with
/// `msgfmt`, so the reader knows only the lines that `msgmerge` writes.
struct Catalogue: Sendable {
    /// The translations by the key of a phrase.
    private let texts: [String: String]

    /// The Korean texts. They are read when the first one is needed.
    static let korean: Catalogue = {
        var count = 0
        return Catalogue(UnsafeBufferPointer(start: clanguages_korean(&count), count: count))
    }()

    /// Returns the translation of a phrase; nil if the file has none.
    func text(of phrase: Phrase) -> String? { texts[Self.key(phrase.english, phrase.context)] }

    private static func key(_ english: String, _ context: String?) -> String {
        context.map { "\($0)\u{4}\(english)" } ?? english
    }

    /// Reads a PO file.
    init(_ bytes: some Collection<UInt8>) {
        var texts: [String: String] = [:]
        var entry = Entry()
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard let quote = line.firstIndex(of: UInt8(ascii: "\"")), line.first != UInt8(ascii: "#") else {
                continue
            }
            switch line.first {
            case UInt8(ascii: "\""): break
            // A `msgctxt` begins an entry, and so does a `msgid` without one.
            case UInt8(ascii: "m") where !line[..<quote].elementsEqual("msgstr ".utf8):
                let isContext = line[..<quote].elementsEqual("msgctxt ".utf8)
                if isContext || entry.field != .context {
                    entry.add(to: &texts)
                    entry = Entry()
                }
                entry.field = isContext ? .context : .english
            default: entry.field = .text
            }
            entry.append(line[line.index(after: quote)...].dropLast())
        }
        entry.add(to: &texts)
        self.texts = texts
    }

    /// An entry of a PO file while its lines are read.
    private struct Entry {
        enum Field {
            case context, english, text
        }

        var field = Field.english
        private var context: [UInt8] = []
        private var english: [UInt8] = []
        private var text: [UInt8] = []

        /// Appends the inner part of a quoted line to the present field.
        mutating func append(_ quoted: some Collection<UInt8>) {
            var isEscaped = false
            for byte in quoted {
                if byte == UInt8(ascii: "\\"), !isEscaped {
                    isEscaped = true
                    continue
                }
                let plain = isEscaped && byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte
                isEscaped = false
                switch field {
                case .context: context.append(plain)
                case .english: english.append(plain)
                case .text: text.append(plain)
                }
            }
        }

        /// Adds the entry, unless it has no translation or is the file's header.
        func add(to texts: inout [String: String]) {
            guard !text.isEmpty, !english.isEmpty else { return }
            let context = context.isEmpty ? nil : String(decoding: context, as: UTF8.self)
            texts[key(String(decoding: english, as: UTF8.self), context)] = String(
                decoding: text, as: UTF8.self)
        }
    }
}
