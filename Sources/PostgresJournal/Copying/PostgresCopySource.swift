package import Journal
package import Meetings
import SQLJournal

/// A PostgreSQL database from which a copy reads, in one transaction. No server can use it meanwhile.
package class PostgresCopySource: CopySource {
    package let place: CopyPlace
    package let tables: [TableLayout]
    let connection: Connection
    /// The type of each column on the server, by table, in the order of the layout's columns.
    let types: [String: [String]]

    /// The tables and columns that only this engine has. They describe the nodes, so they are not copied.
    /// Any other difference between the engines makes `SchemaTests` fail.
    static let ownTables: Set = ["commits", "nodes"]
    static let ownColumns: Set = ["jobs.node"]

    /// Opens the database, and reserves it, so that no server can use it.
    /// - Parameter settings: a URI or a list of settings, as libpq reads them (libpq-connstring).
    /// - Throws: `.noData`, `.olderSchema`; `.storage` with `.busy` if a server runs, or with a reason of
    ///   `PostgresEngine.init`.
    package convenience init(settings: String) throws(CopyError) {
        let place = CopyPlace.server(DatabaseSettings.name(of: settings))
        let connection = try copying(at: place) { () throws(JournalError) in
            let connection = try Self.connect(settings)
            try Self.beginReading(connection)
            return connection
        }
        try self.init(connection, at: place)
    }

    /// - Parameter connection: has an open transaction.
    fileprivate init(_ connection: Connection, at place: CopyPlace) throws(CopyError) {
        let version = try copying(at: place) { () throws(JournalError) in
            let version = try connection.schemaVersion()
            try Migrations.postgres.check(version, "open")
            return version
        }
        let known = Migrations.postgres.newest
        guard version > 0 else { throw .noData(place) }
        guard version >= known else { throw .olderSchema(place, found: version, known: known) }
        let all = try copying(at: place) { () throws(JournalError) in try connection.copiedTables() }
        (self.connection, self.place) = (connection, place)
        tables = all.map(\.layout)
        types = Dictionary(uniqueKeysWithValues: all.map { ($0.layout.name, $0.types) })
    }

    /// Opens a connection whose transaction may take any time.
    /// - Parameter isAlone: whether no server may use the database meanwhile. Otherwise the connection only
    ///   reads, also from a standby.
    fileprivate static func connect(
        _ settings: String, isAlone: Bool = true
    ) throws(JournalError) -> Connection {
        try Pool.check(settings)?.close()
        let connection = try Connection(
            settings: settings, for: isAlone ? .writing() : .reading(milliseconds: 10_000))
        // While one side works, the other one waits.
        try connection.execute(
            "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0", "set up the copy")
        if isAlone { try connection.reserveDatabase() }
        return connection
    }

    /// Gives the database a new epoch, so that all clients load everything again. It is needed after an older
    /// state of the database was put back. Returns the new epoch.
    /// - Throws: `.noData`; `.storage` with `.busy` if a server runs, or with a reason of
    ///   `PostgresEngine.init`.
    package static func renewEpoch(of settings: String) throws(CopyError) -> String {
        let place = CopyPlace.server(DatabaseSettings.name(of: settings))
        let epoch = try copying(at: place) { () throws(JournalError) -> String? in
            let connection = try connect(settings)
            defer { connection.close() }
            let version = try connection.schemaVersion()
            try Migrations.postgres.check(version, "open")
            guard version > 0 else { return nil }
            try connection.renewEpoch()
            return try connection.epoch()
        }
        guard let epoch else { throw .noData(place) }
        return epoch
    }

    /// Begins the transaction. Its first read fixes the state that all its later reads see.
    fileprivate static func beginReading(_ connection: Connection) throws(JournalError) {
        try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        connection.liftTimeLimit()
    }

    /// Returns the fingerprint of the servers' secret (`ServerSecret.fingerprint`); nil if the database has
    /// none.
    package func secretFingerprint() throws(CopyError) -> String? {
        try copying(at: place) { () throws(JournalError) in try connection.secretFingerprint() }
    }

    package func count(_ table: TableLayout) throws(CopyError) -> Int {
        try copying(at: place) { () throws(JournalError) in
            try connection.first(Query("count \(table.name)", "SELECT count(*) \(table.copiedRows)")) {
                $0.int(0)
            } ?? 0
        }
    }

    package func read(
        _ table: TableLayout, _ body: (RowSlice) throws(CopyError) -> Void
    ) throws(CopyError) {
        let text = """
            COPY (SELECT \(TableLayout.quoted(table.columns)) \(table.copiedRows)
            ORDER BY \(TableLayout.quoted(table.key))) TO STDOUT (FORMAT binary)
            """
        var buffer = SliceBuffer()
        try copying(at: place) { () throws(JournalError) in
            try connection.copyOut(text, "read \(table.name)") { row in
                buffer.slice.append(row: row)
                return buffer.passIfFull(body)
            }
        }
        try buffer.finish(body)
    }

    package func close() {
        connection.rollBack()
        connection.close()
    }

}

