import Testing

@testable import WebSockets

/// Tests of the time that a client has for one message.
@Suite(.timeLimit(.minutes(1)))
struct MessageDeadlineTests {
    /// Reads bytes at a time, as the loop does.
    private struct Client {
        var reader = FrameReader(longestMessage: 65_536, mostFragments: 4_096)
        var deadline = MessageDeadline()

        mutating func send(_ bytes: [UInt8], at now: UInt64) throws {
            try bytes.withUnsafeBytes { all in
                var rest = all[...]
                while try reader.next(in: &rest) != nil {
                    deadline.read(isUnfinished: reader.isUnfinished, at: now)
                }
            }
            deadline.read(isUnfinished: reader.isUnfinished, at: now)
        }

        func isOver(at now: UInt64) -> Bool { deadline.isOver(30_000, at: now) }
    }

    private static let text = RawClient.frame(0x81, Array("hello".utf8))
    private static let ping = RawClient.frame(0x89, [])

    @Test func `a message that gets one byte a second is over after 30 s`() throws {
        var client = Client()
        let frame = RawClient.frame(0x81, Array(repeating: 0x61, count: 1_000))
        for second in 0..<30 {
            try client.send([frame[second]], at: UInt64(second) * 1_000)
            #expect(!client.isOver(at: UInt64(second) * 1_000))
        }
        #expect(!client.isOver(at: 29_999) && client.isOver(at: 30_000))
    }

    @Test func `pings and empty fragments within a message do not lengthen its time`() throws {
        var client = Client()
        try client.send(RawClient.frame(0x01, [0x61]), at: 1)
        for second in 1..<30 {
            try client.send(Self.ping + RawClient.frame(0x00, []), at: UInt64(second) * 1_000)
        }
        #expect(client.isOver(at: 30_001))
    }

    @Test func `a head or a control frame without an end is over too`() throws {
        for bytes: [UInt8] in [[0x81], [0x81, 0xfe], Array(Self.ping.dropLast())] {
            var client = Client()
            try client.send(bytes, at: 5)
            #expect(!client.isOver(at: 30_004) && client.isOver(at: 30_005))
        }
    }

    @Test func `a client that completes its messages has no deadline, even if each read ends in the middle`()
        throws
    {
        var client = Client()
        try client.send([Self.text[0]], at: 0)
        for second in 1..<100 {
            try client.send(Self.text.dropFirst() + [Self.text[0]], at: UInt64(second) * 1_000)
            #expect(!client.isOver(at: UInt64(second) * 1_000 + 29_999))
        }
        try client.send(Array(Self.text.dropFirst()), at: 100_000)
        #expect(!client.isOver(at: .max))
    }

    @Test func `the time stands while the server reads nothing from a blocked client`() throws {
        var client = Client()
        try client.send([Self.text[0]], at: 0)
        client.deadline.pause(at: 20_000)
        #expect(!client.isOver(at: 49_999) && client.isOver(at: 50_000))
        var idle = Client()
        idle.deadline.pause(at: 20_000)
        #expect(!idle.isOver(at: .max))
    }

    @Test func `the server closes a live connection whose message does not end, even if it pongs`()
        async throws
    {
        var settings = WebSocketSettings()
        settings.pingEvery = .milliseconds(50)
        settings.messageDeadline = .milliseconds(400)
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        try client.send(RawClient.frame(0x01, [0x61]))
        // The client answers each ping within its message, until the server closes.
        #expect(try client.closeCode() == 1008)
        await handler.wait { $0.contains { $0.closeCode != nil } }
        #expect(handler.closeCodes == [1008])
        await server.drain()
    }
}
