import Testing

@testable import WebSockets

@Suite(.timeLimit(.minutes(1)))
struct ChannelTests {
    static let channel = ChannelID(7)

    static func frame(_ from: UInt64, _ to: UInt64, _ text: String? = nil) -> Frame {
        Frame.encode(text: Array((text ?? "\(from)-\(to)").utf8), from: from, to: to)
    }

    @Test func `subscribers on all loops get a channel's frames in order`() async throws {
        let handler = Recorder(onOpened: { $0.subscribe(to: Self.channel, at: 0) })
        let server = try WebSocketServer(loops: 3, handler: handler)
        let door = try LoopbackDoor(to: server)
        let clients = try (0..<9).map { _ in try RawClient(upgradingOn: door.port) }
        let connections = await handler.connections(9)
        // Each loop works in order, so all subscriptions are complete before the frames below are
        // published.
        for connection in connections { connection.send(Array("ready".utf8)) }
        for client in clients { #expect(try client.receive().text == "ready") }
        for step in UInt64(0)..<100 { server.channels.publish(Self.frame(step, step + 1), to: Self.channel) }
        for client in clients {
            for step in 0..<100 { #expect(try client.receive().text == "\(step)-\(step + 1)") }
        }
        #expect(server.channels.statistics.framesSent == 9 * 101)
        #expect(server.channels.statistics.connections == 9)
        #expect(handler.falls.isEmpty)
    }

    @Test func `a frame from before a subscriber's position is skipped`() async throws {
        let handler = Recorder(onOpened: { $0.subscribe(to: Self.channel, at: 5) })
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        _ = await handler.connections(1)
        server.channels.publish(Self.frame(3, 4), to: Self.channel)
        server.channels.publish(Self.frame(4, 5), to: Self.channel)
        server.channels.publish(Self.frame(5, 5, "same"), to: Self.channel)
        server.channels.publish(Self.frame(5, 6), to: Self.channel)
        #expect(try client.receive().text == "same")
        #expect(try client.receive().text == "5-6")
        #expect(handler.falls.isEmpty)
    }

    @Test func `the handler is told once that a subscriber missed frames, and the subscriber catches up`()
        async throws
    {
        let handler = Recorder(onOpened: { $0.subscribe(to: Self.channel, at: 2) })
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        let connection = try #require(await handler.connections(1).first)
        server.channels.publish(Self.frame(4, 5), to: Self.channel)
        await handler.wait { $0.contains { $0.fall == 2 } }
        // Until `catchUp` arrives, the subscriber gets no frames of the channel, and the handler is not
        // called again.
        server.channels.publish(Self.frame(5, 6), to: Self.channel)
        connection.catchUp(Self.channel, [Self.frame(2, 4), Self.frame(4, 5), Self.frame(5, 6)])
        server.channels.publish(Self.frame(6, 7), to: Self.channel)
        for text in ["2-4", "4-5", "5-6", "6-7"] { #expect(try client.receive().text == text) }
        #expect(handler.falls == [2])
    }

    @Test func `the handler is called again if its frames end before the channel's newest frame`()
        async throws
    {
        let handler = Recorder(
            onOpened: { $0.subscribe(to: Self.channel, at: 0) },
            onFellBehind: { connection, channel, position in
                connection.catchUp(channel, [Self.frame(position, position + 1)])
            })
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        _ = await handler.connections(1)
        server.channels.publish(Self.frame(2, 3), to: Self.channel)
        for text in ["0-1", "1-2", "2-3"] { #expect(try client.receive().text == text) }
        server.channels.publish(Self.frame(3, 4), to: Self.channel)
        #expect(try client.receive().text == "3-4")
        #expect(handler.falls == [0, 1, 2])
    }

    @Test func `a subscriber at a position before the newest frame is behind at once`() async throws {
        let handler = Recorder(onFellBehind: { connection, channel, _ in
            connection.catchUp(channel, [Self.frame(0, 9, "snapshot")])
        })
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        server.channels.publish(Self.frame(8, 9), to: Self.channel)
        let client = try RawClient(upgradingOn: door.port)
        let connection = try #require(await handler.connections(1).first)
        connection.perform([.send(Array("joined".utf8)), .subscribe(to: Self.channel, at: 3)])
        #expect(try client.receive().text == "joined")
        #expect(try client.receive().text == "snapshot")
        #expect(handler.falls == [3])
    }

    @Test func `a client gets no frames of a channel after it unsubscribes`() async throws {
        let handler = Recorder(onOpened: { $0.subscribe(to: Self.channel, at: 0) })
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let clients = try (0..<3).map { _ in try RawClient(upgradingOn: door.port) }
        let connections = await handler.connections(3)
        server.channels.publish(Self.frame(0, 1), to: Self.channel)
        connections[0].unsubscribe(from: Self.channel)
        server.channels.publish(Self.frame(1, 2), to: Self.channel)
        for connection in connections { connection.send(Array("end".utf8)) }
        let seen = try clients.map { client in
            var texts: [String] = []
            repeat { texts.append(try client.receive().text) } while texts.last != "end"
            return texts
        }
        #expect(seen.filter { $0 == ["0-1", "end"] }.count == 1)
        #expect(seen.filter { $0 == ["0-1", "1-2", "end"] }.count == 2)
    }

    @Test func `closing a channel closes its subscribers and no other connection`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 2, handler: handler)
        let door = try LoopbackDoor(to: server)
        let inside = try RawClient(upgradingOn: door.port)
        let outside = try RawClient(upgradingOn: door.port)
        let leaving = try RawClient(upgradingOn: door.port)
        let connections = await handler.connections(3)
        for connection in connections { connection.send(Array("\(connection.id)".utf8)) }
        let byID = Dictionary(uniqueKeysWithValues: connections.map { ("\($0.id)", $0) })
        try #require(byID[inside.receive().text]).subscribe(to: Self.channel, at: 0)
        let other = ChannelID(8)
        let leaver = try #require(try byID[leaving.receive().text])
        leaver.subscribe(to: other, at: 0)
        _ = try outside.receive()
        server.channels.close(channel: Self.channel, code: 4003, reason: "gone")
        server.channels.close(channel: other)
        server.channels.publish(Self.frame(0, 1), to: other)
        leaver.send(Array("still here".utf8))
        #expect(try inside.closeCode() == 4003)
        #expect(try leaving.receive().text == "still here")
        try outside.send(text: "hello")
        await handler.wait { $0.contains { $0.text == "hello" } }
        await handler.wait { $0.contains { $0.closeCode != nil } }
        #expect(handler.closeCodes == [4003])
    }
}
