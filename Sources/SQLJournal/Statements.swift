package import Journal
package import Meetings

/// One SQL statement, which each connection prepares once. The identity of this object is the key of the
/// prepared statement, so that no text needs to be hashed.
///
/// A statement uses the words that both engines know, and a few of SQLite's own. The engine of PostgreSQL
/// translates those.
package final class Query: Sendable {
    /// The name of the operation in error messages, such as `insert attendee`.
    package let operation: String
    /// The statement as SQLite reads it.
    package let text: String

    package init(_ operation: String, _ text: String) {
        self.operation = operation
        self.text = text
    }
}

/// One connection to a database, with its prepared statements. One thread at a time uses it.
package protocol SQLConnection: AnyObject {
    /// Returns the connection's statement for this query, without parameters. A statement that is running
    /// must be reset before the next call for the same query.
    func statement(_ query: Query) throws(JournalError) -> any Statement
    func close()
}

/// A prepared statement of an engine: its parameters, and the row that it has read.
package protocol Statement: AnyObject {
    // Parameters count from 1, and are bound in this order. Binding copies the value. It returns 0, or the
    // engine's code if the engine rejects the value.

    func bind(_ number: Int64, at index: Int32) -> Int32
    func bind(_ text: String, at index: Int32) -> Int32
    func bind(_ bytes: [UInt8], at index: Int32) -> Int32
    func bind(high: UInt64, low: UInt64, at index: Int32) -> Int32
    func bind(_ actor: Event.Actor, at index: Int32) -> Int32
    func bindNull(_ kind: ColumnKind, at index: Int32) -> Int32

    /// Runs the query until its next row. Returns false if there is none.
    /// - Parameter bound: the result of binding the parameters.
    func step(_ bound: Int32) throws(JournalError) -> Bool
    /// Runs the statement, which returns no rows. Returns the number of changed rows.
    func run(_ bound: Int32) throws(JournalError) -> Int
    /// Runs the statement, which changes one row. An engine that waits for a server only sends the statement.
    /// If it fails, the next statement that waits reports the failure, or the commit does.
    func runLater(_ bound: Int32) throws(JournalError)
    /// Ends the statement, so that it can run again.
    func reset()

    // The current row. Columns count from 0.

    func isNull(_ column: Int32) -> Bool
    /// Reads a whole number. Returns 0 for a null.
    func int64(_ column: Int32) -> Int64
    /// The bytes of a text or a blob, until the next step. A null has no bytes.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer
    /// Reads an id. Returns nil if the column holds a null, or any value that is not 16 bytes.
    func id(_ column: Int32) -> (high: UInt64, low: UInt64)?
    /// Returns nil for an unknown actor.
    func actor(_ column: Int32) -> Event.Actor?
    /// Returns an error that names the column, but never the column's value.
    func damaged(_ what: String, _ column: Int32) -> JournalError
}

/// The kinds of values of columns and parameters. A server must know the kind of a null.
package enum ColumnKind: Sendable {
    /// Whole numbers, truth values, moments, and the codes of cases.
    case number
    case text
    case bytes
    case id
}

/// A value that can be bound to a parameter of a statement.
package protocol Bindable {
    static var kind: ColumnKind { get }
    func bind(to statement: any Statement, at index: Int32) -> Int32
}

/// Binds values to the parameters of a statement, one after the other.
package struct Parameters {
    private let statement: any Statement
    private var index: Int32 = 0
    /// Any value except 0 means that the engine rejected a value.
    private(set) var code: Int32 = 0

    init(of statement: any Statement) { self.statement = statement }

    @inline(__always)
    mutating func bind(_ value: some Bindable) {
        index += 1
        code |= value.bind(to: statement, at: index)
    }
}

// The row functions are generic over their engine's connection. So these functions are inlined there, and
// call others that are not generic over it, which Swift specialises.
extension SQLConnection {
    /// Runs a statement that returns no rows. Returns the number of changed rows.
    @discardableResult @inline(__always)
    package func run<each Value: Bindable>(
        _ query: Query, _ value: repeat each Value
    ) throws(JournalError) -> Int { try Execution.run(try statement(query), repeat each value) }

    /// Runs a statement that changes one row. On PostgreSQL, it does not wait for the result.
    @inline(__always)
    package func runLater<each Value: Bindable>(
        _ query: Query, _ value: repeat each Value
    ) throws(JournalError) { try Execution.runLater(try statement(query), repeat each value) }

