import Dispatch
import Journal
import Meetings
import PostgresCluster
import Synchronization
import Testing

@testable import PostgresJournal
@testable import SQLJournal

/// Changes two meetings, one after the other.
private struct ChangeBoth: Command {
    let first, second: Meeting
    let runs = Runs()
    /// Signalled when the first meeting is changed.
    let hasFirst = DispatchSemaphore(value: 0)

    final class Runs: Sendable {
        let count = Atomic(0)
    }

    func run(in transaction: Transaction) throws(JournalError) {
        runs.count.add(1, ordering: .relaxed)
        try transaction.rows.update(first)
        hasFirst.signal()
        try transaction.rows.update(second)
    }
}

@Suite(.waitingThreads) struct ConflictTests {
    @Test func `a deadlock with an operator's session ends without a failure, and no client notices`()
        async throws
    {
        let schema = try Cluster.shared.get().makeSchema()
        // PostgreSQL looks for a deadlock once, after this time, and ends a wait for a lock after 5 s.
        let settings = schema.settings.replacing(
            "options='", with: "options='-c deadlock_timeout=4s ")
        let storage = Storage(engine: try PostgresEngine(settings: settings, .small)) {
            Instant(milliseconds: 1_795_000_000_000)
        }
        try storage.open()
        let meetings = (1...2).map { number in
            Meeting(
                id: ID(high: 1, low: UInt64(number)), name: "Meeting \(number)",
                createdAt: Instant(milliseconds: 0))
        }
        try await storage.perform(Insert(meetings: meetings))
        let operating = try Connection(settings: schema.settings, for: .vacuuming)
        defer { operating.close() }
        // Only the writer looks for deadlocks, so the server ends the writer's transaction.
        try operating.execute("SET deadlock_timeout = '1h'", "test")
        try operating.execute("BEGIN; UPDATE meetings SET place = 'B' WHERE name = 'Meeting 2'", "test")
        var (first, second) = (meetings[0], meetings[1])
        (first.name, second.name) = ("First", "Second")
        let command = ChangeBoth(first: first, second: second)
        let changing = Task.immediate { try await storage.perform(command) }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                command.hasFirst.wait()
                continuation.resume()
            }
        }
        try operating.execute("UPDATE meetings SET place = 'A' WHERE name = 'Meeting 1'; COMMIT", "test")
        try await changing.value
        #expect(command.runs.count.load(ordering: .relaxed) == 2)
        let statistics = storage.statistics
        #expect(statistics.conflicts == 1 && statistics.failures == 0 && statistics.lastFailure == nil)
        let names = try await storage.read { rows throws(JournalError) in
            [try rows.meeting(meetings[0].id)?.name, try rows.meeting(meetings[1].id)?.name]
        }
        #expect(names == ["First", "Second"])
        await storage.close()
    }
}

private struct Insert: Command {
    let meetings: [Meeting]

    func run(in transaction: Transaction) throws(JournalError) {
        for meeting in meetings { try transaction.rows.insert(meeting) }
    }
}
