import Journal
import JournalContract
import MemoryEngine
import Testing

@Suite struct MemoryEngineTests {
    @Test(arguments: RowsRule.all) func `rows keep the contract`(_ rule: RowsRule) async throws {
        try await rule.check(MemoryEngine())
    }

    @Test(arguments: CommandRule.all) func `commands keep the contract`(_ rule: CommandRule) async throws {
        try await rule.check(MemoryEngine())
    }
}
