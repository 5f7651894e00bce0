import CSQLite
import Foundation
import Journal
import Meetings

/// The current row of a statement. Columns count from 0. Every function copies the value that it reads.
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

    /// Reads an id.
    /// - Throws: `.damaged` unless the column holds 16 bytes.
    func id<Of>(_ column: Int32) throws(JournalError) -> ID<Of> {
        guard let id: ID<Of> = idIfAny(column) else { throw damaged("an id is not 16 bytes", column) }
        return id
    }

    /// Reads an id. Returns nil if the column holds NULL or any value that is not 16 bytes.
    func idIfAny<Of>(_ column: Int32) -> ID<Of>? {
        var high: UInt64 = 0
        var low: UInt64 = 0
        return qring_sqlite_column_id(statement, column, &high, &low) == 1 ? ID(high: high, low: low) : nil
    }

    func intIfAny(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
    func boolIfAny(_ column: Int32) -> Bool? { isNull(column) ? nil : bool(column) }
    func textIfAny(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    func instantIfAny(_ column: Int32) -> Instant? { isNull(column) ? nil : instant(column) }

    /// Reads a case of an enumeration from the number that is stored for the case.
    /// - Throws: `.damaged` if the number belongs to no case.
    func code<Value: Coded>(_ column: Int32) throws(JournalError) -> Value {
        guard let value = Value.cases.indices.contains(int(column)) ? Value.cases[int(column)] : nil else {
            throw damaged("an unknown case of \(Value.self)", column)
        }
        return value
    }

    func codeIfAny<Value: Coded>(_ column: Int32) throws(JournalError) -> Value? {
        isNull(column) ? nil : try code(column)
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

/// An enumeration whose cases are stored as small numbers: the index of the case in `cases`. The lists are
/// part of the file format, so append new cases and never move a case.
protocol Coded: Equatable, Sendable {
    static var cases: [Self] { get }
    var code: Int { get }
}

extension RecordedStatus: Coded {
    static let cases: [RecordedStatus] = [.pending, .present, .late, .absent, .excused]
    var code: Int {
        switch self {
        case .pending: 0
        case .present: 1
        case .late: 2
        case .absent: 3
        case .excused: 4
        }
    }
}

extension CheckInMethod: Coded {
    static let cases: [CheckInMethod] = [.qr, .joinCode, .host, .cli]
    var code: Int {
        switch self {
        case .qr: 0
        case .joinCode: 1
        case .host: 2
        case .cli: 3
        }
    }
}

extension Event.Kind: Coded {
    static let cases: [Event.Kind] = [
        .created, .checkedIn, .corrected, .renamed, .merged, .withdrawn, .responded, .edited, .undone, .added,
        .removed,
        .presenterLinkCreated, .presenterLinkRevoked, .asked, .voted, .voteRemoved, .moderated,
        .questionsMerged, .redone,
    ]
    var code: Int {
        switch self {
        case .created: 0
        case .checkedIn: 1
        case .corrected: 2
        case .renamed: 3
        case .merged: 4
        case .withdrawn: 5
        case .responded: 6
        case .edited: 7
        case .undone: 8
        case .added: 9
        case .removed: 10
        case .presenterLinkCreated: 11
        case .presenterLinkRevoked: 12
        case .asked: 13
        case .voted: 14
        case .voteRemoved: 15
        case .moderated: 16
        case .questionsMerged: 17
        case .redone: 18
        }
    }
}

/// The list begins with the owner, so that owners sort first.
extension Role: Coded {
    static let cases: [Role] = [.owner, .host, .viewer]
    var code: Int {
        switch self {
        case .owner: 0
        case .host: 1
        case .viewer: 2
        }
    }
}

extension Token.End: Coded {
    static let cases: [Token.End] = [.suspended, .withdrawn]
    var code: Int {
        switch self {
        case .suspended: 0
        case .withdrawn: 1
        }
    }
}

extension Token.Kind: Coded {
    static let cases: [Token.Kind] = [.access, .refresh, .named]
    var code: Int {
        switch self {
        case .access: 0
        case .refresh: 1
        case .named: 2
        }
    }
}

extension IdentifyBy: Coded {
    static let cases: [IdentifyBy] = [.email, .number, .name]
    var code: Int {
        switch self {
        case .email: 0
        case .number: 1
        case .name: 2
        }
    }
}

extension Reminders: Coded {
    static let cases: [Reminders] = [.off, .english, .korean]
    var code: Int {
        switch self {
        case .off: 0
        case .english: 1
        case .korean: 2
        }
    }
}

extension Regulars: Coded {
    static let cases: [Regulars] = [.everybody, .kept, .nobody]
    var code: Int {
        switch self {
        case .everybody: 0
        case .kept: 1
        case .nobody: 2
        }
    }
}

extension ImageHeader.Format: Coded {
    static let cases: [ImageHeader.Format] = [.jpeg, .png]
    var code: Int {
        switch self {
        case .jpeg: 0
        case .png: 1
        }
    }
}

extension CodeKind: Coded {
    static let cases: [CodeKind] = [.static, .rotating]
    var code: Int {
        switch self {
        case .static: 0
        case .rotating: 1
        }
    }
}

/// Reads and writes values that have no table of their own, as JSON with sorted keys.
enum JSONText {
    static func of(_ value: some Encodable) throws(JournalError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw .failed(StorageFailure(.other, operation: "encode \(type(of: value))"))
        }
    }
}

extension Row {
    func jsonIfAny<Value: Decodable>(_ column: Int32) throws(JournalError) -> Value? {
        isNull(column) ? nil : try json(column)
    }
    func json<Value: Decodable>(_ column: Int32, as type: Value.Type = Value.self) throws(JournalError)
        -> Value
    {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes(column)))
        } catch {
            throw damaged("not the JSON of \(Value.self)", column)
        }
    }
}
