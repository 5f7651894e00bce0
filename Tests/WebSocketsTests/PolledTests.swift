import Testing

@testable import WebSockets

/// Tests of connections without a socket, whose clients poll.
@Suite(.timeLimit(.minutes(1)))
struct PolledTests {
    private static let channel = ChannelID(7)

    private static var settings: WebSocketSettings {
        var settings = WebSocketSettings()
        settings.packetsPath = "/packets"
        settings.packet = { Array("<\($1)|".utf8) + $0 + [UInt8(ascii: ">")] }
        settings.closingPacket = Array("bye".utf8)
        return settings
    }

    private static func frame(_ text: String, from: UInt64) -> Frame {
        .encode(text: Array(text.utf8), from: from, to: from + 1)
    }

    private static func texts(_ answer: PollAnswer) -> [String]? {
        guard case .packets(let packets) = answer else { return nil }
        return packets.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a poll waits for a frame, and the next one gets all later frames`() async throws {
        let server = try WebSocketServer(loops: 1, settings: Self.settings, handler: Recorder())
        let client = try #require(await server.channels.openPolled(UpgradeHead()))
        client.subscribe(to: Self.channel, at: 1)
        async let first = client.poll()
        server.channels.publish(Self.frame("one", from: 1), to: Self.channel)
        #expect(Self.texts(await first) == ["<2|one>"])
        server.channels.publish(Self.frame("two", from: 2), to: Self.channel)
        server.channels.publish(Self.frame("three", from: 3), to: Self.channel)
        #expect(Self.texts(await client.poll()) == ["<3|two>", "<4|three>"])
        #expect(server.channels.statistics.connections == 1)
    }

    @Test func `a client that does not poll misses frames, and catches up when it polls`() async throws {
        let handler = Recorder(onFellBehind: { connection, channel, position in
            connection.catchUp(channel, [Self.frame("missed", from: position)])
        })
        let server = try WebSocketServer(loops: 1, settings: Self.settings, handler: handler)
        let client = try #require(await server.channels.openPolled(UpgradeHead()))
        client.subscribe(to: Self.channel, at: 1)
        let long = String(repeating: "x", count: PolledMailbox.frameBound)
        server.channels.publish(Self.frame(long, from: 1), to: Self.channel)
        server.channels.publish(Self.frame("two", from: 2), to: Self.channel)
        #expect(Self.texts(await client.poll()) == ["<2|\(long)>"])
        #expect(Self.texts(await client.poll()) == ["<3|missed>"])
        #expect(handler.falls == [2])
    }

    @Test func `the next poll gets all that the handler has answered to the messages before it`() async throws
    {
        let handler = Recorder(onReceived: { text, connection in connection.send(text) })
        let server = try WebSocketServer(loops: 1, settings: Self.settings, handler: handler)
        let client = try #require(await server.channels.openPolled(UpgradeHead()))
        for _ in 0..<20 {
            #expect(await client.receive(["a", "b", "c"].map { .text(Array($0.utf8)) }))
            #expect(Self.texts(await client.poll()) == ["a", "b", "c"])
        }
        client.endPolled()
        #expect(await !client.receive([.text([])]))
    }

    @Test func `two polls at once end the connection`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.settings, handler: handler)
        let client = try #require(await server.channels.openPolled(UpgradeHead()))
        async let one = client.poll()
        async let other = client.poll()
        let both = [Self.texts(await one), Self.texts(await other)]
        #expect(both.contains(["bye"]) && both.contains(nil))
        #expect(await client.poll() == .ended)
        #expect(handler.closeCodes == [1008])
        #expect(server.channels.statistics.connections == 0)
    }

    @Test func `a client that was between two polls gets the packets that were sent before the close`()
        async throws
    {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.settings, handler: handler)
        let client = try #require(await server.channels.openPolled(UpgradeHead()))
        client.send(Array("why".utf8))
        client.close(code: 4001)
        #expect(Self.texts(await client.poll()) == ["why", "bye"])
        #expect(await client.poll() == .ended)
        #expect(handler.closeCodes == [4001])
    }

    @Test(arguments: [CloseCode.goingAway, CloseCode.slow])
    func `a poll fails if its client should connect again, and gets no last packet`(code: UInt16) async throws
    {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.settings, handler: handler)
        let client = try #require(await server.channels.openPolled(UpgradeHead()))
        client.send(Array("first".utf8))
        #expect(Self.texts(await client.poll()) == ["first"])
        async let waiting = client.poll()
        // The loop handles messages in order, and this one comes after the poll or before it.
        client.close(code: code)
        #expect([.tryAgain, .ended].contains(await waiting))
        #expect(await client.poll() == .ended)
        #expect(handler.closeCodes == [code])
    }

    @Test func `a server that stops lets waiting polls fail, so that their clients connect again`()
        async throws
    {
        let server = try WebSocketServer(loops: 1, settings: Self.settings, handler: Recorder())
        let client = try #require(await server.channels.openPolled(UpgradeHead()))
        async let waiting = client.poll()
        await server.drain(within: .seconds(5))
        #expect([.tryAgain, .ended].contains(await waiting))
    }

    @Test func `a websocket takes over the subscriptions and the packets of a polled connection`()
        async throws
    {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try #require(await server.channels.openPolled(UpgradeHead()))
        client.subscribe(to: Self.channel, at: 1)
        client.send(Array("waiting".utf8))
        let socket = try RawClient(upgradingOn: door.port, path: "/packets?x", headers: [])
        await handler.connections(2)[1].becomeSocket(of: client)
        server.channels.publish(Self.frame("one", from: 1), to: Self.channel)
        #expect(try socket.receive().text == "waiting")
        #expect(try socket.receive().text == "<2|one>")
        #expect(await client.poll() == .ended)
        #expect(client.form == .packets)
        #expect(server.channels.statistics.connections == 1)
        try socket.send(text: "hello")
        await handler.wait { $0.contains { $0.text == "hello" } }
        #expect(handler.closeCodes.isEmpty)
    }
}
