import CSQLite
package import Journal
import SQLJournal

/// SQLite's database in a folder, from which a copy reads. It changes no file of the folder but the lock.
package class SQLiteCopySource: CopySource {
    package let place: CopyPlace
    package let tables: [TableLayout]
    let connection: Connection
    /// Reads and inserts the rows of each table.
    private let statements: [String: CopyStatements]
    /// The lock on the folder; nil for a file that no server uses.
    private let lock: FolderLock?

    /// Opens the database in `folder`, and locks the folder.
    /// - Throws: `.noData`, `.olderSchema`, `.commitsLost`; `.storage` with `.busy` if a server runs.
    package convenience init(folder: String) throws(CopyError) {
        let place = CopyPlace.folder(folder)
        let data = DataFolder(path: folder)
        guard (PrivateFile.size(data.databasePath) ?? 0) > 0 else { throw .noData(place) }
        let lock = try copying(at: place) { () throws(JournalError) in
            let lock = try data.lock { () throws(JournalError) in try data.check(needsSecret: false) }
            // If there was no lock file, a server of another user must be able to lock the new one.
            try data.giveOwner(to: [])
            return lock
        }
        let (connection, lost) = try copying(at: place) { () throws(JournalError) in
            let purpose: Connection.Purpose = data.foreignLog() == nil ? .touchingNothing : .ignoringLog
            let connection = try Connection(path: data.databasePath, for: purpose)
            try connection.execute("BEGIN", "begin to copy")
            guard try !connection.checkKind() else {
                return (nil as Connection?, 0)
            }
            let mark = MarkFile.look(at: data.markPath)?.mark
            return (connection, try data.losses(connection, mark: mark).reduce(0) { $0 + Int($1.commits) })
        }
        guard let connection else { throw .noData(place) }
        guard lost == 0 else { throw .commitsLost(place, lost) }
        try self.init(connection, lock, at: place)
    }

    fileprivate init(
        _ connection: Connection, _ lock: consuming FolderLock?, at place: CopyPlace
    ) throws(CopyError) {
        let (version, all) = try copying(at: place) { () throws(JournalError) in
            (try connection.schemaVersion, try CopyStatements.all(connection))
        }
        let known = Migrations.sqlite.newest
        guard version == known else { throw .olderSchema(place, found: version, known: known) }
        self.place = place
        self.connection = connection
        self.lock = lock
        tables = all.map(\.layout)
        statements = Dictionary(uniqueKeysWithValues: all.map { ($0.layout.name, $0) })
    }

    /// Recounts everything, as `qring admin verify` does. Returns the faults.
    package func recount() -> [Fault] {
        var verification = Verification()
        verification.examine(connection)
        return verification.faults
    }

    package func count(_ table: TableLayout) throws(CopyError) -> Int {
        try copying(at: place) { () throws(JournalError) in
            try connection.first(statements(table).count) { $0.int(0) } ?? 0
        }
    }

    package func read(
        _ table: TableLayout, _ body: (RowSlice) throws(CopyError) -> Void
    ) throws(CopyError) {
        let statements = statements(table)
        var buffer = SliceBuffer()
        try copying(at: place) { () throws(JournalError) in
            try connection.each(statements.read) { row throws(JournalError) in
                try statements.append(row, to: &buffer.slice)
                return buffer.passIfFull(body)
            }
        }
        try buffer.finish(body)
    }

    package func close() { connection.close() }

    fileprivate func statements(_ table: TableLayout) -> CopyStatements {
        guard let found = statements[table.name] else { preconditionFailure("a table of this database") }
        return found
    }
}

