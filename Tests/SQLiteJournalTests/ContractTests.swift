import Foundation
import Journal
import JournalContract
import Testing

@testable import SQLiteJournal

@Suite struct ContractTests {
    @Test(arguments: RowsRule.all) func `rows fulfil the contract`(_ rule: RowsRule) async throws {
        try await withEngine { try await rule.check($0) }
    }

    @Test(arguments: CommandRule.all) func `commands fulfil the contract`(_ rule: CommandRule) async throws {
        try await withEngine { try await rule.check($0) }
    }

    @Test(arguments: CrashRule.all) func `long commands survive crashes`(_ rule: CrashRule) async throws {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: "\(folder)/first")
            defer { engine.close() }
            try await rule.check(engine) {
                let copy = "\(folder)/\(UUID().uuidString)"
                try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
                for name in ["journal.db", "journal.db-wal"] {
                    try FileManager.default.copyItem(
                        atPath: "\(folder)/first/\(name)", toPath: "\(copy)/\(name)")
                }
                return { try SQLiteEngine(folder: copy) }
            }
        }
    }
}
