import Journal
import JournalContract
import MemoryEngine
import Testing

@Suite struct MemoryEngineTests {
    @Test(arguments: RowsRule.all) func `the engine in memory fulfils each rule about rows`(_ rule: RowsRule)
        async throws
    {
        try await rule.check(MemoryEngine())
    }

    @Test(arguments: CommandRule.all) func `the engine in memory fulfils each rule about commands`(
        _ rule: CommandRule
    ) async throws {
        try await rule.check(MemoryEngine())
    }

    @Test(arguments: CrashRule.all) func `the engine in memory survives crashes`(_ rule: CrashRule)
        async throws
    {
        let engine = MemoryEngine()
        try await rule.check(engine) {
            let copy = try engine.afterCrash()
            return { copy }
        }
    }
}
