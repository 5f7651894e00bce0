import Journal
import Meetings
import Synchronization
import Testing
import WebSockets

@testable import Server

/// Tests of a gap in the commits of other servers, while rooms and join codes are being read.
@Suite(.timeLimit(.minutes(1))) struct GapTests {
    private func edit(_ cast: Cast, _ site: Site) async throws -> Session {
        try await site.storage.perform(
            EditSession(id: cast.session, settings: .init(codeKind: .rotating), actor: cast.owner)
        ).record.session
    }

    @Test func `a room is read again if commits were missed while it was read`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let engine = HeldEngine(site.storage)
            // These rooms get no commits.
            let live = LiveRooms(
                storage: Storage(engine: engine) { site.clock.now }, output: try WebSocketChannels(loops: 1),
                clock: site.clock, keys: site.keys, codes: { _ in nil })
            async let opened = live.room(cast.session)
            await engine.read()
            _ = try await edit(cast, site)
            live.forgetAll()
            engine.release()
            #expect(try await opened.hasRotatingCodes)
            #expect(try await live.room(cast.session) === opened)
        }
    }

    @Test func `join codes are read again if commits were missed while they were read`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let engine = HeldEngine(site.storage)
            // This table gets no commits.
            let table = JoinCodeTable(
                storage: Storage(engine: engine) { site.clock.now }, clock: site.clock,
                codeClock: CodeClock(site.clock), keys: site.keys)
            async let none = table.sessions(with: "a code of no session")
            await engine.read()
            let session = try await edit(cast, site)
            table.forgetAll()
            engine.release()
            #expect(try await none == [])
            let code = RotatingJoinCode.text(of: session, at: site.clock.now, keys: site.keys)
            #expect(try await table.sessions(with: code) == [cast.session])
        }
    }
}

/// Reads from another storage, and holds back the result of the first query until `release`.
private final class HeldEngine: Engine {
    let unsettled = UnsettledMeetings()
    private let storage: Storage
    private let isFirst = Mutex(true)
    private let reads = AsyncStream.makeStream(of: Void.self)
    private let releases = AsyncStream.makeStream(of: Void.self)

    init(_ storage: Storage) { self.storage = storage }

    /// Waits until the first query has read its rows.
    func read() async { for await _ in reads.stream { return } }
    func release() { releases.continuation.yield() }

    var epoch: String { storage.epoch }

    func openWriter() throws(JournalError) -> any WritableRows {
        throw .failed(StorageFailure(.readOnly, operation: "open writer"))
    }

    func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        let found = try await storage.read(query)
        let isHeld = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if isHeld {
            reads.continuation.yield()
            for await _ in releases.stream { break }
        }
        return found
    }

    func close() {}
}
