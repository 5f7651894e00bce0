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

    /// Rooms that get no commits of the site's storage, as on a server that has not read them yet.
    private func rooms(of site: Site, _ engine: HeldEngine) throws -> LiveRooms {
        LiveRooms(
            storage: Storage(engine: engine) { site.clock.now }, output: try WebSocketChannels(loops: 1),
            clock: site.clock, keys: site.keys, codes: { _ in nil })
    }

    @Test func `a room is read again if commits were missed while it was read`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let engine = HeldEngine(site.storage)
            let live = try rooms(of: site, engine)
            async let opened = live.room(cast.session)
            await engine.read()
            _ = try await edit(cast, site)
            live.forgetAll()
            engine.release()
            #expect(try await opened.hasRotatingCodes)
            #expect(try await live.room(cast.session) === opened)
        }
    }

    private func commit(_ cast: Cast, _ site: Site) async throws -> SessionCommit {
        let record = try #require(
            try await site.storage.read { rows throws(JournalError) in try rows.session(cast.session) })
        return SessionCommit(id: cast.session, record: record, news: [], isEdited: false)
    }

    @Test func `a room that is behind a client reaches the position by a commit, or is given up`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let engine = HeldEngine(site.storage)
            engine.release()
            let live = try rooms(of: site, engine)
            let room = try await live.room(cast.session)
            let before = try #require(try await room.storedSequence())
            _ = try await site.arrive(2, in: cast.session)
            let position = try #require(try await room.storedSequence())
            #expect(position == before + 2)
            #expect(await room.publishes(before, within: .zero))
            #expect(await !room.publishes(position, within: .milliseconds(1)))
            async let isPublished = room.publishes(position, within: .seconds(50))
            live.apply([try await commit(cast, site)])
            #expect(await isPublished)
        }
    }

    @Test func `a room that is removed from memory lets the waiting clients find it again`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let engine = HeldEngine(site.storage)
            engine.release()
            let live = try rooms(of: site, engine)
            let room = try await live.room(cast.session)
            async let isOver = room.publishes(1_000_000, within: .seconds(50))
            live.forgetAll()
            #expect(await isOver)
            #expect(try await live.room(cast.session) !== room)
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
