import Secrets

/// Where a list goes on: opaque to clients, a few words to us.
struct Cursor: Sendable {
    let words: [String]

    init(_ words: String...) { self.words = words }

    init?(_ text: String) {
        guard text.utf8.count <= 300, let bytes = Crockford.decode(text),
            let words = String(validating: bytes, as: UTF8.self)
        else {
            return nil
        }
        self.words = words.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }

    var text: String { Crockford.encode(Array(words.joined(separator: " ").utf8)) }

    /// For keys that are times.
    func integer(_ index: Int) -> Int64? { words.indices.contains(index) ? Int64(words[index]) : nil }
}
