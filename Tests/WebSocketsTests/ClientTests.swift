import Glibc
import Testing

@testable import WebSockets

@Suite(.timeLimit(.minutes(1)))
struct ClientTests {
    static func request(_ door: LoopbackDoor) -> WebSocketRequest {
        WebSocketRequest(host: "127.0.0.1", port: door.port)
    }

    static func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test func `the client sends the given path and headers, and text goes both ways`() async throws {
        let handler = ServerTests.echo()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        var request = WebSocketRequest(host: "localhost", port: door.port, path: "/rooms?x=1")
        request.headers = [("Authorization", "Bearer secret"), ("Origin", "https://a.example")]
        let client = try WebSocketClient()
        let connection = try await client.connect(request)
        _ = await handler.connections(1)
        let head = try #require(handler.events.first?.request)
        #expect(head.target == "/rooms?x=1")
        #expect(head[header: "authorization"] == "Bearer secret")
        #expect(head[header: "origin"] == "https://a.example")
        #expect(head[header: "host"] == "localhost:\(door.port)")
        for length in [0, 1, 125, 126, 4_095, 4_096, 4_097, 65_535, 65_536] {
            let text = String(repeating: "가", count: length / 3) + String(repeating: "x", count: length % 3)
            try connection.send(text)
            #expect(Self.text(await connection.next()) == text)
        }
    }

    @Test func `the client receives the server's close code and reason`() async throws {
        let handler = Recorder(onOpened: { connection in
            connection.send(Array("first".utf8))
            connection.close(code: 4003, reason: "gone")
        })
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let connection = try await WebSocketClient.shared().connect(Self.request(door))
        var texts: [String?] = []
        for await message in connection.messages { texts.append(Self.text(message)) }
        #expect(texts == ["first"])
        #expect(connection.closed == WebSocketClose(code: 4003, reason: "gone"))
        #expect(throws: WebSocketError.closed) { try connection.send("late") }
        await handler.wait { $0.contains { $0.closeCode != nil } }
        #expect(handler.closeCodes == [4003])
    }

    @Test func `the server is notified when the client closes or releases its connection`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try WebSocketClient()
        do {
            let connection = try await client.connect(Self.request(door))
            connection.close(code: 1000, reason: "done")
            #expect(await connection.next() == nil)
            #expect(connection.closed == WebSocketClose(code: 1000, reason: "done"))
            await handler.wait { $0.contains { $0.closeCode == 1000 } }
            _ = try await client.connect(Self.request(door))
        }
        await handler.wait { $0.contains { $0.closeCode == 1001 } }
    }

    @Test func `a slow reader receives every message in order`() async throws {
        let total = UInt64(20_000)
        let channel = ChannelID(1)
        let padding = String(repeating: "x", count: 200)
        // Sends the whole history in parts: the next 300 frames whenever the client has fallen behind.
        let handler = Recorder(
            onOpened: { $0.subscribe(to: channel, at: 0) },
            onFellBehind: { connection, channel, position in
                let frames = (position..<min(position + 300, total)).map { step in
                    Frame.encode(text: Array("\(step) \(padding)".utf8), from: step, to: step + 1)
                }
                connection.catchUp(channel, frames)
            })
        var settings = WebSocketSettings()
        // The client is behind until it has read everything, so the deadline for slow clients is long.
        settings.slowDeadline = .seconds(600)
        let server = try WebSocketServer(loops: 1, settings: settings, handler: handler)
        server.channels.publish(Frame.encode(text: [], from: total - 1, to: total), to: channel)
        let door = try LoopbackDoor(to: server)
        let connection = try await WebSocketClient.shared().connect(Self.request(door))
        var next: UInt64 = 0
        for await message in connection.messages {
            let number = Self.text(message)?.split(separator: " ").first.flatMap { UInt64($0) }
            #expect(number == next)
            next += 1
            if next == total { break }
            if next % 100 == 0 { await Task.yield() }
        }
        #expect(next == total, "\(String(describing: connection.closed)) \(handler.closeCodes)")
        #expect(server.channels.statistics.closedSlow == 0)
    }

    @Test func `the client reports different errors for a silent, a refusing and an unreachable server`()
        async throws
    {
        let client = try WebSocketClient.shared()
        let listener = try SilentListener()
        var silent = WebSocketRequest(host: "127.0.0.1", port: listener.port)
        silent.deadline = .milliseconds(300)
        await #expect(throws: WebSocketError.timedOut) { _ = try await client.connect(silent) }

        let refusing = try SilentListener(answering: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        await #expect(throws: WebSocketError.refused(status: 403)) {
            _ = try await client.connect(WebSocketRequest(host: "127.0.0.1", port: refusing.port))
        }

        let closed = try SilentListener().port
        let failure = await #expect(throws: WebSocketError.self) {
            _ = try await client.connect(WebSocketRequest(host: "127.0.0.1", port: closed))
        }
        guard case .notConnected = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        let unknown = await #expect(throws: WebSocketError.self) {
            _ = try await client.connect(WebSocketRequest(host: "no-such-host.invalid", port: 80))
        }
        guard case .nameNotResolved = unknown else {
            Issue.record("\(String(describing: unknown))")
            return
        }
    }

    @Test func `the caller can cancel an attempt to connect`() async throws {
        let client = try WebSocketClient.shared()
        let listener = try SilentListener()
        let port = listener.port
        let attempt = Task { try await client.connect(WebSocketRequest(host: "127.0.0.1", port: port)) }
        listener.waitForConnection()
        attempt.cancel()
        await #expect(throws: WebSocketError.cancelled) { _ = try await attempt.value }
    }

    @Test func `the caller can cancel waiting for a message, and wait again later`() async throws {
        let handler = ServerTests.echo()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let connection = try await WebSocketClient.shared().connect(Self.request(door))
        let reading = Task { await connection.next() }
        reading.cancel()
        #expect(await reading.value == nil)
        try connection.send("still")
        #expect(Self.text(await connection.next()) == "still")
    }

    @Test func `the client refuses to send a header with a line break`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        var request = Self.request(door)
        request.headers = [("Authorization", "a\r\nCookie: b")]
        await #expect(throws: WebSocketError.self) { _ = try await WebSocketClient.shared().connect(request) }
        #expect(handler.events.isEmpty)
    }
}