/// One state of a PostgreSQL database, while servers use it. It locks all tables before it reads, as pg_dump
/// does, so that no migration changes them: a migration ends with `.busy` after ten seconds.
package final class PostgresSnapshot: PostgresCopySource, DatabaseSnapshot {
    private static let size = Query(
        "measure the tables",
        """
        SELECT CAST(coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bigint) FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
        """)

    private static let tables = Query(
        "list tables",
        """
        SELECT c.relname::text FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY 1
        """)

    /// - Parameter settings: a URI or a list of settings, as libpq reads them (libpq-connstring).
    /// - Throws: `.noData`, `.olderSchema`; `.storage` with a reason of `PostgresEngine.init`.
    package init(of settings: String) throws(CopyError) {
        let place = CopyPlace.server(DatabaseSettings.name(of: settings))
        let connection = try copying(at: place) { () throws(JournalError) in
            let connection = try Self.connect(settings, isAlone: false)
            let tables = try connection.all(Self.tables) { $0.text(0) }
            try Self.beginReading(connection)
            // "You must execute the LOCK TABLE statement before executing any SELECT" (sql-lock).
            if !tables.isEmpty {
                try connection.execute(
                    "LOCK TABLE \(TableLayout.quoted(tables)) IN ACCESS SHARE MODE", "lock the tables")
            }
            return connection
        }
        try super.init(connection, at: place)
    }

    package func content(at now: Instant) throws(CopyError) -> BackupContent {
        try copying(at: place) { () throws(JournalError) in
            BackupContent(epoch: try connection.epoch(), sets: try connection.anonymousSets(at: now))
        }
    }

    package func size() throws(CopyError) -> Int {
        try copying(at: place) { () throws(JournalError) in
            try connection.first(Self.size) { $0.int(0) } ?? 0
        }
    }
}

/// The note of a database's servers about its last backup, in the table `meta`. A new database has none. A
/// copy has a text that is no note, because nobody knows which backups the source has.
package enum BackupNote {
    fileprivate static let unknown = "unknown"
    private static let find = Query(
        "read the note of backups", "SELECT value FROM meta WHERE key = 'backups'")
    fileprivate static let insert = Query(
        "store the note of backups", "INSERT INTO meta VALUES ('backups', ?) ON CONFLICT DO NOTHING")
    private static let replace = Query(
        "replace the note of backups", "UPDATE meta SET value = ? WHERE key = 'backups' AND value = ?")

    package static func read(in settings: String) throws(JournalError) -> String? {
        let connection = try Connection(settings: settings, for: .reading(milliseconds: 10_000))
        defer { connection.close() }
        return try connection.first(find) { $0.text(0) }
    }

    /// Stores the note.
    /// - Returns: false if the database has another note than `old`. Then nothing has changed.
    package static func write(
        _ note: String, replacing old: String?, in settings: String
    ) throws(JournalError) -> Bool {
        let connection = try Connection(settings: settings, for: .writing())
        defer { connection.close() }
        guard let old else { return try connection.run(insert, note) == 1 }
        return try connection.run(replace, note, old) == 1
    }
}

