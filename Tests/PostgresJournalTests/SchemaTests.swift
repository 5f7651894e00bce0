import Foundation
import Journal
import SQLiteJournal
import Testing

@testable import PostgresJournal
@testable import SQLJournal

@Suite(.waitingThreads) struct SchemaTests {
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
            let rows = try #require(try engine.openWriter() as? PostgresRows)
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
        (
            "UPDATE t SET key = ?3 WHERE id = ?1 AND sort_key = ?2",
            "UPDATE t SET key = $3 WHERE id = $1 AND sort_key = $2"
        ),
        ("SELECT a FROM t LIMIT -1 OFFSET ?", "SELECT a FROM t LIMIT ALL OFFSET $1"),
    ]) func `SQLite's words become PostgreSQL's`(_ sqlite: String, _ postgres: String) {
        #expect(Query("test", sqlite).textOfPostgres == postgres)
    }

    @Test func `a text that may be long is compared by its index, and then exactly`() {
        let text = Query("test", "SELECT 1 FROM t WHERE s = ? AND k.key = ?").textOfPostgres
        #expect(
            text == "SELECT 1 FROM t WHERE s = $1 AND \(bounded("k.key")) = \(bounded("$2")) AND k.key = $2")
    }

    /// The statements that look for a text that may be long, with the index of each.
    @Test func `look-ups of texts use their indexes, whatever the statistics say`() async throws {
        let lookUps: [(query: String, parameters: String, index: String)] = [
            ("SELECT id FROM attendees WHERE session = ? AND key = ?", "uuid, text", "attendees_by_key"),
            (
                "SELECT id FROM attendees WHERE session = ? AND key IS NULL AND search = ? ORDER BY id",
                "uuid, text", "attendees_without_key"
            ),
            (
                "SELECT id FROM merged_attendees WHERE session = ? AND key = ?", "uuid, text",
                "merged_attendees_by_key"
            ),
            ("SELECT id FROM people WHERE meeting = ? AND number_key = ?", "uuid, text", "people_by_number"),
        ]
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? PostgresRows)
            func plans() throws {
                for (number, lookUp) in lookUps.enumerated() {
                    try rows.connection.execute(
                        "PREPARE p\(number) (\(lookUp.parameters)) AS "
                            + Query("test", lookUp.query).textOfPostgres,
                        "test")
                    let plan = try rows.connection.all(
                        Query("test", "EXPLAIN EXECUTE p\(number) (gen_random_uuid(), 'x')")
                    ) { $0.text(0) }
                    #expect(
                        plan.contains {
                            $0.contains("using \(lookUp.index) ") || $0.contains("on \(lookUp.index) ")
                        }, "\(plan)")
                    #expect(plan.contains { $0.contains("Index Cond: ((") && $0.contains("CASE") }, "\(plan)")
                    try rows.connection.execute("DEALLOCATE p\(number)", "test")
                }
            }
            try rows.connection.execute("SET plan_cache_mode = force_generic_plan", "test")
            try rows.connection.execute(Self.crowd, "test")
            try plans()
            // Without names it would read the tables of all tests that run beside this one.
            try rows.connection.execute("ANALYZE attendees, merged_attendees, people", "test")
            try plans()
        }
    }

    /// Two sessions with 2,000 attendees each, traces of merges, and a roster.
    private static let crowd = """
        SET session_replication_role = replica;
        INSERT INTO attendees (session, id, name, identity, search, key, status, status_is_by_host, walk_in,
                arrival_sequence)
            SELECT md5((n % 2)::text)::uuid, gen_random_uuid(), 'n', 'n', 'n' || n,
                CASE WHEN n % 4 < 2 THEN 'n' || n END, 1, 0, 0, n FROM generate_series(1, 4000) n;
        INSERT INTO merged_attendees (id, session, into_attendee, key)
            SELECT gen_random_uuid(), md5((n % 2)::text)::uuid, gen_random_uuid(), 'n' || n
            FROM generate_series(1, 1000) n;
        INSERT INTO people (id, meeting, name, sort_key, email, number, number_key, search, archived, version)
            SELECT gen_random_uuid(), md5((n % 2)::text)::uuid, 'n', 'n', '', 'n', 'n' || n, 'n', 0, 1
            FROM generate_series(1, 1000) n;
        SET session_replication_role = origin;
        """
}
