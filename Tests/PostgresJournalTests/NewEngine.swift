import PostgresCluster

@testable import PostgresJournal

/// Runs `body` with a new engine in a schema of its own.
func withEngine<Result>(_ body: (PostgresEngine) async throws -> Result) async throws -> Result {
    let schema = try Cluster.shared.get().makeSchema()
    let engine = try PostgresEngine(settings: schema.settings, .small)
    defer {
        engine.close()
        // The tables of all tests would be 100,000 files.
        _ = try? Cluster.shared.get().execute("DROP SCHEMA \(schema.name) CASCADE")
    }
    return try await body(engine)
}

extension PostgresEngine.Options {
    /// One connection of each kind, because many tests run at the same time.
    static var small: Self {
        var options = Self()
        (options.readers, options.scanners) = (1, 1)
        return options
    }
}
