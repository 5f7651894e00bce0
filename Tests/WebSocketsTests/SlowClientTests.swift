import Testing

@testable import WebSockets

@Suite(.timeLimit(.minutes(1)))
struct SlowClientTests {
    static let channel = ChannelID(3)
    static let padding = String(repeating: "x", count: 1_000)

    static func frame(_ step: UInt64) -> Frame {
        Frame.encode(text: Array("\(step) \(padding)".utf8), from: step, to: step + 1)
    }

    static func step(_ text: String) -> Int? { text.split(separator: " ").first.flatMap { Int($0) } }

    /// Publishes 6 MB to two clients, of which only one reads.
    @Test func `a client that does not read uses limited memory, delays nobody, and catches up later`()
        async throws
    {
        let total = UInt64(6_000)
        var settings = WebSocketSettings()
        // The stalled client reads only after all frames are published, so the deadline for slow clients is
        // long.
        settings.slowDeadline = .seconds(600)
        let handler = Recorder(
            onOpened: { $0.subscribe(to: Self.channel, at: 0) },
            onFellBehind: { connection, channel, _ in
                connection.catchUp(
                    channel, [Frame.encode(text: Array("\(total) snapshot".utf8), from: 0, to: total)])
            })
        let server = try WebSocketServer(loops: 1, settings: settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        let stalled = try RawClient(upgradingOn: door.port, receiveBuffer: 4_096)
        let stalledHandle = try #require(await handler.connections(1).first)
        let reading = try await WebSocketClient.shared().connect(ClientTests.request(door))
        let readingHandle = try #require(await handler.connections(2).first { $0 != stalledHandle })
        readingHandle.send(Array("-1 ready".utf8))
        #expect(ClientTests.text(await reading.next()) == "-1 ready")

        // At most 20 frames are on their way to the reading client, so that this client never falls behind.
        for step in 0..<total {
            server.channels.publish(Self.frame(step), to: Self.channel)
            guard step >= 20 else { continue }
            #expect(ClientTests.text(await reading.next()).flatMap(Self.step) == Int(step) - 20)
        }
        // The stalled client receives the frames that the kernel and the library had buffered when writing
        // first blocked, and then the newest snapshot.
        var received: [Int] = []
        while received.last != Int(total) {
            received.append(try #require(Self.step(try stalled.receive().text)))
        }
        #expect(Array(received.dropLast()) == Array(0..<(received.count - 1)))
        #expect(received.count < 2_000, "\(received.count) KB were held for a client that does not read")
        #expect(handler.falls == [UInt64(received.count - 1)])
        #expect(server.channels.statistics.fellBehind == 1)
        #expect(server.channels.statistics.closedSlow == 0)
    }

    @Test func `a client that stays blocked beyond the deadline is closed as slow`() async throws {
        var settings = WebSocketSettings()
        settings.slowDeadline = .milliseconds(300)
        let handler = Recorder(onOpened: { $0.subscribe(to: Self.channel, at: 0) })
        let server = try WebSocketServer(loops: 1, settings: settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port, receiveBuffer: 4_096)
        _ = await handler.connections(1)
        for step in UInt64(0)..<2_000 { server.channels.publish(Self.frame(step), to: Self.channel) }
        await handler.wait { $0.contains { $0.closeCode != nil } }
        #expect(handler.closeCodes == [4002])
        #expect(server.channels.statistics.closedSlow == 1)
        // The closing handshake with this client ends after 5 s.
        let began = ContinuousClock.now
        await server.drain(within: .seconds(40))
        #expect(began.duration(to: .now) < .seconds(15))
        #expect(server.channels.statistics.connections == 0)
        withExtendedLifetime(client) {}
    }

    @Test func `a slow client that reads again in time receives its close code`() async throws {
        var settings = WebSocketSettings()
        settings.slowDeadline = .milliseconds(200)
        let handler = Recorder(onOpened: { $0.subscribe(to: Self.channel, at: 0) })
        let server = try WebSocketServer(loops: 1, settings: settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port, receiveBuffer: 4_096)
        _ = await handler.connections(1)
        for step in UInt64(0)..<2_000 { server.channels.publish(Self.frame(step), to: Self.channel) }
        await handler.wait { $0.contains { $0.closeCode == 4002 } }
        #expect(try client.closeCode() == 4002)
    }

    @Test func `direct answers to a client that does not read are limited`() async throws {
        var settings = WebSocketSettings()
        settings.sendBound = 100_000
        let handler = Recorder(onReceived: { _, connection in
            for step in UInt64(0)..<5_000 { connection.send(Self.frame(step)) }
        })
        let server = try WebSocketServer(loops: 1, settings: settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port, receiveBuffer: 4_096)
        try client.send(text: "go")
        await handler.wait { $0.contains { $0.closeCode == 4002 } }
        #expect(server.channels.statistics.bytesSent < 2_000_000)
        #expect(try client.closeCode() == 4002)
    }
}
