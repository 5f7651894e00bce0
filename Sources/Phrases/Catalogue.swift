import CLanguages

/// The translations of one language: the entries of its file in the folder `Languages`.
///
/// The files have the format of GNU gettext (PO files). `scripts/sentences --check` has checked them with
/// `msgfmt`, so the reader knows only the lines that `msgmerge` writes.
struct Catalogue: Sendable {
    /// The translations by the key of a phrase.
    private let texts: [String: String]

    /// Returns the translations of a language; nil for English. A file is read when its first text is needed.
    static func of(_ language: Language) -> Catalogue? {
        switch language {
        case .english: nil
        case .korean: korean
        case .japanese: japanese
        case .simplifiedChinese: simplifiedChinese
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    private static let korean = Catalogue(Language.korean.translations)
    private static let japanese = Catalogue(Language.japanese.translations)
    private static let simplifiedChinese = Catalogue(Language.simplifiedChinese.translations)
    private static let german = Catalogue(Language.german.translations)
    private static let spanish = Catalogue(Language.spanish.translations)
    private static let french = Catalogue(Language.french.translations)

    /// Returns the translation of a phrase; nil if the file has none.
    func text(of phrase: Phrase) -> String? { texts[Self.key(phrase.english, phrase.context)] }

    private static func key(_ english: String, _ context: String?) -> String {
        context.map { "\($0)\u{4}\(english)" } ?? english
    }

    /// Reads a PO file.
    ///
    /// The loops are plain, because each program that was built for tests reads its language without
    /// optimisation.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var texts: [String: String] = [:]
        var entry = Entry()
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            defer { start = end + 1 }
            guard end > start else { continue }
            switch bytes[start] {
            case UInt8(ascii: "\""):
                entry.append(bytes, from: start + 1, to: end - 1)
            case UInt8(ascii: "m"):
                // The fourth letter tells the keywords apart: msgctxt, msgid, msgstr.
                let field: Entry.Field =
                    switch bytes[start + 3] {
                    case UInt8(ascii: "c"): .context
                    case UInt8(ascii: "i"): .english
                    default: .text
                    }
                // A `msgctxt` begins an entry, and so does a `msgid` without one.
                if field == .context || field == .english && entry.field != .context {
                    entry.add(to: &texts)
                    entry = Entry()
                }
                entry.field = field
                var quote = start
                while bytes[quote] != UInt8(ascii: "\"") { quote += 1 }
                entry.append(bytes, from: quote + 1, to: end - 1)
            default: break
            }
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
        mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) {
            var from = start
            var index = start
            while index < end {
                if bytes[index] == UInt8(ascii: "\\") {
                    add(bytes[from..<index])
                    index += 1
                    if bytes[index] == UInt8(ascii: "n") {
                        add(Self.lineBreak[...])
                        from = index + 1
                    } else {
                        from = index
                    }
                }
                index += 1
            }
            add(bytes[from..<end])
        }

        private static let lineBreak = [UInt8(ascii: "\n")]

        private mutating func add(_ part: some Collection<UInt8>) {
            switch field {
            case .context: context.append(contentsOf: part)
            case .english: english.append(contentsOf: part)
            case .text: text.append(contentsOf: part)
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

extension Language {
    /// The file of the translations, with each English text beside its translation; empty for English.
    package var translations: UnsafeBufferPointer<UInt8> {
        let file: CLanguagesFile
        switch self {
        case .english: return UnsafeBufferPointer(start: nil, count: 0)
        case .korean: file = clanguages_ko()
        case .japanese: file = clanguages_ja()
        case .simplifiedChinese: file = clanguages_zh_Hans()
        case .german: file = clanguages_de()
        case .spanish: file = clanguages_es()
        case .french: file = clanguages_fr()
        }
        return UnsafeBufferPointer(start: file.bytes, count: file.count)
    }
}