/// A new SQLite file into which a copy writes, for a backup or a verification of another engine's database.
/// The caller has created the file, and removes it if the copy does not reach the end.
package class SQLiteCopyFile: SQLiteCopySource, CopyTarget {
    package static var storesEveryRow: Bool { true }

    /// - Parameter path: an empty file.
    convenience init(path: String) throws(CopyError) {
        let place = CopyPlace.folder(PrivateFile.folder(of: path))
        let connection = try copying(at: place) { () throws(JournalError) in
            try Self.makeTables(at: path, cacheKilobytes: 8192)
        }
        try self.init(connection, nil, at: place)
    }

    /// Makes the tables, and begins the transaction of the copy.
    fileprivate static func makeTables(
        at path: String, cacheKilobytes: Int
    ) throws(JournalError) -> Connection {
        let connection = try Connection(path: path)
        // The file is synced as a whole at the end. If the copy does not reach the end, it is deleted.
        try connection.execute(
            Settings.ofNewFile
                + "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
                + "PRAGMA cache_size = -\(cacheKilobytes)",
            "set up the copy")
        let folder = DataFolder(path: PrivateFile.folder(of: path))
        try connection.migrate(.sqlite) { folder.backup(ofVersion: $0) }
        try connection.begin()
        return connection
    }

    package func firstUnfit(
        in slice: RowSlice, of table: TableLayout
    ) -> (row: Int, reason: CopyError.Unfit)? { nil }

    package func write(_ slice: RowSlice, to table: TableLayout) throws(CopyError) {
        let statements = statements(table)
        try copying(at: place) { () throws(JournalError) in
            for row in 0..<slice.count {
                try connection.run(statements.insert) { statements.bind(slice, row, to: $0) }
            }
        }
    }

    package func publish() throws(CopyError) -> String {
        try copying(at: place) { () throws(JournalError) in
            // A new database has its own epoch, and no count of commits: the first start makes the mark.
            let epoch = try connection.epoch()
            try connection.commit()
            return epoch
        }
    }
}

/// A new SQLite database beside the place where it belongs, into which a copy writes. The last step gives it
/// its name. An interrupted copy is removed by the next opening of the folder.
package final class SQLiteCopyTarget: SQLiteCopyFile {
    private let data: DataFolder
    private let staged: DataFolder

    /// Makes an empty database in `folder`, and locks the folder.
    /// - Throws: `.hasData`, `.noSecret`; `.storage` with `.busy` if a server runs.
    package init(folder: String) throws(CopyError) {
        let place = CopyPlace.folder(folder)
        let data = DataFolder(path: folder)
        // A folder without a secret is not the server's, so it is not created.
        guard PrivateFile.exists(data.secretPath) else { throw .noSecret(path: data.secretPath) }
        let lock = try copying(at: place) { () throws(JournalError) in try data.lock() }
        guard
            ![data.databasePath, data.logPath, data.markPath].contains(where: {
                (PrivateFile.size($0) ?? 0) > 0
            })
        else { throw .hasData(place) }
        let staged = DataFolder(path: data.partialRestorePath)
        let connection = try copying(at: place) { () throws(JournalError) in
            guard !PrivateFile.exists(data.unfinishedPath) else {
                throw .failed(StorageFailure(.restoreUnfinished, operation: "open"))
            }
            data.removePartialRestore()
            try staged.makeFolder()
            try staged.makeDatabase()
            return try Self.makeTables(at: staged.databasePath, cacheKilobytes: 65_536)
        }
        (self.data, self.staged) = (data, staged)
        try super.init(connection, lock, at: place)
    }

    package override func publish() throws(CopyError) -> String {
        let epoch = try super.publish()
        connection.close()
        try copying(at: place) { () throws(JournalError) in
            try PrivateFile.sync(staged.databasePath)
            try data.giveOwner(to: [staged.databasePath])
            try PrivateFile.move(staged.databasePath, to: data.databasePath)
            try PrivateFile.sync(data.path)
        }
        return epoch
    }

    package override func close() {
        super.close()
        data.removePartialRestore()
    }
}

/// The statements that copy the rows of one table.
private struct CopyStatements {
    let layout: TableLayout
    let count: Query
    let read: Query
    let insert: Query
    /// How the values of each column are stored.
    private let kinds: [Kind]

