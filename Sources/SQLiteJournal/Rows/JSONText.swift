import Foundation
import Journal

/// What has no table of its own, as JSON.
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
