import CSQLite
import Journal
import Meetings

/// The current row of a statement. Columns count from 0. Every function copies the value that it reads.
struct Row {
    let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

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

    /// Reads an id. Returns nil if the column holds NULL or any value that is not 16 bytes.
    func idIfAny<Of>(_ column: Int32) -> ID<Of>? {
        var high: UInt64 = 0
        var low: UInt64 = 0
        return qring_sqlite_column_id(statement, column, &high, &low) == 1 ? ID(high: high, low: low) : nil
    }

    func actor(_ column: Int32) throws(JournalError) -> Event.Actor {
        if let id: AccountID = idIfAny(column) { return .account(id) }
        switch int(column) {
        case 0: return .attendee
        case 1: return .server
        default: throw damaged("an unknown actor", column)
        }
    }

    /// Passes the bytes of a text to `body`, without a copy.
    func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let text = sqlite3_column_text(statement, column)
        return body(
            UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// Returns an error that names the column, but never the column's value.
    func damaged(_ what: String, _ column: Int32) -> JournalError {
        let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "\(column)"
        return .failed(
            StorageFailure(.damaged, operation: "read \(name)", code: SQLITE_CORRUPT, detail: what))
    }
}

/// A value that can be bound to a parameter of a statement. Binding copies the value, so that SQLite does not
/// use the caller's memory after the call.
protocol Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

/// Binds values to the parameters of a statement, one after the other.
struct Parameters {
    private let statement: OpaquePointer
    private var index: Int32 = 0
    /// Any value except `SQLITE_OK` means that SQLite rejected a value.
    private(set) var code = SQLITE_OK

    init(of statement: OpaquePointer) { self.statement = statement }

    @inline(__always)
    mutating func bind(_ value: some Bindable) {
        index += 1
        code |= value.bind(to: statement, at: index)
    }
}

extension Int64: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self)
    }
}

extension Int: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, Int64(self))
    }
}

extension Bool: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self ? 1 : 0)
    }
}

extension String: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                qring_sqlite_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
    }
}

extension [UInt8]: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes {
            qring_sqlite_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count))
        }
    }
}

extension ID: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        qring_sqlite_bind_id(statement, index, high, low)
    }
}

/// Binds a moment as milliseconds since 1970.
extension Instant: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, milliseconds)
    }
}

extension IdentityKey: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { text.bind(to: statement, at: index) }
}

extension Optional: Bindable where Wrapped: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        self?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index)
    }
}

extension Event.Actor: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .attendee: 0.bind(to: statement, at: index)
        case .server: 1.bind(to: statement, at: index)
        case .account(let id): id.bind(to: statement, at: index)
        }
    }
}
