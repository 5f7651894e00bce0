/// The change of the words of word clouds that were stored before their keys had no invisible characters
/// (`CloudWord.key`). Both engines run it once. It joins a word that has such characters with the word that
/// looks equal. A decision about the word without them stands.
package enum WordsMigration {
    /// The characters, as when the migration was written: a migration never changes. Joiners are not listed,
    /// because some of them belong to a word.
    private static let invisible: [UInt32] =
        [0xAD, 0x61C, 0x115F, 0x1160, 0x200B, 0x200E, 0x200F] + Array(0x202A...0x202E)
        + Array(0x2060...0x206F) + [0x3164, 0xFE0E, 0xFEFF, 0xFFA0]

    /// SQL for SQLite and PostgreSQL. SQLite's parser takes only about 25 calls inside each other, so each
    /// block of statements removes some of the characters.
    package static let text: String = stride(from: 0, to: invisible.count, by: 10).map { start in
        let some = invisible[start..<min(start + 10, invisible.count)]
        return removing(some.compactMap(Unicode.Scalar.init))
    }.joined(separator: "\n")

    private static func removing(_ characters: [Unicode.Scalar]) -> String {
        let bare = characters.reduce("word") { "replace(\($0), '\($1)', '')" }
        let changes = "word <> \(bare) AND \(bare) <> ''"
        return """
            INSERT INTO words (question, word, count)
                SELECT question, \(bare), sum(count) FROM words WHERE \(changes) GROUP BY 1, 2
                ON CONFLICT (question, word) DO UPDATE SET count = words.count + excluded.count;
            DELETE FROM words WHERE \(changes);
            INSERT INTO moderated_words (question, word, status)
                SELECT question, \(bare), max(status) FROM moderated_words WHERE \(changes) GROUP BY 1, 2
                ON CONFLICT (question, word) DO NOTHING;
            DELETE FROM moderated_words WHERE \(changes);
            """
    }
}
