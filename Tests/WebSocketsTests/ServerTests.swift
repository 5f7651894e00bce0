import Testing

@testable import WebSockets

@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
    static func echo() -> Recorder { Recorder(onReceived: { text, connection in connection.send(text) }) }

    @Test func `an upgrade is answered with the subprotocol and tells the handler what it carried`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(
            upgradingOn: door.port, path: "/rooms?a=1&b=x%20y",
            headers: [
                "Sec-WebSocket-Protocol: other, qring.v1", "Authorization: Bearer t", "Cookie: s=1; u=2", "Origin: https://a.example",
                "X-Forwarded-For: 10.0.0.1, 10.0.0.2", "X-Forwarded-Proto: https",
            ])
        #expect(client.head.lowercased().contains("sec-websocket-protocol: qring.v1\r\n"))
        _ = await handler.connections(1)
        let head = try #require(handler.events.first?.request)
        #expect(head.path == "/rooms")
        #expect(head.query == "a=1&b=x y")
        #expect(head.peer == "127.0.0.1")
        #expect(head[header: "authorization"] == "Bearer t")
        #expect(head[header: "cookie"] == "s=1; u=2")
        #expect(head[header: "origin"] == "https://a.example")
        #expect(head[header: "host"] == "127.0.0.1:\(door.port)")
        #expect(head[header: "x-forwarded-for"] == "10.0.0.1, 10.0.0.2")
        #expect(head[header: "x-forwarded-proto"] == "https")
        #expect(head[header: "user-agent"] == nil)
        await server.drain(within: .seconds(1))
    }

    @Test(arguments: [0, 1, 125, 126, 511, 512, 513, 65_535, 65_536])
    func `text goes both ways`(length: Int) async throws {
        let server = try WebSocketServer(loops: 1, handler: Self.echo())
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        let text = String(repeating: "x", count: length)
        try client.send(text: text)
        #expect(try client.receive().text == text)
    }
}
