internal import Foundation

struct FileFailure: Error { let reason: String }

enum FileBytes {
    static func read(_ path: String) throws(FileFailure) -> [UInt8] {
        do { return Array(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            throw FileFailure(reason: error.localizedDescription)
        }
    }

    static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
        do { try Data(bytes).write(to: URL(fileURLWithPath: path)) } catch { throw FileFailure(reason: error.localizedDescription) }
    }
}
