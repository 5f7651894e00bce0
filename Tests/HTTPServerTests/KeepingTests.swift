import HTTPServer
import Synchronization
import Testing

/// Checks the options that the server receives with a socket.
@Suite(.timeLimit(.minutes(1)))
struct KeepingTests {
    private final class Flag: Sendable {
        private let value = Atomic(false)

        var isSet: Bool { value.load(ordering: .acquiring) }

        func set() { value.store(true, ordering: .releasing) }
    }

    private final class Held: Sendable {
        let isGone = Flag()

        deinit { isGone.set() }
    }

    @Test(arguments: ["GET /now", "GET /hold", "POST /only-get", "GET /forbidden", "GET /a b"])
    func `a connection without keep-alive ends after its first answer`(request: String) async throws {
        let test = try TestServer()
        test.responder.gate.open()
        let client = try test.connect(keepsAlive: false)
        let answer = try await client.ask("\(request) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer.headers["connection"] == "close")
        #expect(try await client.remainder() == "")
    }

    @Test func `the server releases a connection's object when the connection ends, and not earlier`()
        async throws
    {
        let test = try TestServer()
        let (client, isGone) = try Self.connect(to: test)
        #expect(try await client.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
        #expect(!isGone.isSet)
        client.close()
        try await offPool { Pace.run { !isGone.isSet } }
        #expect(isGone.isSet)
    }

    private static func connect(to test: TestServer) throws -> (Client, Flag) {
        let held = Held()
        return (try test.connect(holding: held), held.isGone)
    }

    @Test func `a client that the server turns away gets 503, and its connection is closed`() async throws {
        let test = try TestServer()
        let client = try test.connect(isTurnedAway: true)
        #expect(try await client.remainder().hasPrefix("HTTP/1.1 503 "))
        #expect(
            test.server.statistics.turnedAwayConnections == 1
                && test.server.statistics.adoptedConnections == 0)
    }
}
