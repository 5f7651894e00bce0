import Foundation
import Journal
import Meetings

/// Reads the values that are stored alike in both engines. Each engine's `Row` reads the others.
extension Row {
    func int(_ column: Int32) -> Int { Int(truncatingIfNeeded: int64(column)) }
    func bool(_ column: Int32) -> Bool { int64(column) != 0 }
    func instant(_ column: Int32) -> Instant { Instant(milliseconds: int64(column)) }

    /// Reads an id.
    /// - Throws: `.damaged` unless the column holds 16 bytes.
    func id<Of>(_ column: Int32) throws(JournalError) -> ID<Of> {
        guard let id: ID<Of> = idIfAny(column) else { throw damaged("an id is not 16 bytes", column) }
        return id
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
