import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests the cost of a check-in in a batch. The cost is counted in steps of SQLite's virtual machine, which
/// do not depend on the load of the computer.
@Suite struct CheckInCostTests {
    /// Checks people in within one transaction, as the commands of one batch do. Returns the steps of each
    /// operation.
    private struct CheckInAll: Command {
        let session: SessionID
        let people: Range<Int>

        var checksIn: Bool { true }

        func run(in transaction: Transaction) throws(JournalError) -> [String: Int] {
            guard let rows = transaction.rows as? SQLiteRows else { return [:] }
            let before = rows.connection.machineSteps
            for person in people {
                _ = try CheckIn(
                    session: session, moment: transaction.now, method: .qr, grant: nil, name: "Person",
                    email: "p\(person)@example.org"
                ).run(in: transaction)
            }
            return rows.connection.machineSteps.merging(before) { $0 - $1 }.filter { $0.value > 0 }
        }
    }

    private static let now = Instant(seconds: 1_800_000_000)

    /// Opens a storage with a meeting whose session is running.
    private func withMeeting(
        _ body: (Storage, _ host: AccountID, Session) async throws -> Void
    ) async throws {
        let now = Self.now
        try await withEngine { engine in
            let storage = Storage(engine: engine, clock: { now })
            try storage.open()
            let host = try await storage.perform(
                CreateAccount(
                    email: "host@example.org", name: "Host", passwordHash: "$", profile: .init(),
                    signUp: .open, proof: .setUp))
            let meeting = Meeting(id: .makeTimeless(), name: "M", createdAt: now)
            let session = Session(
                id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: now,
                endsAt: now + .hours(1), joinCode: "ABCDEF")
            _ = try await storage.perform(
                CreateMeeting(
                    meeting: meeting, session: session, sets: [], owner: host.id, allowOverlap: false))
            try await body(storage, host.id, session)
            await storage.close()
        }
    }

    @Test func `a check-in reads its meeting's web hooks and their queues once, not in each batch`()
        async throws
    {
        try await withMeeting { storage, host, session in
            for number in 1...Webhook.mostOfMeeting {
                _ = try await storage.perform(
                    AddWebhook(
                        id: .makeTimeless(), meeting: session.meetingID, url: "https://example.org/\(number)",
                        events: .all, secret: [1], actor: host))
            }
            let first = try await storage.perform(CheckInAll(session: session.id, people: 0..<500))
            let reads = ["list a meeting's web hooks", "count waiting deliveries"]
            for read in reads { #expect(first[read] != nil, "\(read)") }
            let next = try await storage.perform(CheckInAll(session: session.id, people: 500..<501))
            for read in reads { #expect(next[read] == nil, "\(read)") }
            #expect(next["insert mail"] != nil)
        }
    }

    @Test func `a batch of check-ins looks only once for what the session does not have`() async throws {
        try await withMeeting { storage, _, session in
            // The connection prepares each statement when it is used for the first time.
            _ = try await storage.perform(CheckInAll(session: session.id, people: 0..<1))
            let one = try await storage.perform(CheckInAll(session: session.id, people: 1..<2))
            let many = try await storage.perform(CheckInAll(session: session.id, people: 2..<22))
            for operation in ["find question set", "look for a roster", "find any trace"] {
                #expect(one[operation] != nil && many[operation] == one[operation], "\(operation)")
            }
            // The session does not record that attendees leave.
            #expect(many["list sessions recording leaving"] == nil)
            // Each column of an attendee costs one step, even if it is NULL.
            let steps = many.values.reduce(0, +)
            #expect(steps <= 20 * 203, "\(steps) steps: \(many)")
        }
    }
}
