import Foundation
import Journal
import SQLJournal
import Testing

@testable import SQLiteJournal

/// Runs `body` with a temporary folder, and then removes the folder.
@discardableResult
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("qring-\(UUID().uuidString)")
        .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

func withEngine<Result>(_ body: (SQLiteEngine) async throws -> Result) async throws -> Result {
    try await withFolder { folder in
        let engine = try SQLiteEngine(folder: folder)
        defer { engine.close() }
        return try await body(engine)
    }
}

extension SQLiteEngine {
    convenience init(folder: String, migrations: Migrations) throws(JournalError) {
        var options = Options()
        options.migrations = migrations
        try self.init(folder: folder, options)
    }
}
