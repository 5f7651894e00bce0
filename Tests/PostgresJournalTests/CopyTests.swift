import Foundation
import Journal
import PostgresCluster
import SQLiteJournal
import Testing

@testable import PostgresJournal
@testable import SQLJournal

/// Copies of rows that are made from the schema alone, so that a new table or column is copied and compared
/// without a change to this test. They fulfil the foreign keys and nothing else.
@Suite(.waitingThreads) struct CopyTests {
    /// A schema of PostgreSQL for one test.
    private final class Database {
        let name: String
        let settings: String

        init() throws { (name, settings) = try Cluster.shared.get().makeSchema() }
        deinit { _ = try? Cluster.shared.get().execute("DROP SCHEMA \(name) CASCADE") }

        func lines(_ text: String) throws -> [String] {
            let connection = try Connection(settings: settings, for: .vacuuming)
            defer { connection.close() }
            return try connection.all(Query("test", text)) { $0.text(0) }
        }

        /// Returns all rows of the table as texts, in no order.
        func rows(_ table: TableLayout) throws -> [String] {
            let own = DatabaseCopy.ownKeys.map { "'\($0)'" }.joined(separator: ", ")
            let condition = table.name == "meta" ? "WHERE key NOT IN (\(own))" : ""
            let columns = table.columns.joined(separator: ", ")
            return try lines("SELECT ROW(\(columns))::text FROM \(table.name) \(condition)").sorted()
        }
    }

    /// A data folder with a secret and no database.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "qring-\(UUID().uuidString)").path

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data(repeating: 7, count: 32).write(to: URL(filePath: "\(path)/secret"))
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static let count = 60

    /// Makes the tables, and inserts rows into each of them. In the rows of even numbers, columns that can be
    /// null are null, unless they refer to another table.
    private func fill(_ database: Database, order: [Int]) throws {
        let target = try PostgresCopyTarget(settings: database.settings)
        defer { target.close() }
        let connection = target.connection
        let nullable = Set(
            try connection.all(
                Query(
                    "test",
                    """
                    SELECT CAST(table_name || '.' || column_name AS text) FROM information_schema.columns
                    WHERE table_schema = current_schema() AND is_nullable = 'YES'
                    """)
            ) { $0.text(0) })
        let references = try connection.all(
            Query(
                "test",
                """
                SELECT CAST(c.relname || '.' || a.attname AS text),
                    CAST(p.relname || '.' || b.attname AS text)
                FROM pg_constraint f
                    JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
                    JOIN LATERAL unnest(f.conkey, f.confkey) k (own, other) ON true
                    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.own
                    JOIN pg_attribute b ON b.attrelid = p.oid AND b.attnum = k.other
                WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace
                """)
        ) { ($0.text(0), $0.text(1)) }
        let parents = Dictionary(references, uniquingKeysWith: { first, _ in first })
        func value(_ column: String, _ type: String, _ number: Int) -> String {
            if let parent = parents[column] { return value(parent, type, number) }
            if nullable.contains(column), number.isMultiple(of: 2) { return "NULL" }
            // Columns have different values in rows of the same number.
            let seed = column.utf8.reduce(17) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
            switch type {
            // The actors of events: an attendee, the server, and accounts.
            case "uuid" where column.hasSuffix(".actor") && number < 2:
                return "'00000000-0000-0000-0000-00000000000\(number)'"
            case "uuid":
                return "'\(String(0x1000_0000 + seed, radix: 16))-0000-4000-8000-\(100_000_000_000 + number)'"
            case "bytea": return number == 0 ? "''" : "'\\x00ff27\(1_000 + number)'"
            case "bigint": return number == 0 ? "-1099511627776" : number == 1 ? "1099511627776" : "\(number)"
            default: return number == 0 ? "''" : "'\(number) 값 🧭 '' \\ \(seed)' || chr(10) || chr(9)"
            }
        }
        for table in target.tables {
            let types = target.types[table.name] ?? []
            for number in order {
                let values = zip(table.columns, types).map { value("\(table.name).\($0)", $1, number) }
                try connection.execute(
                    """
                    INSERT INTO \(table.name) (\(table.columns.joined(separator: ", ")))
                    VALUES (\(values.joined(separator: ", ")))
                    """, "fill \(table.name)")
            }
        }
        _ = try target.publish()
    }

