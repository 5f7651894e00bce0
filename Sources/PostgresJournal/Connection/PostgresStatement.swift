import CPostgres
import Journal
import Meetings
import SQLJournal

/// A statement of one connection, which prepares it when it runs for the first time. While the statement is
/// read, it holds a result, whose values are in the binary format.
final class PostgresStatement: Statement {
    /// The query lives as long as the statement, because its identity is the statement's key.
    private let query: Query
    /// The connection, which holds its statements.
    private unowned let connection: Connection
    /// The statement as PostgreSQL reads it.
    let text: String
    /// The name on the server; nil before the server has prepared the statement.
    var name: String?
    private var result: OpaquePointer?
    private var number: Int32 = -1

    var operation: String { query.operation }

    init(of query: Query, on connection: Connection) {
        (self.query, self.connection) = (query, connection)
        text = query.textOfPostgres
    }

    deinit { PQclear(result) }

    // MARK: Parameters

    func bind(_ number: Int64, at index: Int32) -> Int32 {
        connection.parameters.append(number, as: ServerType.int8)
        return 0
    }

    func bind(_ text: String, at index: Int32) -> Int32 {
        connection.parameters.append(text.utf8, as: ServerType.text)
        return 0
    }

    func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
        connection.parameters.append(bytes, as: ServerType.bytea)
        return 0
    }

    func bind(high: UInt64, low: UInt64, at index: Int32) -> Int32 {
        connection.parameters.append((high, low))
        return 0
    }

    func bind(_ actor: Event.Actor, at index: Int32) -> Int32 {
        let id: AccountID =
            switch actor {
            case .attendee: .ofAttendee
            case .server: .ofServer
            case .account(let id): id
            }
        return bind(high: id.high, low: id.low, at: index)
    }

    func bindNull(_ kind: ColumnKind, at index: Int32) -> Int32 {
        let type =
            switch kind {
            case .number: ServerType.int8
            case .text: ServerType.text
            case .bytes: ServerType.bytea
            case .id: ServerType.uuid
            }
        connection.parameters.appendNull(type)
        return 0
    }

    // MARK: Running

    func step(_ bound: Int32) throws(JournalError) -> Bool {
        if result == nil { result = try connection.rows(self) }
        guard let result else { return false }
        number += 1
        return number < PQntuples(result)
    }

    func run(_ bound: Int32) throws(JournalError) -> Int { try connection.run(self) }
    func runLater(_ bound: Int32) throws(JournalError) { try connection.runLater(self) }

    func reset() {
        PQclear(result)
        (result, number) = (nil, -1)
    }

    /// Passes the rows of a result to `read`. The caller clears the result.
    func each(of result: OpaquePointer, _ read: (Row) throws(JournalError) -> Void) throws(JournalError) {
        self.result = result
        defer { (self.result, number) = (nil, -1) }
        for row in 0..<PQntuples(result) {
            number = row
            try read(Row(self))
        }
    }

    // MARK: The current row

    func isNull(_ column: Int32) -> Bool { PQgetisnull(result, number, column) == 1 }

    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, number, column), count: Int(PQgetlength(result, number, column)))
    }

    func int64(_ column: Int32) -> Int64 {
        if isNull(column) { return 0 }
        let bytes = bytes(column)
        switch PQftype(result, column) {
        case ServerType.int8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case ServerType.int4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case ServerType.int2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case ServerType.bool: return Int64(bytes[0])
        case let type: preconditionFailure("a number of the type \(type)")
        }
    }

    func id(_ column: Int32) -> (high: UInt64, low: UInt64)? {
        let bytes = bytes(column)
        guard bytes.count == 16 else { return nil }
        return (
            UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    func actor(_ column: Int32) -> Event.Actor? {
        guard let id = id(column).map({ AccountID(high: $0.high, low: $0.low) }) else { return nil }
        return switch id {
        case .ofAttendee: .attendee
        case .ofServer: .server
        default: .account(id)
        }
    }

    func damaged(_ what: String, _ column: Int32) -> JournalError {
        let name = PQfname(result, column).map { String(cString: $0) } ?? "\(column)"
        return .failed(StorageFailure(.damaged, operation: "read \(name)", detail: what))
    }
}
