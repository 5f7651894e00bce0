import Testing

@testable import WebSockets

/// Tests of connections that get their messages in another form than plain websocket frames.
@Suite(.timeLimit(.minutes(1)))
struct EventStreamTests {
    private static func settings(_ base: WebSocketSettings = WebSocketSettings()) -> WebSocketSettings {
        var settings = base
        settings.eventsPath = "/events"
        settings.eventID = { $0 == 0 ? nil : "e:\($0)" }
        settings.packetsPath = "/packets"
        settings.packet = { Array("<\($1)|".utf8) + $0 + [UInt8(ascii: ">")] }
        return settings
    }

    private static func stream(of door: LoopbackDoor) throws -> RawClient {
        let client = try RawClient(port: door.port)
        try client.send(Array("GET /events?x=1 HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        try client.skip(to: "\r\n\r\n")
        return client
    }

    @Test func `a frame reaches each subscriber in its own form, and an event names its position`()
        async throws
    {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.settings(), handler: handler)
        let door = try LoopbackDoor(to: server)
        let stream = try Self.stream(of: door)
        let plain = try RawClient(upgradingOn: door.port)
        let packets = try RawClient(upgradingOn: door.port, path: "/packets?a=b", headers: [])
        for connection in await handler.connections(3) {
            connection.subscribe(to: ChannelID(7), at: 1)
        }
        // Both frames leave in one run.
        server.channels.publish(.encode(text: Array("one".utf8), from: 1, to: 2), to: ChannelID(7))
        let long = String(repeating: "x", count: 200)
        server.channels.publish(.encode(text: Array(long.utf8), from: 2, to: 3), to: ChannelID(7))
        #expect(try plain.receive().text == "one")
        #expect(try plain.receive().text == long)
        #expect(try packets.receive().text == "<2|one>")
        #expect(try packets.receive().text == "<3|\(long)>")
        #expect(try stream.skip(to: "x\n\n").hasSuffix("id: e:2\ndata: one\n\nid: e:3\ndata: \(long)\n\n"))
    }

    @Test func `a stream that acknowledges nothing but TCP stays open, and its heartbeats are events`()
        async throws
    {
        let handler = Recorder()
        let server = try WebSocketServer(
            loops: 1, settings: Self.settings(LivenessTests.hasty), handler: handler)
        let door = try LoopbackDoor(to: server)
        let stream = try Self.stream(of: door)
        // Twenty heartbeats take longer than the silence that a websocket is allowed.
        for _ in 0..<20 { try stream.skip(to: "event: ping\ndata: {}\n\n") }
        #expect(handler.closeCodes.isEmpty)
    }

    @Test func `a stream ends with an event that has the code and the reason`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: Self.settings(), handler: handler)
        let door = try LoopbackDoor(to: server)
        let stream = try Self.stream(of: door)
        await handler.connections(1)[0].close(code: 4001, reason: "not_authorized")
        try stream.skip(to: "event: closed\ndata: {\"code\":4001,\"reason\":\"not_authorized\"}\n\n")
        #expect(throws: (any Error).self) { try stream.skip(to: "never") }
        #expect(handler.closeCodes == [4001])
    }
}

extension RawClient {
    /// Reads until the bytes end with `text`. Returns all that it read.
    @discardableResult
    func skip(to text: String) throws -> String {
        var read: [UInt8] = []
        while !read.suffix(text.utf8.count).elementsEqual(text.utf8) { read.append(try byte()) }
        return String(decoding: read, as: UTF8.self)
    }
}
