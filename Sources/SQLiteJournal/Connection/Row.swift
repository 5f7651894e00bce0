import CSQLite
import Journal
import Meetings

/// The row a statement stands on. Columns count from 0; what is read is copied.
struct Row {
    let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    func int(_ column: Int32) -> Int { Int(truncatingIfNeeded: sqlite3_column_int64(statement, column)) }
    func bool(_ column: Int32) -> Bool { sqlite3_column_int64(statement, column) != 0 }
    func instant(_ column: Int32) -> Instant { Instant(milliseconds: int64(column)) }

    func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
        return [UInt8](
            UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func id<Of>(_ column: Int32) throws(JournalError) -> ID<Of> {
        guard let id: ID<Of> = idIfAny(column) else { throw damaged("an id is not 16 bytes", column) }
        return id
    }

    /// Nil for NULL.
    func idIfAny<Of>(_ column: Int32) -> ID<Of>? {
        var high: UInt64 = 0
        var low: UInt64 = 0
        return qring_sqlite_column_id(statement, column, &high, &low) == 1 ? ID(high: high, low: low) : nil
    }

    func intIfAny(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
    func boolIfAny(_ column: Int32) -> Bool? { isNull(column) ? nil : bool(column) }
    func textIfAny(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    func instantIfAny(_ column: Int32) -> Instant? { isNull(column) ? nil : instant(column) }

    /// A case by its number in the file.
    func code<Value: Coded>(_ column: Int32) throws(JournalError) -> Value {
        guard let value = Value.cases.indices.contains(int(column)) ? Value.cases[int(column)] : nil else {
            throw damaged("an unknown case of \(Value.self)", column)
        }
        return value
    }

    func codeIfAny<Value: Coded>(_ column: Int32) throws(JournalError) -> Value? {
        isNull(column) ? nil : try code(column)
    }

    /// Says which column, never what it held.
    func damaged(_ what: String, _ column: Int32) -> JournalError {
        let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "\(column)"
        return .failed(
            StorageFailure(.damaged, operation: "read \(name)", code: SQLITE_CORRUPT, detail: what))
    }
}