    /// Copies without the recount, which these rows would not pass.
    private func copy(_ source: some CopySource, _ target: some CopyTarget) throws -> DatabaseCopy {
        defer {
            source.close()
            target.close()
        }
        let copy = try DatabaseCopy.run(from: source, to: target)
        _ = try target.publish()
        return copy
    }

    @Test func `every table and column comes back from SQLite as it was`() throws {
        let (first, last, folder) = (try Database(), try Database(), try Folder())
        try fill(first, order: Array(0..<Self.count))
        let there = try copy(
            PostgresCopySource(settings: first.settings), SQLiteCopyTarget(folder: folder.path))
        let back = try copy(
            SQLiteCopySource(folder: folder.path), PostgresCopyTarget(settings: last.settings))
        #expect(there.rows == there.tables * Self.count && back.rows == there.rows)
        let source = try PostgresCopySource(settings: last.settings)
        defer { source.close() }
        #expect(source.tables.count == there.tables)
        for table in source.tables {
            let rows = try first.rows(table)
            #expect(rows.count == Self.count && Set(rows).count == Self.count, "\(table.name)")
            #expect(try last.rows(table) == rows, "\(table.name)")
        }
        let epochs = try [first, last].map { try $0.lines("SELECT value FROM meta WHERE key = 'epoch'") }
        #expect(epochs[0] != epochs[1])
    }

    /// The file or the table must not show who answered first. If two databases with the same rows, inserted
    /// in different orders, have the same copies byte for byte, the copy shows nothing of the order.
    @Test func `a copy shows nothing of the order in which rows were inserted`() throws {
        var order = Array(0..<Self.count)
        var files: [Data] = []
        var places: [[String]] = []
        for _ in 0..<2 {
            let (database, folder, other) = (try Database(), try Folder(), try Database())
            try fill(database, order: order)
            _ = try copy(
                PostgresCopySource(settings: database.settings), SQLiteCopyTarget(folder: folder.path))
            _ = try copy(
                PostgresCopySource(settings: database.settings), PostgresCopyTarget(settings: other.settings))
            let tables = ["responses", "answered", "answered_devices", "moderated_texts", "words"]
            places.append(
                try tables.flatMap { table in
                    #expect(try other.lines("SELECT count(DISTINCT xmin::text)::text FROM \(table)") == ["1"])
                    return try other.lines("SELECT ctid::text || t::text FROM \(table) t ORDER BY ctid")
                })
            let file = URL(filePath: "\(folder.path)/journal.db")
            files.append(try Data(contentsOf: file))
            order.reverse()
        }
        #expect(places[0] == places[1])
        // The epochs are random, and 32 bytes long.
        #expect(files[0].count == files[1].count)
        #expect(zip(files[0], files[1]).count(where: !=) <= 32)
    }

    @Test func `the copied file opens with a new mark, and a count of commits`() throws {
        let (database, folder) = (try Database(), try Folder())
        try fill(database, order: [2, 3])
        _ = try copy(PostgresCopySource(settings: database.settings), SQLiteCopyTarget(folder: folder.path))
        var options = SQLiteEngine.Options()
        options.makeSecret = { Issue.record("the secret is there") }
        let first = try SQLiteEngine(folder: folder.path, options)
        #expect(first.epochRenewal == nil)
        first.close()
        let second = try SQLiteEngine(folder: folder.path, options)
        #expect(second.epochRenewal == nil && second.epoch == first.epoch && second.losses().isEmpty)
        second.close()
    }