/// An empty PostgreSQL database into which a copy writes. Everything, with the creation of the tables, is one
/// transaction.
package final class PostgresCopyTarget: PostgresCopySource, CopyTarget {
    /// Opens the database, reserves it, and creates the tables if there are none.
    /// - Parameter secretFingerprint: the fingerprint of the servers' secret; if it is nil, the first server
    ///   that starts stores its own.
    /// - Throws: `.hasData`; `.storage` with `.busy` if a server runs, or with a reason of
    ///   `PostgresEngine.init`.
    package init(settings: String, secretFingerprint: String? = nil) throws(CopyError) {
        let place = CopyPlace.server(DatabaseSettings.name(of: settings))
        let connection = try copying(at: place) { () throws(JournalError) in
            let connection = try Self.connect(settings)
            try connection.begin()
            connection.liftTimeLimit()
            while try connection.runNextMigration(.postgres) != nil {}
            return connection
        }
        try super.init(connection, at: place)
        for table in tables {
            guard try count(table) == 0 else { throw .hasData(place) }
        }
        try copying(at: place) { () throws(JournalError) in
            try connection.renewEpoch()
            // A server that has stored nothing may have left its fingerprint, which must not keep other
            // servers out.
            try connection.compareSecret(nil)
            if let secretFingerprint { try connection.compareSecret(secretFingerprint) }
        }
    }

    package func firstUnfit(
        in slice: RowSlice, of table: TableLayout
    ) -> (row: Int, reason: CopyError.Unfit)? {
        let types = types[table.name] ?? []
        // Most tables have a column whose values must be examined.
        guard types.contains(where: { $0 == "text" || $0 == "uuid" }) else { return nil }
        return slice.bytes.withUnsafeBytes { bytes in
            for row in 0..<slice.count {
                for (index, field) in slice.fields(ofRow: row).enumerated() {
                    guard let field else { continue }
                    let value = UnsafeRawBufferPointer(rebasing: bytes[field])
                    switch types[index] {
                    case "uuid" where value.count != 16:
                        return (row, .id(column: table.columns[index]))
                    case "text" where !Self.isStorable(value):
                        return (row, .text(column: table.columns[index]))
                    default: break
                    }
                }
            }
            return nil
        }
    }

    /// Whether the bytes are a text of PostgreSQL: UTF-8 without NUL ("the character with code zero … cannot
    /// be stored", datatype-character).
    private static func isStorable(_ text: UnsafeRawBufferPointer) -> Bool {
        if text.allSatisfy({ 1..<0x80 ~= $0 }) { return true }
        return !text.contains(0) && String(validating: text, as: UTF8.self) != nil
    }

    package func write(_ slice: RowSlice, to table: TableLayout) throws(CopyError) {
        let text = """
            COPY "\(table.name)" (\(TableLayout.quoted(table.columns))) FROM STDIN (FORMAT binary)
            """
        do throws(JournalError) {
            try connection.copyIn(text, "copy \(table.name)", slice)
        } catch {
            if case .failed(let failure) = error, let row = Self.tooLong(failure), row < slice.count {
                throw .unfit(table: table.name, key: table.key(ofRow: row, in: slice), .index)
            }
            throw CopyError(error, at: place)
        }
    }

    /// Returns the position of the row whose text is too long for an index (54000, program_limit_exceeded);
    /// nil for other failures. The context is "COPY attendees, line 7".
    private static func tooLong(_ failure: StorageFailure) -> Int? {
        guard failure.detail.hasPrefix("54000"),
            let line = failure.detail.firstMatch(of: #/\(COPY \w+, line (\d+)/#), let number = Int(line.1)
        else { return nil }
        return number - 1
    }

    package func publish() throws(CopyError) -> String {
        try copying(at: place) { () throws(JournalError) in
            // Statistics for the planner, so that the first queries choose their plans by them.
            try connection.execute("ANALYZE \(TableLayout.quoted(tables.map(\.name)))", "analyze")
            try connection.run(BackupNote.insert, BackupNote.unknown)
            let epoch = try connection.epoch()
            try connection.commit()
            return epoch
        }
    }
}

extension Connection {
    private static let copied = Query(
        "list columns to copy",
        """
        SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL),
            coalesce((SELECT k.n FROM pg_index i, unnest(i.indkey) WITH ORDINALITY k (attnum, n)
                WHERE i.indrelid = c.oid AND i.indisprimary AND k.attnum = a.attnum), 0)
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
        ORDER BY c.relname::text COLLATE "C", a.attname::text COLLATE "C"
        """)
    private static let references = Query(
        "list references",
        """
        SELECT DISTINCT c.relname::text, p.relname::text
        FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
        WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace
        """)
    private static let renew = Query(
        "renew the epoch",
        "UPDATE meta SET value = replace(gen_random_uuid()::text, '-', '') WHERE key = 'epoch'")

    func renewEpoch() throws(JournalError) { try run(Self.renew) }

    /// Returns the tables that both engines have, with the types of their columns. Each table comes after
    /// those that its foreign keys refer to.
    fileprivate func copiedTables() throws(JournalError) -> [(layout: TableLayout, types: [String])] {
        let own = (tables: PostgresCopySource.ownTables, columns: PostgresCopySource.ownColumns)
        let columns = try all(Self.copied) {
            (table: $0.text(0), name: $0.text(1), type: $0.text(2), key: $0.int(3))
        }.filter { !own.tables.contains($0.table) && !own.columns.contains("\($0.table).\($0.name)") }
        let references = try all(Self.references) { (table: $0.text(0), parent: $0.text(1)) }
        var parents: [String: Set<String>] = [:]
        for reference in references where reference.table != reference.parent {
            parents[reference.table, default: []].insert(reference.parent)
        }
        var left = Dictionary(grouping: columns, by: \.table)
        var sorted: [(layout: TableLayout, types: [String])] = []
        while !left.isEmpty {
            let free = left.keys.filter { parents[$0, default: []].isDisjoint(with: left.keys) }.sorted()
            guard !free.isEmpty else { preconditionFailure("a circle of foreign keys") }
            for table in free {
                let columns = left.removeValue(forKey: table) ?? []
                let layout = TableLayout(
                    name: table, columns: columns.map(\.name),
                    key: columns.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map(\.name))
                sorted.append((layout, columns.map(\.type)))
            }
        }
        return sorted
    }
}