    private enum Kind {
        case number, text, bytes
        /// An account's id, or 0 for an attendee and 1 for the server (`Event.Actor`).
        case actor
    }

    private static let columns = Query(
        "list columns to copy",
        """
        SELECT t.name, c.name, c.type, c.pk FROM pragma_table_list t
            JOIN pragma_table_xinfo(t.name, t.schema) c
        WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY t.name, c.name
        """)

    /// Returns the statements for all tables of the connection's main database.
    static func all(_ connection: Connection) throws(JournalError) -> [CopyStatements] {
        let columns = try connection.all(columns) {
            (table: $0.text(0), name: $0.text(1), type: $0.text(2), key: $0.int(3))
        }
        return Dictionary(grouping: columns, by: \.table).sorted { $0.key < $1.key }.map { table, columns in
            CopyStatements(
                TableLayout(
                    name: table, columns: columns.map(\.name),
                    key: columns.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map(\.name)),
                columns.map { column in
                    switch column.type {
                    case "INTEGER": .number
                    case "TEXT": .text
                    case "ANY": .actor
                    default: .bytes
                    }
                })
        }
    }

    private init(_ layout: TableLayout, _ kinds: [Kind]) {
        (self.layout, self.kinds) = (layout, kinds)
        let columns = TableLayout.quoted(layout.columns)
        let rows = layout.copiedRows
        count = Query("count \(layout.name)", "SELECT count(*) \(rows)")
        read = Query(
            "read \(layout.name)", "SELECT \(columns) \(rows) ORDER BY \(TableLayout.quoted(layout.key))")
        insert = Query(
            "copy \(layout.name)",
            """
            INSERT INTO "\(layout.name)" (\(columns))
            VALUES (\(layout.columns.map { _ in "?" }.joined(separator: ", ")))
            """)
    }

    func append(_ row: SQLiteStatement, to slice: inout RowSlice) throws(JournalError) {
        slice.beginRow(fields: kinds.count)
        for (index, kind) in kinds.enumerated() {
            let column = Int32(index)
            switch sqlite3_column_type(row.handle, column) {
            case SQLITE_NULL: slice.appendNull()
            case SQLITE_INTEGER:
                let number = row.int64(column)
                guard case .actor = kind else {
                    slice.append(number)
                    continue
                }
                guard 0...1 ~= number else { throw row.damaged("an unknown actor", column) }
                let id = (UInt64(0), UInt64(number).bigEndian)
                withUnsafeBytes(of: id) { slice.append($0) }
            default: slice.append(row.bytes(column))
            }
        }
        slice.endRow()
    }

    /// Binds the fields of a row to the parameters. Returns SQLite's result code.
    func bind(_ slice: RowSlice, _ row: Int, to statement: OpaquePointer) -> Int32 {
        var code = SQLITE_OK
        slice.bytes.withUnsafeBytes { all in
            for (index, field) in slice.fields(ofRow: row).enumerated() {
                let parameter = Int32(index + 1)
                guard let field else {
                    code |= sqlite3_bind_null(statement, parameter)
                    continue
                }
                let value = UnsafeRawBufferPointer(rebasing: all[field])
                let length = Int32(clamping: value.count)
                switch kinds[index] {
                case .number: code |= sqlite3_bind_int64(statement, parameter, slice.number(at: field))
                case .text:
                    let text = value.assumingMemoryBound(to: CChar.self).baseAddress
                    code |= qring_sqlite_bind_text(statement, parameter, text, length)
                case .actor where value.dropLast().allSatisfy { $0 == 0 } && (value.last ?? 2) < 2:
                    code |= sqlite3_bind_int64(statement, parameter, Int64(value.last ?? 0))
                case .actor, .bytes:
                    code |= qring_sqlite_bind_blob(statement, parameter, value.baseAddress, length)
                }
            }
        }
        return code
    }
}
