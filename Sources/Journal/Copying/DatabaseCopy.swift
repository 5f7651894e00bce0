package import Meetings

/// The properties of a table that all engines have in common.
package struct TableLayout: Hashable, Sendable {
    package let name: String
    /// The names of the columns, sorted.
    package let columns: [String]
    /// The columns of the primary key, in the order of the key.
    package let key: [String]

    package init(name: String, columns: [String], key: [String]) {
        (self.name, self.columns, self.key) = (name, columns.sorted(), key)
    }

    /// Returns the key of a row for a message: its ids and numbers, but never a text, because a person may
    /// have written it.
    package func key(ofRow row: Int, in slice: RowSlice) -> String {
        let fields = slice.fields(ofRow: row)
        return key.map { column in
            guard let index = columns.firstIndex(of: column), let field = fields[index] else { return "–" }
            switch field.count {
            case 8: return "\(column) \(slice.number(at: field))"
            case 16: return "\(column) " + slice.bytes[field].map(Self.hex).joined()
            default: return "\(column) …"
            }
        }.joined(separator: ", ")
    }

    // MARK: Statements

    /// Returns the names for a statement of either engine.
    package static func quoted(_ names: [String]) -> String {
        names.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// The clauses of a query that select the table's copied rows (without `DatabaseCopy.ownKeys`).
    package var copiedRows: String {
        let own = DatabaseCopy.ownKeys.map { "'\($0)'" }.joined(separator: ", ")
        return "FROM \"\(name)\"" + (name == "meta" ? " WHERE key NOT IN (\(own))" : "")
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}

/// The place of a database, for messages.
package enum CopyPlace: Hashable, Sendable {
    /// SQLite's database in the folder at this path.
    case folder(String)
    /// The PostgreSQL database with this name and host, without user and password.
    case server(String)
}

/// The reason why a copy failed. The source and the target have not changed.
package enum CopyError: Error, Hashable, Sendable {
    case storage(StorageFailure, CopyPlace)
    /// The source has no database.
    case noData(CopyPlace)
    /// The target has data.
    case hasData(CopyPlace)
    /// The database must be migrated first.
    case olderSchema(CopyPlace, found: Int, known: Int)
    /// The folder of the target has no secret.
    case noSecret(path: String)
    /// The secret in the target's folder is not that of the source's servers.
    case otherSecret(path: String)
    /// The source has lost acknowledged commits.
    case commitsLost(CopyPlace, Int)
    /// The engines have different columns in this table. This is a bug.
    case layoutsDiffer(table: String)
    /// The target cannot store the value of a row. `key` names the row.
    case unfit(table: String, key: String, Unfit)
    /// After the copy, the rows of this table differ between the target and the source.
    case differs(table: String, rows: Int, copied: Int)
    case cancelled

    /// The reason why a value does not fit.
    package enum Unfit: Hashable, Sendable {
        /// The text in this column contains the character NUL, or is not valid UTF-8.
        case text(column: String)
        /// The id in this column does not have 16 bytes.
        case id(column: String)
        /// A text is too long for an index of the table.
        case index
    }
}

/// Runs `body` and names the place of its failure.
package func copying<Value: ~Copyable>(
    at place: CopyPlace, _ body: () throws(JournalError) -> Value
) throws(CopyError) -> Value {
    do throws(JournalError) { return try body() } catch { throw CopyError(error, at: place) }
}

extension CopyError {
    /// Makes the error for a failure at `place`.
    package init(_ error: JournalError, at place: CopyPlace) {
        switch error {
        case .failed(let failure): self = .storage(failure, place)
        // Only commands of the journal can be refused.
        case .refused(let refusal): self = .storage(StorageFailure(.other, operation: "\(refusal)"), place)
        }
    }
}

/// Collects the rows of a table into slices.
package struct SliceBuffer {
    package var slice = RowSlice()
    private var failure: CopyError?

    package init() {}

    /// Passes the slice to `body` if it is full. Returns whether the reading may go on.
    package mutating func passIfFull(_ body: (RowSlice) throws(CopyError) -> Void) -> Bool {
        guard slice.isFull else { return true }
        do throws(CopyError) { try body(slice) } catch { failure = error }
        slice.removeAll()
        return failure == nil
    }

    /// Passes the rest to `body`.
    /// - Throws: the error with which `body` ended the reading.
    package func finish(_ body: (RowSlice) throws(CopyError) -> Void) throws(CopyError) {
        if let failure { throw failure }
        if slice.count > 0 { try body(slice) }
    }
}

/// A database from which a copy reads. Until it is closed, no server can use it, and all reads see the same
/// state. One thread uses it.
package protocol CopySource: AnyObject {
    var place: CopyPlace { get }
    /// The tables that all engines have. Each table comes after those that its foreign keys refer to.
    var tables: [TableLayout] { get }

    /// Counts the rows of a table (`DatabaseCopy.ownKeys` are left out).
    func count(_ table: TableLayout) throws(CopyError) -> Int
    /// Passes all rows of a table to `body`, in the order of the primary key, in slices.
    func read(_ table: TableLayout, _ body: (RowSlice) throws(CopyError) -> Void) throws(CopyError)
    func close()
}

/// An empty database into which a copy writes. Nobody sees the rows before `publish`. If it is closed before,
/// or the process ends, the rows are gone.
package protocol CopyTarget: CopySource {
    /// Whether the engine can store every row of the other engines. False by default.
    static var storesEveryRow: Bool { get }
    /// Returns the first row that this engine cannot store, and the reason; nil if it can store all rows.
    func firstUnfit(in slice: RowSlice, of table: TableLayout) -> (row: Int, reason: CopyError.Unfit)?
    func write(_ slice: RowSlice, to table: TableLayout) throws(CopyError)
    /// Makes the rows durable and visible, all at once. Returns the new epoch of the database.
    func publish() throws(CopyError) -> String
}

extension CopyTarget {
    package static var storesEveryRow: Bool { false }
}

/// One state of a database that servers may use meanwhile. A backup and a verification read it.
package protocol DatabaseSnapshot: CopySource {
    /// Returns what decides whether a backup would show who gave an anonymous answer.
    func content(at now: Instant) throws(CopyError) -> BackupContent
    /// Returns the approximate size of the tables, in bytes.
    func size() throws(CopyError) -> Int
}

/// Copies all rows of a database into another one, of any engine.
package struct DatabaseCopy {
    /// The keys of `meta` that belong to one database and are never copied: its epoch, its count of commits,
    /// the version of its schema, the fingerprint of the servers' secret, and the note about the last backup.
    /// A target has its own values, with a new epoch.
    package static let ownKeys = ["backups", "epoch", "mark", "qring schema", "secret"]

    /// A part of the copy. Each part handles all rows once.
    package enum Phase: Int, CaseIterable, Sendable {
        /// Read the source, and check that the target can store every value.
        case checking
        case copying
        /// Read the target, and compare it with the source.
        case comparing
    }

    package private(set) var tables = 0
    package private(set) var rows = 0

    /// Copies all rows, and proves that both sides have the same rows. The caller publishes the target.
    /// - Parameter progress: receives the number of rows that the phase has handled, and of all rows; returns
    ///   false to cancel.
    package static func run(
        from source: some CopySource, to target: some CopyTarget,
        progress: (_ phase: Phase, _ done: Int, _ of: Int) -> Bool = { _, _, _ in true }
    ) throws(CopyError) -> DatabaseCopy {
        let tables = target.tables
        try compareLayouts(source.tables, tables)
        var counts: [Int] = []
        for table in tables { counts.append(try source.count(table)) }
        let all = counts.reduce(0, +)
        var done = 0
        var phase = Phase.checking
        func advance(by rows: Int) throws(CopyError) {
            done += rows
            guard progress(phase, done, all) else { throw .cancelled }
        }
        func sums(
            _ side: some CopySource, _ each: (RowSlice, TableLayout) throws(CopyError) -> Void
        ) throws(CopyError) -> [TableSum] {
            done = 0
            var sums: [TableSum] = []
            for table in tables {
                var sum = TableSum()
                try side.read(table) { slice throws(CopyError) in
                    try each(slice, table)
                    sum.add(slice)
                    try advance(by: slice.count)
                }
                sums.append(sum)
            }
            return sums
        }
        if !type(of: target).storesEveryRow {
            // The first reading of the source only checks, so that a value that does not fit is found before
            // the copy writes anything.
            _ = try sums(source) { slice, table throws(CopyError) in
                guard let unfit = target.firstUnfit(in: slice, of: table) else { return }
                throw .unfit(table: table.name, key: table.key(ofRow: unfit.row, in: slice), unfit.reason)
            }
        }
        phase = .copying
        let sourceSums = try sums(source) { slice, table throws(CopyError) in
            try target.write(slice, to: table)
        }
        phase = .comparing
        let targetSums = try sums(target) { _, _ in }
        for (index, table) in tables.enumerated() {
            let counted = try target.count(table)
            let (read, written) = (sourceSums[index], targetSums[index])
            guard read == written, counts[index] == counted, read.rows == counted else {
                throw .differs(table: table.name, rows: read.rows, copied: written.rows)
            }
        }
        return DatabaseCopy(tables: tables.count, rows: all)
    }

    private static func compareLayouts(_ one: [TableLayout], _ other: [TableLayout]) throws(CopyError) {
        let difference = Set(one).symmetricDifference(other)
        guard difference.isEmpty else {
            let names = Set(difference.map(\.name)).sorted()
            throw .layoutsDiffer(table: names.joined(separator: ", "))
        }
    }
}
