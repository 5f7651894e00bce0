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

    @Test func `a client is pinged, and who answers stays`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.hasty, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        // Twenty pings take longer than the silence that is allowed.
        for _ in 0..<20 { try client.answerPing() }
        #expect(server.channels.statistics.connections == 1)
        #expect(handler.closeCodes.isEmpty)
    }

    @Test func `who answers nothing is dropped`() async throws {
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

    @Test func `our own client answers pings`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.hasty, handler: handler)
        let door = try LoopbackDoor(to: server)
        let quiet = try await WebSocketClient.shared().connect(ClientTests.request(door))
        // Beside it one that says nothing at all shows when the time is up.
        let silent = try RawClient(upgradingOn: door.port)
        await handler.wait { $0.contains { $0.closeCode == 1001 } }
        #expect(quiet.closed == nil)
        #expect(server.channels.statistics.closedSilent == 1)
        withExtendedLifetime(silent) {}
    }
}
