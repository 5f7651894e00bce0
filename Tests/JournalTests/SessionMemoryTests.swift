import Journal
import Meetings
import MemoryEngine
import Testing

/// Tests of the sessions that storage caches in memory: a read returns exactly the committed state.
@Suite struct SessionMemoryTests {
    private struct Step: Command {
        let body: @Sendable (Transaction) throws(JournalError) -> Void
        func run(in transaction: Transaction) throws(JournalError) { try body(transaction) }
    }

    private static let now = Instant(milliseconds: 1_795_000_000_000)
    private let id = SessionID(high: 1, low: 1)
    private let storage: Storage

    init() async throws {
        storage = Storage(engine: MemoryEngine()) { Self.now }
        try storage.open()
        let id = id
        try await perform { transaction throws(JournalError) in
            try transaction.rows.insert(
                Meeting(id: MeetingID(high: 1, low: 1), name: "Meeting", createdAt: Self.now))
            try transaction.rows.insert(
                Session(
                    id: id, meetingID: MeetingID(high: 1, low: 1), round: 1, startsAt: Self.now,
                    endsAt: Self.now + .hours(1),
                    joinCode: "CODE11"))
        }
    }

    private func perform(_ body: @escaping @Sendable (Transaction) throws(JournalError) -> Void) async throws
    {
        try await storage.perform(Step(body: body))
    }

    private func expectAsCommitted(sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> SessionRecord?
    {
        let id = id
        let committed = try await storage.read { rows throws(JournalError) in try rows.session(id) }
        let found = try await storage.session(id)
        #expect(found?.session == committed?.session, sourceLocation: sourceLocation)
        #expect(found?.meeting == committed?.meeting, sourceLocation: sourceLocation)
        #expect(found?.headCount == committed?.headCount, sourceLocation: sourceLocation)
        #expect(found?.sequence == committed?.sequence, sourceLocation: sourceLocation)
        return found
    }

    @Test func `storage reads a session from the rows if no command has used it`() async throws {
        #expect(try await expectAsCommitted()?.session.joinCode == "CODE11")
    }

    @Test func `a read sees a command's changes to a session and its meeting at once`() async throws {
        let id = id
        try await perform { transaction throws(JournalError) in
            try transaction.record(.checkedIn, in: id, by: .attendee)
            try transaction.count(in: id) { $0.present += 1 }
        }
        #expect(try await expectAsCommitted()?.headCount.present == 1)
        try await perform { transaction throws(JournalError) in
            var meeting = try transaction.meeting(MeetingID(high: 1, low: 1))
            meeting.name = "Renamed"
            try transaction.update(meeting)
        }
        #expect(try await expectAsCommitted()?.meeting.name == "Renamed")
        try await perform { transaction throws(JournalError) in
            var session = try transaction.session(id).session
            session.codeVersion += 1
            try transaction.update(session)
        }
        #expect(try await expectAsCommitted()?.session.codeVersion == 2)
    }

    @Test func `a read does not see the changes of a refused command`() async throws {
        let id = id
        try await perform { transaction throws(JournalError) in
            try transaction.record(.checkedIn, in: id, by: .attendee)
        }
        await #expect(throws: JournalError.self) {
            try await perform { transaction throws(JournalError) in
                var session = try transaction.session(id).session
                session.codeVersion += 1
                try transaction.update(session)
                throw .refused(.codeNotValid)
            }
        }
        #expect(try await expectAsCommitted()?.session.codeVersion == 1)
    }

    @Test func `a read does not find a deleted session`() async throws {
        let id = id
        try await perform { transaction throws(JournalError) in
            try transaction.record(.checkedIn, in: id, by: .attendee)
        }
        try await perform { transaction throws(JournalError) in
            transaction.forget(id)
            try transaction.rows.delete(id)
        }
        #expect(try await expectAsCommitted() == nil)
    }

    @Test func `a change of a meeting reaches a session whose last command was long ago`() async throws {
        let id = id
        try await perform { transaction throws(JournalError) in
            try transaction.record(.checkedIn, in: id, by: .attendee)
        }
        // More sessions than storage caches in memory.
        try await perform { transaction throws(JournalError) in
            for number in 2...1100 {
                let other = SessionID(high: 1, low: UInt64(number))
                try transaction.rows.insert(
                    Session(
                        id: other, meetingID: MeetingID(high: 1, low: 1), round: number, startsAt: Self.now,
                        endsAt: Self.now + .hours(1),
                        joinCode: "MANY\(number)"))
                _ = try transaction.session(other)
            }
        }
        try await perform { transaction throws(JournalError) in
            var meeting = try transaction.meeting(MeetingID(high: 1, low: 1))
            meeting.name = "Renamed"
            try transaction.update(meeting)
        }
        #expect(try await expectAsCommitted()?.meeting.name == "Renamed")
    }

    @Test func `check-ins leave the revision unchanged, and a stored record gets the new counts`()
        async throws
    {
        let id = id
        // The first command fills the writer's memory.
        try await perform { transaction throws(JournalError) in _ = try transaction.session(id) }
        let revision = try #require(storage.revision)
        let record = try #require(try await storage.session(id))
        for count in 1...3 {
            _ = try await storage.checkIn(
                CheckInWithReceipt(
                    CheckIn(
                        session: id, moment: Self.now, method: .qr, grant: nil, name: "P", email: "\(count)@a"
                    )))
            #expect(storage.revision == revision)
            #expect(storage.current(record, since: revision)?.headCount.present == count)
            _ = try await expectAsCommitted()
        }
    }

    @Test func `every other command raises the revision before its answer, even if it is refused`()
        async throws
    {
        let id = id
        let record = try #require(try await storage.session(id))
        for isRefused in [false, true] {
            let revision = try #require(storage.revision)
            #expect(storage.current(record, since: revision) != nil)
            try? await perform { transaction throws(JournalError) in
                var meeting = try transaction.meeting(MeetingID(high: 1, low: 1))
                meeting.name += "!"
                try transaction.update(meeting)
                if isRefused { throw .refused(.notAllowed) }
            }
            #expect(try #require(storage.revision) > revision)
            #expect(storage.current(record, since: revision) == nil)
        }
    }
}
