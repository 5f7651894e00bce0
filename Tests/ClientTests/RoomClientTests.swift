import Client
import Meetings
import Synchronization
import Testing
import Wire

/// A connector that makes sockets in memory. The test acts as the server.
private final class FakeRooms: RoomConnector {
    final class Socket: RoomSocket {
        private let incoming = AsyncStream.makeStream(of: [UInt8].self)
        private let state = Mutex<(code: UInt16, reason: String)?>(nil)
        let token: String?
        private let onSend: @Sendable (String) -> Void

        init(_ token: String?, _ onSend: @escaping @Sendable (String) -> Void) {
            self.token = token
            self.onSend = onSend
        }

        func send(_ text: String) { onSend(text) }
        func next() async -> [UInt8]? {
            for await message in incoming.stream { return message }
            return nil
        }
        var ending: (code: UInt16, reason: String)? { state.withLock { $0 } }
        func close() { end(1000) }
        func say(_ text: String) { incoming.continuation.yield(Array(text.utf8)) }
        func end(_ code: UInt16) {
            state.withLock { $0 = $0 ?? (code, "") }
            incoming.continuation.finish()
        }
    }

    let connected = AsyncStream.makeStream(of: Socket.self)
    let sent = AsyncStream.makeStream(of: String.self)

    func connect(token: String?) async throws(RoomConnectionError) -> Socket {
        let socket = Socket(token) { [sent] in sent.continuation.yield($0) }
        connected.continuation.yield(socket)
        return socket
    }
}

struct RoomClientTests {
    private let id = SessionID.makeTimeless()
    private var name: String { RoomName.session(id).text }

    private func client(_ rooms: FakeRooms, _ clock: ManualClock) -> RoomClient<FakeRooms, ManualClock> {
        let token: @Sendable (String?) async throws(APIError) -> String? = { (stale) async throws(APIError) in
            stale.map { "\($0)+" } ?? "t"
        }
        return RoomClient(rooms, clock: clock, rooms: [.session(id)], jitter: { 1 }, token: token)
    }

    @Test(.timeLimit(.minutes(1)))
    func `the client reports frames, waits after a lost connection, and resumes`() async throws {
        let (rooms, clock) = (FakeRooms(), ManualClock())
        var updates = client(rooms, clock).updates().makeAsyncIterator()
        var sockets = rooms.connected.stream.makeAsyncIterator()
        var sent = rooms.sent.stream.makeAsyncIterator()

        let first = try #require(await sockets.next())
        #expect(first.token == "t")
        #expect(await sent.next() == #"{"join":"\#(name)","id":1}"#)
        first.say(
            #"""
            {"joined":"\#(name)","id":1,"epoch":"e","sequence":5,\#
            "recovered":false,"now":"2026-11-21T10:00:03Z"}
            """#
        )
        guard case .joined(let joined)? = await updates.next() else { throw Unexpected() }
        #expect(joined.epoch == "e")
        first.say(#"{"room":"\#(name)","sequence":6,"arrivalsOmitted":2}"#)
        guard case .frame(let frame)? = await updates.next() else { throw Unexpected() }
        #expect(frame.arrivalsOmitted == 2)

        first.end(1001)
        guard case .reconnecting(let delay, _)? = await updates.next() else { throw Unexpected() }
        #expect(delay == .milliseconds(500))
        await clock.sleepers(1)
        clock.advance(by: delay)
        let second = try #require(await sockets.next())
        #expect(await sent.next() == #"{"join":"\#(name)","since":{"epoch":"e","sequence":6},"id":2}"#)

        second.end(4003)
        guard case .ended(let end)? = await updates.next() else { throw Unexpected() }
        #expect(end == .closed(code: 4003, reason: ""))
        #expect(await updates.next() == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `the client renews an expired token and reconnects with the new token`() async throws {
        let (rooms, clock) = (FakeRooms(), ManualClock())
        var updates = client(rooms, clock).updates().makeAsyncIterator()
        var sockets = rooms.connected.stream.makeAsyncIterator()
        try #require(await sockets.next()).end(4001)
        let second = try #require(await sockets.next())
        #expect(second.token == "t+")
        second.end(4001)
        guard case .ended(let end)? = await updates.next() else { throw Unexpected() }
        #expect(end == .closed(code: 4001, reason: ""))
    }

    @Test(.timeLimit(.minutes(1)))
    func `the client pings a silent connection, and reconnects if no answer arrives`()
        async throws
    {
        let (rooms, clock) = (FakeRooms(), ManualClock())
        var updates = client(rooms, clock).updates().makeAsyncIterator()
        var sent = rooms.sent.stream.makeAsyncIterator()
        _ = await sent.next()
        for ping in 1...3 {
            await clock.sleepers(1)
            clock.advance(by: .seconds(5))
            #expect(await sent.next() == #"{"ping":\#(ping)}"#)
        }
        await clock.sleepers(1)
        clock.advance(by: .seconds(5))
        guard case .reconnecting(_, let reason)? = await updates.next() else { throw Unexpected() }
        #expect(reason == .silent)
    }

    @Test(.timeLimit(.minutes(1)))
    func `after a sleep of the machine, the client reconnects at once, and resumes where it was`()
        async throws
    {
        let (rooms, clock) = (FakeRooms(), ManualClock())
        var updates = client(rooms, clock).updates().makeAsyncIterator()
        var sockets = rooms.connected.stream.makeAsyncIterator()
        var sent = rooms.sent.stream.makeAsyncIterator()
        let first = try #require(await sockets.next())
        _ = await sent.next()
        let joined = #"{"joined":"\#(name)","id":1,"epoch":"e","sequence":5,"recovered":true,"#
        first.say(joined + #""now":"2026-11-21T10:00:03Z"}"#)
        guard case .joined? = await updates.next() else { throw Unexpected() }
        first.say(#"{"room":"\#(name)","sequence":6,"arrivalsOmitted":2}"#)
        guard case .frame? = await updates.next() else { throw Unexpected() }
        await clock.sleepers(1)
        clock.advance(by: .seconds(3600))
        guard case .reconnecting(let delay, _)? = await updates.next() else { throw Unexpected() }
        await clock.sleepers(1)
        clock.advance(by: delay)
        #expect(await sent.next() == #"{"join":"\#(name)","since":{"epoch":"e","sequence":6},"id":2}"#)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a message that waited during a sleep is not taken for a sign of life`() async throws {
        let (rooms, clock) = (FakeRooms(), ManualClock())
        var updates = client(rooms, clock).updates().makeAsyncIterator()
        var sockets = rooms.connected.stream.makeAsyncIterator()
        let first = try #require(await sockets.next())
        await clock.sleepers(1)
        clock.wakeLater(by: .seconds(3600))
        first.say(#"{"pong":1}"#)
        guard case .reconnecting? = await updates.next() else { throw Unexpected() }
    }

    @Test(.timeLimit(.minutes(1)))
    func `the answer to a ping is reported, so that a screen can show that the server is alive`() async throws
    {
        let rooms = FakeRooms()
        var updates = client(rooms, ManualClock()).updates().makeAsyncIterator()
        var sockets = rooms.connected.stream.makeAsyncIterator()
        try #require(await sockets.next()).say(#"{"pong":1}"#)
        guard case .heard? = await updates.next() else { throw Unexpected() }
    }

    private struct Unexpected: Error {}
}
