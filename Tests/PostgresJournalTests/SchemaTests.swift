import Foundation
import Journal
import SQLiteJournal
import Testing

@testable import PostgresJournal

@Suite struct SchemaTests {
    /// Runs a query of the program sqlite3, and returns the lines of its answer.
    private func lines(of query: String, in database: String) throws -> Set<String> {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", "-readonly", database, query]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return Set(String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    /// The types of PostgreSQL that store the values of SQLite's types.
    private static let types = [
        "INTEGER": ["bigint"], "TEXT": ["text"], "BLOB": ["uuid", "bytea"], "ANY": ["uuid"],
    ]

    @Test func `both engines have the same tables, columns and indexes`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "qring-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SQLiteEngine(folder: folder).close()
        let database = "\(folder)/journal.db"
        let columns = try lines(
            of: """
                SELECT t.name || '.' || c.name || CASE WHEN c."notnull" THEN '' ELSE ' null' END
                    || ' ' || c.type
                FROM sqlite_schema t JOIN pragma_table_info(t.name) c
                WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
                """, in: database)
        let indexes = try lines(
            of: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL", in: database)
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLRows)
            let columnsHere = try rows.connection.all(
                Query(
                    "test",
                    """
                    SELECT CAST(table_name || '.' || column_name
                        || CASE is_nullable WHEN 'NO' THEN '' ELSE ' null' END AS text),
                        CAST(data_type AS text)
                    FROM information_schema.columns WHERE table_schema = current_schema()
                    """)
            ) { ($0.text(0), $0.text(1)) }
            // Only this engine has tables and columns of nodes. `admin copy` does not copy them.
            let own = columnsHere.filter { column, _ in
                PostgresCopySource.ownTables.contains(where: { column.hasPrefix("\($0).") })
                    || PostgresCopySource.ownColumns.contains(where: { column.split(separator: " ")[0] == $0 }
                    )
            }.map(\.0)
            let expected = columns.map { column in
                let words = column.split(separator: " ")
                return (words.dropLast().joined(separator: " "), Self.types[String(words.last ?? "")] ?? [])
            }
            #expect(Set(columnsHere.map(\.0)).subtracting(own) == Set(expected.map(\.0)))
            let typesHere = Dictionary(uniqueKeysWithValues: columnsHere)
            for (column, types) in expected { #expect(types.contains(typesHere[column] ?? ""), "\(column)") }
            let indexesHere = try rows.connection.all(
                Query(
                    "test",
                    "SELECT CAST(indexname AS text) FROM pg_indexes WHERE schemaname = current_schema()")
            ) { $0.text(0) }
            #expect(indexes.subtracting(indexesHere).isEmpty)
        }
    }
}

@Suite struct QueryTests {
    @Test(arguments: [
        ("SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = $1 AND c = $2"),
        ("SELECT a FROM t WHERE b = ?2 AND c = ?1", "SELECT a FROM t WHERE b = $2 AND c = $1"),
        ("SELECT a FROM t INDEXED BY t_by_a WHERE b = 1", "SELECT a FROM t WHERE b = 1"),
        ("SELECT 1 FROM a CROSS JOIN b ON b.id = a.id", "SELECT 1 FROM a JOIN b ON b.id = a.id"),
        ("SELECT length(CAST(a AS BLOB)) FROM t", "SELECT octet_length(a) FROM t"),
        ("SELECT a FROM t LIMIT -1 OFFSET ?", "SELECT a FROM t LIMIT ALL OFFSET $1"),
    ]) func `SQLite's words become PostgreSQL's`(_ sqlite: String, _ postgres: String) {
        #expect(Query("test", sqlite).text == postgres)
    }
}
