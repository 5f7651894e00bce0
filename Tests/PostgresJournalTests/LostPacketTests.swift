import Dispatch
import Journal
import PostgresCluster
import Testing

@testable import PostgresJournal
@testable import SQLJournal

/// Tests of a network that loses everything without an error.
@Suite(.waitingThreads) struct LostPacketTests {
    /// Runs `body` with an engine whose connections pass through a link.
    private func throughLink(
        _ body: (PostgresEngine, Link, Cluster.Schema) async throws -> Void
    ) async throws {
        let schema = try Cluster.shared.get().makeSchema()
        let folder = try #require(schema.settings.firstMatch(of: #/host=(\S+)/#)).1
        let link = try Link(to: "\(folder)/.s.PGSQL.5432")
        defer { link.end() }
        var options = PostgresEngine.Options.small
        (options.readMilliseconds, options.writeMilliseconds) = (1_000, 2_000)
        let engine = try PostgresEngine(
            settings: schema.settings.replacing("host=\(folder)", with: "host=127.0.0.1 port=\(link.port)"),
            options)
        defer { engine.close() }
        try await body(engine, link, schema)
    }

    @Test func `a batch fails if its statement gets no answer, and the next batch succeeds`() async throws {
        try await throughLink { engine, link, _ in
            let rows = try engine.openWriter()
            try rows.begin()
            try rows.noteOperator()
            link.lose()
            let error = #expect(throws: JournalError.self) { try rows.commit() }
            guard case .failed(let failure) = error else { return }
            #expect(failure.reason == .unreachable)
            try rows.begin()
            #expect(try !rows.hasHadOperator())
            try rows.noteOperator()
            try rows.commit()
        }
    }

    @Test func `a commit that gets no answer is found in the database`() async throws {
        try await throughLink { engine, link, _ in
            let rows = try #require(try engine.openWriter() as? PostgresRows)
            try rows.begin()
            try rows.noteOperator()
            try rows.connection.execute(
                "INSERT INTO commits VALUES (1, \(try #require(rows.nodeNumber)), 0, '', 1)", "test")
            link.lose([.toClient])
            try rows.finishCommit(1)
            try rows.begin()
            #expect(try rows.hasHadOperator())
            try rows.commit()
        }
    }

    @Test func `a query that gets no answer runs again on a new connection`() async throws {
        try await throughLink { engine, link, _ in
            let query = { @Sendable (rows: any ReadableRows) throws(JournalError) in
                try rows.hasHadOperator()
            }
            let before = try await engine.read(query)
            link.lose()
            let after = try await engine.read(query)
            #expect(!before && !after)
        }
    }

    @Test func `a node learns of commits although its notifications get lost`() async throws {
        try await throughLink { engine, link, schema in
            let other = try PostgresEngine(settings: schema.settings, .small)
            defer { other.close() }
            let woken = DispatchSemaphore(value: 0)
            engine.subscribe({ woken.signal() }, receiving: { _ in })
            link.lose()
            let rows = try other.openWriter()
            try rows.begin()
            try rows.noteOperator()
            try rows.commit()
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    woken.wait()
                    continuation.resume()
                }
            }
        }
    }
}
