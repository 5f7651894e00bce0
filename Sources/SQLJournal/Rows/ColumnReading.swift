import FoundationEssentials
package import Journal
package import Meetings

/// The current row of a statement. Columns count from 0. Every function but `withBytes` copies the value that
/// it reads.
package struct Row {
    private let statement: any Statement

    package init(_ statement: any Statement) { self.statement = statement }

    package func isNull(_ column: Int32) -> Bool { statement.isNull(column) }
    package func int64(_ column: Int32) -> Int64 { statement.int64(column) }
    package func text(_ column: Int32) -> String { String(decoding: statement.bytes(column), as: UTF8.self) }
    package func bytes(_ column: Int32) -> [UInt8] { [UInt8](statement.bytes(column)) }

    /// Passes the bytes of a text or a blob to `body`, without a copy. A null has no bytes.
    package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(statement.bytes(column))
    }

    /// Reads an id. Returns nil if the column holds NULL or any value that is not 16 bytes.
    package func idIfAny<Of>(_ column: Int32) -> ID<Of>? {
        statement.id(column).map { ID(high: $0.high, low: $0.low) }
    }

    package func actor(_ column: Int32) throws(JournalError) -> Event.Actor {
        guard let actor = statement.actor(column) else { throw damaged("an unknown actor", column) }
        return actor
    }

    /// Returns an error that names the column, but never the column's value.
    package func damaged(_ what: String, _ column: Int32) -> JournalError { statement.damaged(what, column) }

    package func int(_ column: Int32) -> Int { Int(truncatingIfNeeded: int64(column)) }
    package func bool(_ column: Int32) -> Bool { int64(column) != 0 }
    package func instant(_ column: Int32) -> Instant { Instant(milliseconds: int64(column)) }

    /// Reads an id.
    /// - Throws: `.damaged` unless the column holds 16 bytes.
    package func id<Of>(_ column: Int32) throws(JournalError) -> ID<Of> {
        guard let id: ID<Of> = idIfAny(column) else { throw damaged("an id is not 16 bytes", column) }
        return id
    }

    package func intIfAny(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
    package func boolIfAny(_ column: Int32) -> Bool? { isNull(column) ? nil : bool(column) }
    package func textIfAny(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    package func instantIfAny(_ column: Int32) -> Instant? { isNull(column) ? nil : instant(column) }

    /// Reads a case of an enumeration from the number that is stored for the case.
    /// - Throws: `.damaged` if the number belongs to no case.
    package func code<Value: Coded>(_ column: Int32) throws(JournalError) -> Value {
        guard let value = Value.cases.indices.contains(int(column)) ? Value.cases[int(column)] : nil else {
            throw damaged("an unknown case of \(Value.self)", column)
        }
        return value
    }

    package func codeIfAny<Value: Coded>(_ column: Int32) throws(JournalError) -> Value? {
        isNull(column) ? nil : try code(column)
    }

    package func jsonIfAny<Value: Decodable>(_ column: Int32) throws(JournalError) -> Value? {
        isNull(column) ? nil : try json(column)
    }
    package func json<Value: Decodable>(_ column: Int32, as type: Value.Type = Value.self)
        throws(JournalError)
        -> Value
    {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes(column)))
        } catch {
            throw damaged("not the JSON of \(Value.self)", column)
        }
    }
}

extension SQLRows {
    /// Returns the zone with the name in the column, which is made once.
    func zone(_ row: Row, _ column: Int32) throws(JournalError) -> Zone {
        let name = row.text(column)
        if let zone = zones[name] { return zone }
        guard let zone = Zone(name) else { throw row.damaged("this machine does not know the zone", column) }
        zones[name] = zone
        return zone
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
