import CSQLite
import Journal
import Meetings
import SQLJournal

/// A prepared statement of SQLite. Its connection finalizes it.
final class SQLiteStatement: Statement {
    let handle: OpaquePointer
    /// The query lives as long as the statement, because its identity is the statement's key.
    let query: Query
    /// The connection, which holds its statements.
    private unowned(unsafe) let connection: Connection

    init(_ handle: OpaquePointer, of query: Query, on connection: Connection) {
        (self.handle, self.query, self.connection) = (handle, query, connection)
    }

    func bind(_ number: Int64, at index: Int32) -> Int32 { sqlite3_bind_int64(handle, index, number) }

    func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                qring_sqlite_bind_text(handle, index, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
    }

    func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
        bytes.withUnsafeBytes {
            qring_sqlite_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count))
        }
    }

    func bind(high: UInt64, low: UInt64, at index: Int32) -> Int32 {
        qring_sqlite_bind_id(handle, index, high, low)
    }

    func bind(_ actor: Event.Actor, at index: Int32) -> Int32 {
        switch actor {
        case .attendee: bind(0, at: index)
        case .server: bind(1, at: index)
        case .account(let id): bind(high: id.high, low: id.low, at: index)
        }
    }

    func bindNull(_ kind: ColumnKind, at index: Int32) -> Int32 { sqlite3_bind_null(handle, index) }

    func step(_ bound: Int32) throws(JournalError) -> Bool {
        let code = bound == SQLITE_OK ? sqlite3_step(handle) : bound
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.failure(query.operation, code)
        }
    }

    func run(_ bound: Int32) throws(JournalError) -> Int {
        let code = bound == SQLITE_OK ? sqlite3_step(handle) : bound
        guard code == SQLITE_DONE else { throw connection.failure(query.operation, code) }
        return Int(sqlite3_changes(connection.handle))
    }

    func runLater(_ bound: Int32) throws(JournalError) { _ = try run(bound) }

    func reset() { sqlite3_reset(handle) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let bytes = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }

    func id(_ column: Int32) -> (high: UInt64, low: UInt64)? {
        var (high, low): (UInt64, UInt64) = (0, 0)
        return qring_sqlite_column_id(handle, column, &high, &low) == 1 ? (high, low) : nil
    }

    func actor(_ column: Int32) -> Event.Actor? {
        if let id = id(column) { return .account(AccountID(high: id.high, low: id.low)) }
        return switch int64(column) {
        case 0: .attendee
        case 1: .server
        default: nil
        }
    }

    func damaged(_ what: String, _ column: Int32) -> JournalError {
        let name = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "\(column)"
        return .failed(
            StorageFailure(.damaged, operation: "read \(name)", code: SQLITE_CORRUPT, detail: what))
    }
}
