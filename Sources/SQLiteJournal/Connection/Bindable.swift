import CSQLite
import Meetings

/// What a statement's parameter can be. Each binding copies: nothing of the caller is held beyond the call.
protocol Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
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

/// Milliseconds since 1970.
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
