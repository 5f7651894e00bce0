import Testing

@testable import WebSockets

@Suite(.timeLimit(.minutes(1)))
struct LivenessTests {
    static var hasty: WebSocketSettings {
        var settings = WebSocketSettings()
        settings.pingEvery = .milliseconds(50)
        settings.silenceAllowed = .milliseconds(800)
        return settings
    }

    @Test func `the server pings a client, and a client that answers stays connected`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.hasty, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        // Twenty pings take longer than the allowed silence.
        for _ in 0..<20 { try client.answerPing() }
        #expect(server.channels.statistics.connections == 1)
        #expect(handler.closeCodes.isEmpty)
    }

    @Test func `a client that answers no ping is disconnected`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.hasty, handler: handler)
        let door = try LoopbackDoor(to: server)
        let began = ContinuousClock.now
        let client = try RawClient(upgradingOn: door.port)
        await handler.wait { $0.contains { $0.closeCode != nil } }
        #expect(began.duration(to: .now) >= .milliseconds(800))
        #expect(handler.closeCodes == [1001])
        #expect(server.channels.statistics.closedSilent == 1)
        withExtendedLifetime(client) {}
    }

    @Test func `the project's own client answers pings`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.hasty, handler: handler)
        let door = try LoopbackDoor(to: server)
        let quiet = try await WebSocketClient.shared().connect(ClientTests.request(door))
        // A second client that sends nothing shows when the allowed silence is over.
        let silent = try RawClient(upgradingOn: door.port)
        await handler.wait { $0.contains { $0.closeCode == 1001 } }
        #expect(quiet.closed == nil)
        #expect(server.channels.statistics.closedSilent == 1)
        withExtendedLifetime(silent) {}
    }
}
