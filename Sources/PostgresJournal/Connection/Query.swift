import SQLJournal

/// The statements of the rows are written in the words that both engines know, with a few of SQLite's own.
/// This extension translates those.
extension Query {
    /// The statement as PostgreSQL reads it. A connection translates a statement once.
    var textOfPostgres: String {
        Self.throughIndexes(
            text
                // PostgreSQL chooses the index by itself.
                .replacing(#/\s+INDEXED BY \w+/#, with: "")
                // SQLite keeps the order of tables only with CROSS. All these joins have a condition.
                .replacing("CROSS JOIN", with: "JOIN")
                .replacing("instr(", with: "strpos(")
                .replacing(#/length\(CAST\((\w+) AS BLOB\)\)/#) { "octet_length(\($0.output.1))" }
                .replacing("max(?, 0)", with: "greatest(?, 0)")
                .replacing("LIMIT -1", with: "LIMIT ALL"))
    }

    /// Numbers the parameters, and compares texts that may be long through their indexes (`boundedIndexes`).
    private static func throughIndexes(_ text: String) -> String {
        numbered(text)
            .replacing(#/\b(WHERE|AND)\s+((?:\w+\.)?(?:key|number_key|search)) = (\$\d+)/#) { match in
                let (word, column, value) = (match.output.1, String(match.output.2), String(match.output.3))
                return "\(word) \(bounded(column)) = \(bounded(value)) AND \(column) = \(value)"
            }
    }

    /// Replaces SQLite's parameters, `?` and `?2`, by those of PostgreSQL, `$1` and `$2`.
    private static func numbered(_ text: String) -> String {
        var count = 0
        return text.replacing(#/\?(\d*)/#) { match in
            count += 1
            return match.output.1.isEmpty ? "$\(count)" : "$\(match.output.1)"
        }
    }
}
