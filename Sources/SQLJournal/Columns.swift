import Journal
import Meetings

/// The columns of a record, which are declared once. SELECT, INSERT and UPDATE are derived from them when the
/// program starts. `bind` has no default case, so the compiler refuses a column that is read and not written.
///
/// The columns that are read come first, because the number of a case is its place in SELECT.
protocol Columns: CaseIterable, RawRepresentable<Int32>, Sendable {
    /// The record, with the values that are only written.
    associatedtype Record

    static var table: String { get }
    var writing: ColumnWriting { get }
    /// Whether SELECT has the column. Keys of searches are written only.
    var isRead: Bool { get }
    func bind(_ record: Record, to parameters: inout Parameters) throws(JournalError)
}

/// The statements that write a column.
enum ColumnWriting {
    /// INSERT writes it, and UPDATE finds the row by it.
    case key
    /// INSERT writes it. It never changes, or statements of its own change it.
    case once
    /// INSERT and UPDATE write it.
    case always
}

extension Columns {
    var isRead: Bool { true }

    /// The name in the database: `checked_in_at` for the case `checkedInAt`.
    var name: String {
        String(describing: self).replacing(/[A-Z]/) { "_\($0.output.lowercased())" }
    }

    /// The columns that are read, as SELECT lists them.
    /// - Parameter alias: the alias of the table in the statement.
    static func selected(of alias: String? = nil) -> String {
        let prefix = alias.map { "\($0)." } ?? ""
        return allCases.filter(\.isRead).map { prefix + $0.name }.joined(separator: ", ")
    }

    /// The number of columns that are read.
    static var selectedCount: Int32 { Int32(allCases.count(where: \.isRead)) }
}

/// A statement that writes records, with its columns in the order of its parameters.
struct Writing<Column: Columns>: Sendable {
    let query: Query
    let columns: [Column]

    private init(_ operation: String, _ text: String, _ columns: [Column]) {
        query = Query(operation, text)
        self.columns = columns
    }

    fileprivate func bind(_ record: Column.Record, to statement: any Statement) throws(JournalError) -> Int32
    {
        var parameters = Parameters(of: statement)
        for column in columns { try column.bind(record, to: &parameters) }
        return parameters.code
    }

    static func insert(_ operation: String) -> Self {
        let all = Array(Column.allCases)
        let names = all.map(\.name).joined(separator: ", ")
        let values = all.map { _ in "?" }.joined(separator: ", ")
        return Self(operation, "INSERT INTO \(Column.table) (\(names)) VALUES (\(values))", all)
    }

    static func update(_ operation: String) -> Self {
        let changed = Column.allCases.filter { $0.writing == .always }
        let keys = Column.allCases.filter { $0.writing == .key }
        return Self(
            operation,
            """
            UPDATE \(Column.table) SET \(changed.map { "\($0.name) = ?" }.joined(separator: ", "))
            WHERE \(keys.map { "\($0.name) = ?" }.joined(separator: " AND "))
            """, changed + keys)
    }

    /// Inserts the record, or updates the one with its key.
    static func save(_ operation: String) -> Self {
        let insert = insert(operation)
        let changed = Column.allCases.filter { $0.writing == .always }
        let keys = Column.allCases.filter { $0.writing == .key }
        return Self(
            operation,
            """
            \(insert.query.text)
            ON CONFLICT (\(keys.map(\.name).joined(separator: ", "))) DO UPDATE SET
                \(changed.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", "))
            """, insert.columns)
    }
}

extension SQLConnection {
    @discardableResult @inline(__always)
    func run<Column>(_ writing: Writing<Column>, _ record: Column.Record) throws(JournalError) -> Int {
        let statement = try statement(writing.query)
        defer { statement.reset() }
        return try statement.run(writing.bind(record, to: statement))
    }

    /// Runs a statement that changes one row. On PostgreSQL, it does not wait for the result.
    @inline(__always)
    func runLater<Column>(_ writing: Writing<Column>, _ record: Column.Record) throws(JournalError) {
        let statement = try statement(writing.query)
        defer { statement.reset() }
        try statement.runLater(writing.bind(record, to: statement))
    }
}

/// The columns of one record in the current row.
struct Cells<Column: Columns> {
    let row: Row
    /// The place of the record's first column in the row.
    private let first: Int32

    init(_ row: Row, from first: Int32 = 0) { (self.row, self.first) = (row, first) }

    func place(of column: Column) -> Int32 { first + column.rawValue }

    func isNull(_ column: Column) -> Bool { row.isNull(place(of: column)) }
    func int64(_ column: Column) -> Int64 { row.int64(place(of: column)) }
    func int(_ column: Column) -> Int { row.int(place(of: column)) }
    func bool(_ column: Column) -> Bool { row.bool(place(of: column)) }
    func text(_ column: Column) -> String { row.text(place(of: column)) }
    func bytes(_ column: Column) -> [UInt8] { row.bytes(place(of: column)) }
    func instant(_ column: Column) -> Instant { row.instant(place(of: column)) }
    func id<Of>(_ column: Column) throws(JournalError) -> ID<Of> { try row.id(place(of: column)) }
    func code<Value: Coded>(_ column: Column) throws(JournalError) -> Value {
        try row.code(place(of: column))
    }
    func json<Value: Decodable>(_ column: Column) throws(JournalError) -> Value {
        try row.json(place(of: column))
    }
    func actor(_ column: Column) throws(JournalError) -> Event.Actor { try row.actor(place(of: column)) }

    func int64IfAny(_ column: Column) -> Int64? { isNull(column) ? nil : int64(column) }
    func intIfAny(_ column: Column) -> Int? { row.intIfAny(place(of: column)) }
    func boolIfAny(_ column: Column) -> Bool? { row.boolIfAny(place(of: column)) }
    func textIfAny(_ column: Column) -> String? { row.textIfAny(place(of: column)) }
    func bytesIfAny(_ column: Column) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
    func instantIfAny(_ column: Column) -> Instant? { row.instantIfAny(place(of: column)) }
    func idIfAny<Of>(_ column: Column) -> ID<Of>? { row.idIfAny(place(of: column)) }
    func codeIfAny<Value: Coded>(_ column: Column) throws(JournalError) -> Value? {
        try row.codeIfAny(place(of: column))
    }
    func jsonIfAny<Value: Decodable>(_ column: Column) throws(JournalError) -> Value? {
        try row.jsonIfAny(place(of: column))
    }
}
