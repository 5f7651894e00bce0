import Testing

@testable import WebSockets

/// Checks the limits on control frames and on the number of messages.
@Suite(.timeLimit(.minutes(1)))
struct RateLimitTests {
    private static let settings = {
        var settings = WebSocketSettings()
        settings.controlBurst = 1_000
        settings.controlBytesPerSecond = 100
        return settings
    }()

    private static func isFlooded(_ limit: inout RateLimit, _ overhead: Int, at now: UInt64) -> Bool {
        limit.addOverhead(overhead)
        return limit.isFlooded(within: settings, at: now)
    }

    @Test func `a burst of control bytes up to the limit passes, and one more byte is a flood`() {
        for (bytes, isFlooded) in [(1_000, false), (1_001, true)] {
            var limit = RateLimit(at: 0)
            #expect(Self.isFlooded(&limit, bytes, at: 0) == isFlooded)
        }
    }

    @Test(arguments: [1, 10, 1_000] as [UInt64])
    func `a steady stream at the rate is never a flood, and a slightly faster stream becomes one`(
        looksPerSecond: UInt64
    ) {
        for (rate, isFlooded) in [(100, false), (110, true)] {
            var limit = RateLimit(at: 0)
            var taken = 0
            let floods = (1...(300 * looksPerSecond)).map { look in
                let due = Int(look) * rate / Int(looksPerSecond)
                defer { taken = due }
                return Self.isFlooded(&limit, due - taken, at: look * 1_000 / looksPerSecond)
            }
            #expect(floods.contains(true) == isFlooded)
        }
    }

    @Test func `a silent client gains no credit for a larger burst`() {
        var limit = RateLimit(at: 0)
        #expect(!Self.isFlooded(&limit, 0, at: 3_600_000))
        #expect(Self.isFlooded(&limit, 1_001, at: 3_600_000))
    }

    @Test func `5,000 messages at once pass, and 5,001 messages are a flood`() {
        for (count, isFlooded) in [(5_000, false), (5_001, true)] {
            var limit = RateLimit(at: 0)
            for _ in 0..<count { limit.addMessage() }
            #expect(Self.isFlooded(&limit, 0, at: 0) == isFlooded)
        }
    }

    @Test(arguments: [0x89, 0x8a] as [UInt8])
    func `a flood of control frames is closed with 1008`(first: UInt8) async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        try client.send((0..<100).flatMap { _ in RawClient.frame(first, Array(repeating: 0x70, count: 100)) })
        #expect(try client.closeCode() == 1008)
        #expect(server.channels.statistics.closedFlooding == 1)
    }

    @Test func `long messages in many pieces are not a flood`() async throws {
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
        #expect(server.channels.statistics.closedFlooding == 0)
    }
}
