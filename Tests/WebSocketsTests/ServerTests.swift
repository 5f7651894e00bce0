import Testing

@testable import WebSockets

@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
    static func echo() -> Recorder { Recorder(onReceived: { text, connection in connection.send(text) }) }

    @Test func `an upgrade is answered with the subprotocol, and the handler gets its headers`()
        async throws
    {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(
            upgradingOn: door.port,
            headers: [
                "Sec-WebSocket-Protocol: other, qring.v1", "Authorization: Bearer t", "Cookie: s=1; u=2",
                "Origin: https://a.example",
                "X-Forwarded-For:  10.0.0.1, 10.0.0.2 ", "X-Forwarded-Proto: https",
                "X-FORWARDED-HOST: a.example",
                "X-Forwarded-For:\t10.0.0.3",
                "Cookie: v=3", "X-Other: 1", "Accept-Language:",
            ])
        #expect(client.head.lowercased().contains("sec-websocket-protocol: qring.v1\r\n"))
        _ = await handler.connections(1)
        let head = try #require(handler.events.first?.request)
        #expect(head.peer == "127.0.0.1")
        #expect(head[header: "authorization"] == "Bearer t")
        #expect(head[header: "cookie"] == "s=1; u=2; v=3")
        #expect(head[header: "origin"] == "https://a.example")
        #expect(head[header: "host"] == "127.0.0.1:\(door.port)")
        #expect(head[header: "x-forwarded-for"] == "10.0.0.1, 10.0.0.2, 10.0.0.3")
        #expect(head[header: "x-forwarded-host"] == "a.example")
        #expect(head[header: "accept-language"] == "")
        #expect(head[header: "x-other"] == nil)
        #expect(head[header: "x-forwarded-proto"] == "https")
        #expect(head[header: "user-agent"] == nil)
        await server.drain(within: .seconds(1))
    }

    /// The example is from RFC 6455 §1.3.
    @Test func `the server's answer to the standard's example key is the standard's answer`() {
        #expect(Handshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func `frames may arrive together with the upgrade, and an upgrade may arrive in pieces`()
        async throws
    {
        let server = try WebSocketServer(loops: 1, handler: Self.echo())
        let door = try LoopbackDoor(to: server)
        let upgrade = RawClient.upgrade(port: door.port, headers: ["Sec-WebSocket-Protocol: qring.v1"])
        let together = try RawClient(port: door.port)
        try together.send(
            upgrade + RawClient.frame(0x81, Array("first".utf8)) + RawClient.frame(0x01, Array("sec".utf8)))
        try together.receiveUpgrade()
        try together.send(RawClient.frame(0x80, Array("ond".utf8)))
        #expect(try [together.receive().text, together.receive().text] == ["first", "second"])
        let piecewise = try RawClient(port: door.port)
        for byte in upgrade { try piecewise.send([byte]) }
        try piecewise.receiveUpgrade()
    }

    @Test(arguments: [0, 1, 125, 126, 511, 512, 513, 65_535, 65_536])
    func `a text message of every length goes both ways`(length: Int) async throws {
        let server = try WebSocketServer(loops: 1, handler: Self.echo())
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        let text = String(repeating: "x", count: length)
        try client.send(text: text)
        #expect(try client.receive().text == text)
    }
}
