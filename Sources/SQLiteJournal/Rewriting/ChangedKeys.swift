import CSQLite
import Glibc
import Journal
import Synchronization

/// The primary key of one row.
struct RowKey: Hashable, Comparable {
    /// The position of the table in the list of the rewrite.
    let table: Int
    /// The values of the key's columns, in the format of `KeyValue`.
    let values: [UInt8]

    /// The order of tables, and then the order of the keys' bytes.
    static func < (one: RowKey, other: RowKey) -> Bool {
        one.table == other.table
            ? one.values.lexicographicallyPrecedes(other.values) : one.table < other.table
    }
}

/// The format of a value in a `RowKey`: a byte for the type, the length, and the bytes.
enum KeyValue {
    /// Appends a value that SQLite passes to the hook. SQLite protects it during the call
    /// (c3ref/preupdate_blobwrite.html).
    static func append(_ value: OpaquePointer?, to bytes: inout [UInt8]) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: append(sqlite3_value_int64(value), SQLITE_INTEGER, to: &bytes)
        case SQLITE_FLOAT: append(sqlite3_value_double(value).bitPattern, SQLITE_FLOAT, to: &bytes)
        case SQLITE_TEXT:
            let text = sqlite3_value_text(value)
            append(text, Int(sqlite3_value_bytes(value)), SQLITE_TEXT, to: &bytes)
        case SQLITE_BLOB:
            let blob = sqlite3_value_blob(value)
            append(blob, Int(sqlite3_value_bytes(value)), SQLITE_BLOB, to: &bytes)
        default: bytes.append(UInt8(SQLITE_NULL))
        }
    }

    /// Appends a column of a statement's current row.
    static func append(_ row: SQLiteStatement, _ column: Int32, to bytes: inout [UInt8]) {
        let statement = row.handle
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: append(sqlite3_column_int64(statement, column), SQLITE_INTEGER, to: &bytes)
        case SQLITE_FLOAT:
            append(sqlite3_column_double(statement, column).bitPattern, SQLITE_FLOAT, to: &bytes)
        case SQLITE_TEXT:
            let text = sqlite3_column_text(statement, column)
            append(text, Int(sqlite3_column_bytes(statement, column)), SQLITE_TEXT, to: &bytes)
        case SQLITE_BLOB:
            let blob = sqlite3_column_blob(statement, column)
            append(blob, Int(sqlite3_column_bytes(statement, column)), SQLITE_BLOB, to: &bytes)
        default: bytes.append(UInt8(SQLITE_NULL))
        }
    }

    private static func append<Number: FixedWidthInteger>(
        _ number: Number, _ type: Int32, to bytes: inout [UInt8]
    ) {
        bytes.append(UInt8(type))
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(
        _ start: UnsafeRawPointer?, _ count: Int, _ type: Int32, to bytes: inout [UInt8]
    ) {
        append(UInt32(count), type, to: &bytes)
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Binds all values to the parameters from `index` on. Returns SQLite's result code.
    static func bind(_ values: [UInt8], to statement: OpaquePointer, from index: inout Int32) -> Int32 {
        values.withUnsafeBytes { bytes in
            var at = 0
            var code = SQLITE_OK
            while at < bytes.count {
                let type = Int32(bytes[at])
                at += 1
                switch type {
                case SQLITE_INTEGER:
                    let number = Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: Int64.self))
                    code |= sqlite3_bind_int64(statement, index, number)
                    at += 8
                case SQLITE_FLOAT:
                    let bits = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                    code |= sqlite3_bind_double(statement, index, Double(bitPattern: bits))
                    at += 8
                case SQLITE_TEXT, SQLITE_BLOB:
                    let length = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: Int32.self))
                    let start = bytes.baseAddress?.advanced(by: at + 4)
                    code |=
                        type == SQLITE_TEXT
                        ? qring_sqlite_bind_text(
                            statement, index, start?.assumingMemoryBound(to: CChar.self), length)
                        : qring_sqlite_bind_blob(statement, index, start, length)
                    at += 4 + Int(length)
                default: code |= sqlite3_bind_null(statement, index)
                }
                index += 1
            }
            return code
        }
    }
}