    @Test func `a copy that ends early leaves the target empty`() throws {
        let (first, second, folder) = (try Database(), try Database(), try Folder())
        try fill(first, order: Array(0..<5))
        for phase in DatabaseCopy.Phase.allCases {
            func cancelled<Target: CopyTarget>(_ target: Target) throws {
                let source = try PostgresCopySource(settings: first.settings)
                defer {
                    source.close()
                    target.close()
                }
                // A target that stores every row needs no check.
                guard phase != .checking || !Target.storesEveryRow else { return }
                #expect(throws: CopyError.cancelled) {
                    _ = try DatabaseCopy.run(from: source, to: target) { now, _, _ in now != phase }
                }
            }
            try cancelled(try SQLiteCopyTarget(folder: folder.path))
            #expect(
                Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == [
                    "journal.lock", "secret",
                ])
            try cancelled(try PostgresCopyTarget(settings: second.settings))
            let tables = "SELECT count(*)::text FROM pg_tables WHERE schemaname = current_schema()"
            #expect(try second.lines(tables) == ["0"])
        }
    }

    /// A target that loses or changes one row.
    private final class FaultyTarget: CopyTarget {
        let target: SQLiteCopyTarget
        let change: (RowSlice) -> RowSlice

        init(_ target: SQLiteCopyTarget, _ change: @escaping (RowSlice) -> RowSlice) {
            (self.target, self.change) = (target, change)
        }

        var place: CopyPlace { target.place }
        var tables: [TableLayout] { target.tables }
        func count(_ table: TableLayout) throws(CopyError) -> Int { try target.count(table) }
        func read(_ table: TableLayout, _ body: (RowSlice) throws(CopyError) -> Void) throws(CopyError) {
            try target.read(table, body)
        }
        func close() { target.close() }
        func firstUnfit(in slice: RowSlice, of table: TableLayout) -> (row: Int, reason: CopyError.Unfit)? {
            nil
        }
        func write(_ slice: RowSlice, to table: TableLayout) throws(CopyError) {
            try target.write(table.name == "accounts" ? change(slice) : slice, to: table)
        }
        func publish() throws(CopyError) -> String { try target.publish() }
    }

    @Test func `a lost row and a changed value are found`() throws {
        let (database, folder) = (try Database(), try Folder())
        try fill(database, order: Array(0..<5))
        func rows(_ slice: RowSlice, _ numbers: some Sequence<Int>, changing byte: Bool = false) -> RowSlice {
            var found = RowSlice()
            for number in numbers {
                var row = Array(slice.bytes[slice.range(ofRow: number)])
                // The last byte belongs to the number of the column "version", which is the last one.
                if byte, number == 3 { row[row.count - 1] ^= 1 }
                found.append(row: row[...])
            }
            return found
        }
        func differs(_ change: @escaping (RowSlice) -> RowSlice) throws -> CopyError? {
            let target = FaultyTarget(try SQLiteCopyTarget(folder: folder.path), change)
            let source = try PostgresCopySource(settings: database.settings)
            defer {
                source.close()
                target.close()
            }
            return #expect(throws: CopyError.self) { _ = try DatabaseCopy.run(from: source, to: target) }
        }
        #expect(
            try differs { rows($0, 1..<$0.count) } == .differs(table: "accounts", rows: 5, copied: 4))
        #expect(
            try differs { rows($0, 0..<$0.count, changing: true) }
                == .differs(table: "accounts", rows: 5, copied: 5))
    }
}

@Suite struct DatabaseSettingsTests {
    @Test(arguments: [
        ("postgres://me:secret@db.example.org/hall", "hall (db.example.org)"),
        ("host=/run/pg user=me password=secret dbname=hall", "hall"), ("hall", "hall"),
        ("postgres://me:sec%zz@db/hall", "postgres"),
    ]) func `the name of a database has no user and no password`(_ settings: String, _ name: String) {
        #expect(DatabaseSettings.name(of: settings) == name)
    }

    @Test(arguments: [
        "postgres://me:sec/ret@db/hall", "postgres://me:sec@ret@db/hall", "postgres://me:sec%zzret@db/hall",
        "password=sec ret",
    ]) func `settings with a broken password are rejected without a part of it`(_ settings: String) {
        #expect(throws: JournalError.failed(StorageFailure(.malformedSettings, operation: "read settings"))) {
            try DatabaseSettings.check(settings)
        }
    }

    @Test(arguments: [
        "postgres://me:se%40cret@db.example.org:5432/hall?sslmode=verify-full",
        "host=a,b port=1,2 dbname=hall",
        "postgres:///hall?host=/run/pg", "service=hall",
    ]) func `good settings are accepted`(_ settings: String) throws {
        try DatabaseSettings.check(settings)
    }
}
