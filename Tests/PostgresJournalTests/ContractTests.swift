import Foundation
import Journal
import JournalContract
import PostgresCluster
import Testing

@testable import PostgresJournal

@Suite struct ContractTests {
    @Test(arguments: RowsRule.all) func `rows fulfil the contract on PostgreSQL`(_ rule: RowsRule)
        async throws
    {
        try await withEngine { try await rule.check($0) }
    }

    @Test(arguments: CommandRule.all) func `commands fulfil the contract on PostgreSQL`(_ rule: CommandRule)
        async throws
    {
        try await withEngine { try await rule.check($0) }
    }

    @Test(arguments: NodeRule.all) func `two nodes fulfil the contract on PostgreSQL`(_ rule: NodeRule)
        async throws
    {
        let schema = try Cluster.shared.get().makeSchema()
        let engines = try (0..<2).map { _ in try PostgresEngine(settings: schema.settings, .small) }
        defer { for engine in engines { engine.close() } }
        try await rule.check(engines[0], engines[1])
    }

    /// A crash of the server loses what is not committed, and nothing else. So the state after a crash is a
    /// copy of the committed rows, which one snapshot reads.
    @Test(arguments: CrashRule.all) func `long commands survive crashes on PostgreSQL`(_ rule: CrashRule)
        async throws
    {
        let cluster = try Cluster.shared.get()
        let schema = try cluster.makeSchema()
        let engine = try PostgresEngine(settings: schema.settings, .small)
        defer { engine.close() }
        try await rule.check(engine) {
            let copy = try cluster.makeSchema()
            try PostgresEngine(settings: copy.settings, .small).close()
            try cluster.copyRows(from: schema.name, to: copy.name)
            return try PostgresEngine(settings: copy.settings, .small)
        }
    }
}

extension Cluster {
    /// Replaces the rows of one schema by those of another.
    fileprivate func copyRows(from old: String, to new: String) throws {
        try execute(
            """
            BEGIN ISOLATION LEVEL REPEATABLE READ;
            -- Foreign keys hold already.
            SET LOCAL session_replication_role = replica;
            DO $$
            DECLARE name text;
            BEGIN
                -- Each copy has nodes of its own.
                FOR name IN SELECT tablename FROM pg_tables
                    WHERE schemaname = '\(old)' AND tablename <> 'nodes' LOOP
                    EXECUTE format('DELETE FROM \(new).%I', name);
                    EXECUTE format('INSERT INTO \(new).%I SELECT * FROM \(old).%I', name, name);
                END LOOP;
            END $$;
            COMMIT;
            """)
    }
}
