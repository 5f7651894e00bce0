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
}
