import Testing

@testable import WebSockets

/// What may come beside messages.
@Suite(.timeLimit(.minutes(1)))
struct IntakeTests {
    private static let settings = {
        var settings = WebSocketSettings()
        settings.controlBurst = 1_000
        settings.controlBytesPerSecond = 100
        return settings
    }()

    @Test func `a burst of exactly the limit passes, and one byte more is a flood`() {
        for (bytes, isFlooded) in [(1_000, false), (1_001, true)] {
            var intake = Intake()
            intake.begin(nil, at: 0)
            let found = intake.isFlooded(taken: Int64(bytes), within: Self.settings, at: 0)
            #expect(found == isFlooded)
        }
    }

    @Test func `what comes steadily at the rate is never a flood, and a little faster is one in the end`() {
        for (rate, isFlooded) in [(100, false), (110, true)] {
            var intake = Intake()
            intake.begin(nil, at: 0)
            let floods = (1...300).map { second in
                intake.isFlooded(taken: Int64(second * rate), within: Self.settings, at: UInt64(second) * 1_000)
            }
            #expect(floods.contains(true) == isFlooded)
        }
    }

    @Test func `messages do not count, and save nothing up`() {
        var intake = Intake()
        intake.begin(nil, at: 0)
        for _ in 0..<100 { intake.took(500) }
        let floods = [51_000, 52_002].map { intake.isFlooded(taken: $0, within: Self.settings, at: 1) }
        #expect(floods == [false, true])
    }

    @Test func `so many messages pass at once, and one more is a flood`() {
        for (count, isFlooded) in [(5_000, false), (5_001, true)] {
            var intake = Intake()
            intake.begin(nil, at: 0)
            for _ in 0..<count { intake.tookMessage() }
            let found = intake.isFlooded(taken: 0, within: Self.settings, at: 0)
            #expect(found == isFlooded)
        }
    }

    @Test(arguments: [0x89, 0x8a] as [UInt8])
    func `a flood of control frames is closed with 1008`(first: UInt8) async throws {
        var settings = Self.settings
        // Everybody is looked at ten times a second.
        settings.slowDeadline = .milliseconds(500)
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        try client.send((0..<100).flatMap { _ in RawClient.frame(first, Array(repeating: 0x70, count: 100)) })
        #expect(try client.closeCode() == 1008)
        #expect(server.statistics.closedFlooding == 1)
    }

    @Test func `long messages in many pieces are no flood`() async throws {
        var settings = Self.settings
        settings.slowDeadline = .milliseconds(100)
        let handler = ServerTests.echo()
        let server = try WebSocketServer(loops: 1, settings: settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        let text = String(repeating: "x", count: 60_000)
        for _ in 0..<20 {
            try client.send(text: text)
            #expect(try client.receive().text == text)
        }
        #expect(server.statistics.closedFlooding == 0)
    }
}