/// The keys of the rows that the writer changed since the rewrite took them last. The writer adds the keys
/// of a batch after the batch's commit, and the rewriting thread takes them. If a
/// recorded row did not change, it is only copied once more.
final class ChangedKeys: Sendable {
    private struct State {
        var keys: Set<RowKey> = []
        var bytes = 0
        var areIncomplete = false
    }

    /// The most memory for keys, in bytes. Above it, the rewrite is abandoned and tried again later.
    static let mostBytes = 64 << 20
    /// The memory of a key besides its values: the array's header and two places in the set.
    private static let overhead = 96

    private let state = Mutex(State())

    func add(_ keys: [RowKey]) {
        state.withLock {
            guard !$0.areIncomplete else { return }
            for key in keys where $0.keys.insert(key).inserted {
                $0.bytes += key.values.count + Self.overhead
            }
            if $0.bytes > Self.mostBytes { $0 = State(areIncomplete: true) }
        }
    }

    /// Records that changes are missing here. The copy can then never become complete.
    func noteGap() { state.withLock { $0 = State(areIncomplete: true) } }

    var count: Int { state.withLock { $0.keys.count } }
    var bytes: Int { state.withLock { $0.bytes } }

    /// Removes and returns all keys, in the order of tables and keys.
    /// - Throws: `.busy` if the writer changed more rows than fit into memory.
    func take() throws(JournalError) -> [RowKey] {
        let taken = state.withLock { state -> State in
            defer { state = State(areIncomplete: state.areIncomplete) }
            return state
        }
        guard !taken.areIncomplete else {
            throw .failed(StorageFailure(.busy, operation: "rewrite the file", detail: "too many changes"))
        }
        return taken.keys.sorted()
    }
}

/// Records the keys of the rows that a connection changes (`Connection.record`). It is used on the
/// connection's thread only.
///
/// SQLite's session extension records changes with the same hook. It also stores the old values and reads
/// every changed row again to make a change set, and change sets apply only to a copy of the state in
/// which the session began. A key is enough here, because the rewrite reads the row's present state from
/// the database.
final class ChangeRecorder {
    /// The names of the recorded tables, in the order of the rewrite's tables, with the positions of the
    /// key's columns.
    private let tables: [(name: [CChar], keyColumns: [Int32])]
    private let published: ChangedKeys
    private var pending: [RowKey] = []
    private var pendingBytes = 0

    init(_ tables: [(name: String, keyColumns: [Int32])], into published: ChangedKeys) {
        self.tables = tables.map { (name: Array($0.name.utf8CString), keyColumns: $0.keyColumns) }
        self.published = published
    }

    /// Records the row that the hook reports. An update that changes the key changes two rows.
    func note(_ database: OpaquePointer?, _ operation: Int32, table name: UnsafePointer<CChar>) {
        guard let table = tables.firstIndex(where: { strcmp($0.name, name) == 0 }) else {
            return published.noteGap()
        }
        if operation != SQLITE_INSERT { note(database, table, sqlite3_preupdate_old) }
        if operation != SQLITE_DELETE { note(database, table, sqlite3_preupdate_new) }
    }

    private func note(
        _ database: OpaquePointer?, _ table: Int,
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) {
        var values: [UInt8] = []
        for column in tables[table].keyColumns {
            var value: OpaquePointer?
            guard read(database, column, &value) == SQLITE_OK else { return published.noteGap() }
            KeyValue.append(value, to: &values)
        }
        let key = RowKey(table: table, values: values)
        guard pending.last != key else { return }
        pending.append(key)
        pendingBytes += values.count
        if pendingBytes > ChangedKeys.mostBytes {
            published.noteGap()
            pending = []
            pendingBytes = 0
        }
    }

    /// Passes the recorded keys to the rewrite. Call it only after the end of a transaction. Otherwise the
    /// rewrite could copy a changed row before the commit, and would miss the change.
    func publish() {
        guard !pending.isEmpty else { return }
        published.add(pending)
        pending.removeAll(keepingCapacity: pending.count < 10_000)
        pendingBytes = 0
    }
}
