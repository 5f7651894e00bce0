import Glibc
import Synchronization
import Testing

@testable import WebSockets

@Suite(.timeLimit(.minutes(1)))
struct LifecycleTests {
    @Test func `draining closes 500 clients with code 1001`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 2, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try WebSocketClient()
        var connections: [WebSocketClientConnection] = []
        for _ in 0..<500 { connections.append(try await client.connect(ClientTests.request(door))) }
        _ = await handler.connections(500)
        let began = ContinuousClock.now
        await server.drain(within: .seconds(10))
        #expect(began.duration(to: .now) < .seconds(5))
        var codes: [UInt16] = []
        for connection in connections {
            #expect(await connection.next() == nil)
            codes.append(try #require(connection.closed).code)
        }
        #expect(codes == Array(repeating: 1001, count: 500))
        #expect(handler.closeCodes == Array(repeating: 1001, count: 500))
        #expect(server.channels.statistics.connections == 0)
    }

    @Test func `draining disconnects a client that does not answer, and may be called twice`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        _ = await handler.connections(1)
        let began = ContinuousClock.now
        await server.drain(within: .milliseconds(200))
        #expect(began.duration(to: .now) < .seconds(4))
        await server.drain()
        #expect(try client.closeCode() == 1001)
        #expect(handler.closeCodes == [1001])
    }

    /// The other end of a refused socket reads the end of the stream.
    @Test func `a drained server closes the sockets that it receives`() async throws {
        let server = try WebSocketServer(loops: 1, handler: Recorder())
        await server.drain()
        let (ours, theirs) = try Self.pair()
        server.adopt(theirs, peer: "")
        #expect(Self.isAtItsEnd(ours))
        close(ours)
    }

    @Test func `a descriptor that is no socket is ignored without harm to other connections`() async throws {
        let handler = ServerTests.echo()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        // No open file has this descriptor, so libwebsockets cannot adopt it.
        server.adopt(-1, peer: "")
        server.adopt(CInt.max, peer: "")
        let client = try RawClient(upgradingOn: door.port)
        try client.send(text: "well")
        #expect(try client.receive().text == "well")
        #expect(server.channels.statistics.connections == 1)
    }

    @Test func `the server and the client do not change the process's signal handlers`() async throws {
        let before = Self.dispositions()
        let server = try WebSocketServer(loops: 2, handler: Recorder())
        let client = try WebSocketClient()
        #expect(Self.dispositions() == before)
        await server.drain()
        #expect(Self.dispositions() == before)
        withExtendedLifetime(client) {}
    }

    @Test func `a server ends its threads and connections when its last reference is released`() async throws
    {
        let handler = Recorder()
        var server: WebSocketServer? = try WebSocketServer(loops: 1, handler: handler)
        var door: LoopbackDoor? = try LoopbackDoor(to: #require(server))
        let client = try RawClient(upgradingOn: #require(door).port)
        _ = await handler.connections(1)
        door = nil
        server = nil
        #expect(throws: Loopback.Failure.self) { try client.receive() }
        await handler.wait { $0.contains { $0.closeCode != nil } }
        #expect(handler.closeCodes == [1006])
    }

    /// Returns the process's signal handlers. The lock excludes tests that create a libwebsockets context,
    /// because SIGPIPE is ignored during the creation.
    private static func dispositions() -> [UInt] {
        EventLoopMemory.making.withLock { _ in
            [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGFPE, SIGSEGV, SIGCHLD].map(disposition)
        }
    }

    private static func disposition(_ signal: CInt) -> UInt {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
    }

    private static func pair() throws -> (CInt, CInt) {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw Loopback.Failure.system(errno)
        }
        return (ends[0], ends[1])
    }

    private static func isAtItsEnd(_ fileDescriptor: CInt) -> Bool {
        var byte: UInt8 = 0
        return recv(fileDescriptor, &byte, 1, 0) == 0
    }
}