    /// Runs a query and reads its first row. Returns nil if the query has no rows.
    @inline(__always)
    package func first<each Value: Bindable, Found>(
        _ query: Query, _ value: repeat each Value, read: (Row) throws(JournalError) -> Found
    ) throws(JournalError) -> Found? {
        try Execution.first(try statement(query), repeat each value, read: read)
    }

    /// Runs a query and reads all rows.
    @inline(__always)
    package func all<each Value: Bindable, Found>(
        _ query: Query, _ value: repeat each Value, read: (Row) throws(JournalError) -> Found
    ) throws(JournalError) -> [Found] {
        try Execution.all(try statement(query), repeat each value, read: read)
    }
}

/// Runs statements, and resets them.
private enum Execution {
    @inline(__always)
    private static func bind<each Value: Bindable>(
        _ value: repeat each Value, to statement: any Statement
    ) -> Int32 {
        var parameters = Parameters(of: statement)
        for value in repeat each value { parameters.bind(value) }
        return parameters.code
    }

    static func run<each Value: Bindable>(
        _ statement: any Statement, _ value: repeat each Value
    ) throws(JournalError) -> Int {
        defer { statement.reset() }
        return try statement.run(bind(repeat each value, to: statement))
    }

    static func runLater<each Value: Bindable>(
        _ statement: any Statement, _ value: repeat each Value
    ) throws(JournalError) {
        defer { statement.reset() }
        try statement.runLater(bind(repeat each value, to: statement))
    }

    static func first<each Value: Bindable, Found>(
        _ statement: any Statement, _ value: repeat each Value, read: (Row) throws(JournalError) -> Found
    ) throws(JournalError) -> Found? {
        defer { statement.reset() }
        let bound = bind(repeat each value, to: statement)
        return try statement.step(bound) ? try read(Row(statement)) : nil
    }

    static func all<each Value: Bindable, Found>(
        _ statement: any Statement, _ value: repeat each Value, read: (Row) throws(JournalError) -> Found
    ) throws(JournalError) -> [Found] {
        defer { statement.reset() }
        let bound = bind(repeat each value, to: statement)
        var found: [Found] = []
        while try statement.step(bound) { found.append(try read(Row(statement))) }
        return found
    }
}

extension Int64: Bindable {
    package static var kind: ColumnKind { .number }
    package func bind(to statement: any Statement, at index: Int32) -> Int32 {
        statement.bind(self, at: index)
    }
}

extension Int: Bindable {
    package static var kind: ColumnKind { .number }
    package func bind(to statement: any Statement, at index: Int32) -> Int32 {
        statement.bind(Int64(self), at: index)
    }
}

/// Columns store truth values as 0 and 1.
extension Bool: Bindable {
    package static var kind: ColumnKind { .number }
    package func bind(to statement: any Statement, at index: Int32) -> Int32 {
        statement.bind(self ? 1 : 0, at: index)
    }
}

extension String: Bindable {
    package static var kind: ColumnKind { .text }
    package func bind(to statement: any Statement, at index: Int32) -> Int32 {
        statement.bind(self, at: index)
    }
}

extension [UInt8]: Bindable {
    package static var kind: ColumnKind { .bytes }
    package func bind(to statement: any Statement, at index: Int32) -> Int32 {
        statement.bind(self, at: index)
    }
}

extension ID: Bindable {
    package static var kind: ColumnKind { .id }
    package func bind(to statement: any Statement, at index: Int32) -> Int32 {
        statement.bind(high: high, low: low, at: index)
    }
}

/// Binds a moment as milliseconds since 1970.
extension Instant: Bindable {
    package static var kind: ColumnKind { .number }
    package func bind(to statement: any Statement, at index: Int32) -> Int32 {
        statement.bind(milliseconds, at: index)
    }
}

extension IdentityKey: Bindable {
    package static var kind: ColumnKind { .text }
    package func bind(to statement: any Statement, at index: Int32) -> Int32 {
        statement.bind(text, at: index)
    }
}

extension Event.Actor: Bindable {
    package static var kind: ColumnKind { .id }
    package func bind(to statement: any Statement, at index: Int32) -> Int32 {
        statement.bind(self, at: index)
    }
}

extension Optional: Bindable where Wrapped: Bindable {
    package static var kind: ColumnKind { Wrapped.kind }
    package func bind(to statement: any Statement, at index: Int32) -> Int32 {
        self?.bind(to: statement, at: index) ?? statement.bindNull(Self.kind, at: index)
    }
}
