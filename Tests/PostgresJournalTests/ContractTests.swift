import Foundation
import Journal
import JournalContract
import PostgresCluster
import Synchronization
import Testing

@testable import PostgresJournal

@Suite(.waitingThreads) struct ContractTests {
    @Test(arguments: RowsRule.all) func `rows fulfil the contract on PostgreSQL`(_ rule: RowsRule)
        async throws
    {
        try await withEmptyEngine { engine, _ in try await rule.check(engine) }
    }

    @Test(arguments: CommandRule.all) func `commands fulfil the contract on PostgreSQL`(_ rule: CommandRule)
        async throws
    {
        try await withEmptyEngine { engine, _ in try await rule.check(engine) }
    }

    @Test(arguments: NodeRule.all) func `two nodes fulfil the contract on PostgreSQL`(_ rule: NodeRule)
        async throws
    {
        try await withEmptyEngine { first, schema in
            let second = try PostgresEngine(settings: schema.settings, .small)
            defer { second.close() }
            try await rule.check(first, second)
        }
    }

    /// A crash of the server loses what is not committed, and nothing else. So the state after a crash is a
    /// copy of the committed rows, which one snapshot reads.
    @Test(arguments: CrashRule.all) func `long commands survive crashes on PostgreSQL`(_ rule: CrashRule)
        async throws
    {
        try await withEmptyEngine { engine, schema in
            let cluster = try Cluster.shared.get()
            let copies = Mutex<[Cluster.Schema]>([])
            try await rule.check(engine) {
                let copy = try cluster.borrowSchema()
                copies.withLock { $0.append(copy) }
                // Creates the tables if the schema is new.
                try PostgresEngine(settings: copy.settings, .small).close()
                try cluster.copyRows(from: schema.name, to: copy.name)
                return { try PostgresEngine(settings: copy.settings, .small) }
            }
            for copy in copies.withLock({ $0 }) { try cluster.returnSchema(copy) }
        }
    }
}

/// Runs `body` with an engine on empty tables.
private func withEmptyEngine(_ body: (PostgresEngine, Cluster.Schema) async throws -> Void) async throws {
    let cluster = try Cluster.shared.get()
    let schema = try cluster.borrowSchema()
    do {
        let engine = try PostgresEngine(settings: schema.settings, .small)
        defer { engine.close() }
        try await body(engine, schema)
    }
    try cluster.returnSchema(schema)
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
