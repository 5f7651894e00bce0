import Journal
import Meetings
import Synchronization
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite(.timeLimit(.minutes(1))) struct LookUpTests {
    private func withEngine<Result>(lookUps: Int, _ body: (SQLiteEngine) async throws -> Result) async throws
        -> Result
    {
        try await withFolder { folder in
            var options = SQLiteEngine.Options()
            options.lookUps = lookUps
            let engine = try SQLiteEngine(folder: folder, options)
            defer { engine.close() }
            return try await body(engine)
        }
    }

    @Test(arguments: [0, 1, 4])
    func `many look-ups at once all get their answers`(connections: Int) async throws {
        try await withEngine(lookUps: connections) { engine in
            let found = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await engine.lookUp { rows throws(JournalError) in
                            try rows.session(SessionID(high: 0, low: 1)) == nil
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(found == 100)
        }
    }

    @Test func `a look-up inside another one gets another connection, or a reading thread`() async throws {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let connections = engine.lookUps
            // All connections are in use.
            connections.use { _ in
                connections.use { _ in
                    connections.use { _ in connections.use { _ in #expect(connections.use { _ in } == nil) } }
                }
            }
            #expect(connections.use { _ in } != nil)
        }
    }

    @Test func `a connection that is in use when the engine closes is closed by its user`() async throws {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            let rows = try #require(
                engine.lookUps.use { rows in
                    engine.lookUps.close()
                    #expect(rows.connection.handle != nil)
                    return rows
                })
            #expect(rows.connection.handle == nil)
            engine.close()
            await #expect(throws: JournalError.self) {
                try await engine.lookUp { rows throws(JournalError) in try rows.account(AccountID.make()) }
            }
        }
    }
}

extension AccountID {
    fileprivate static func make() -> AccountID { AccountID(high: 0, low: 1) }
}
