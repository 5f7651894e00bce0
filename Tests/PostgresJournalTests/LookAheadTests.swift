import Journal
import Meetings
import PostgresCluster
import Testing

@testable import JournalContract
@testable import PostgresJournal
@testable import SQLJournal

@Suite(.waitingThreads) struct LookAheadTests {
    private struct CountWaits: Command {
        func run(in transaction: Transaction) throws(JournalError) -> Int {
            (transaction.rows as? PostgresRows)?.connection.waits ?? 0
        }
    }

    private struct Failure: Command {
        func run(in transaction: Transaction) throws(JournalError) {
            throw .failed(StorageFailure(.full, operation: "test"))
        }
    }

    @Test(arguments: [false, true])
    func `a batch of 40 check-ins waits for the server as often as a batch of two`(hasGrants: Bool)
        async throws
    {
        try await withEngine { engine in
            let stage = try Stage(engine)
            stage.now = at(1)
            let (_, record) = try await stage.planned()
            let session = record.session.id
            /// Returns how often the connection waits for a batch.
            @Sendable func waits(for people: Range<Int>) async throws -> Int {
                let before = try await stage.storage.perform(CountWaits())
                var acts: [@Sendable () async throws -> Bool] = []
                for number in people {
                    acts.append {
                        let grant = hasGrants ? [UInt8](repeating: UInt8(number), count: 16) : nil
                        return try await stage.checkIn(number, in: session, grant: grant).fresh != nil
                    }
                }
                let outcomes = try await stage.together(all: acts).map { try $0.get() }
                #expect(outcomes.allSatisfy { $0 })
                return try await stage.storage.perform(CountWaits()) - before
            }
            // The first batches prepare the statements. One statement runs only from the second batch on.
            _ = try await waits(for: 0..<2)
            _ = try await waits(for: 2..<4)
            // A sign of life of the node may wait for the server too, so the least of several counts.
            let few = try await [waits(for: 4..<6), waits(for: 6..<8), waits(for: 8..<10)].min()
            let many = try await [waits(for: 10..<50), waits(for: 50..<90)].min()
            #expect(many == few)
            // After a failed batch, as after a commit of another node, the session is not in memory.
            var cold: [Int] = []
            for people in [90..<130, 130..<170, 170..<210] {
                _ = try? await stage.storage.perform(Failure())
                cold.append(try await waits(for: people))
            }
            #expect(cold.min() == few.map { $0 + 1 })
            await stage.storage.close()
        }
    }

    @Test func `a result that was read ahead answers one query, and none after a change`() async throws {
        let schema = try Cluster.shared.get().makeSchema()
        try PostgresEngine(settings: schema.settings, .small).close()
        do {
            let connection = try Connection(settings: schema.settings, for: .writing())
            defer { connection.close() }
            let one = Query("test", "SELECT value FROM meta WHERE key = ?")
            func value(_ key: String) throws -> String? { try connection.first(one, key) { $0.text(0) } }
            func look(_ keys: String...) throws {
                try connection.lookAhead { for key in keys { #expect((try? value(key)) == .some(nil)) } }
            }
            let change = Query("test", "UPDATE meta SET value = value || '.' WHERE key = ?")
            try connection.begin()
            let epoch = try value("epoch")
            try look("epoch", "none", "epoch")
            var waits = connection.waits
            #expect(try value("none") == nil)
            #expect(try value("epoch") == epoch)
            #expect(connection.waits == waits)
            #expect(try value("epoch") == epoch)
            #expect(connection.waits == waits + 1)
            try look("epoch", "none")
            try connection.run(change, "epoch")
            #expect(try value("epoch") == epoch.map { $0 + "." })
            try look("epoch", "none")
            connection.rollBack()
            waits = connection.waits
            #expect(try value("epoch") == epoch)
            #expect(connection.waits == waits + 1)
        }
    }
}
