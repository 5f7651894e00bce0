import Glibc
import Testing

@testable import WebSockets

/// Checks the close code for each mistake that a client can make.
@Suite(.timeLimit(.minutes(1)))
struct HostileClientTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: UInt16
        let bytes: [UInt8]
    }

    static let mistakes = [
        Mistake(
            testDescription: "one byte too many", code: 1009,
            bytes: RawClient.frame(0x81, Array(repeating: 0x61, count: 65_537))),
        Mistake(
            testDescription: "an announced length beyond the limit", code: 1009,
            bytes: RawClient.frame(0x81, Array(repeating: 0x61, count: 2_000), announcing: 1 << 40)),
        Mistake(
            testDescription: "fragments that add up to too much", code: 1009,
            bytes: (0..<70).flatMap {
                RawClient.frame($0 == 0 ? 0x01 : 0x00, Array(repeating: 0x61, count: 1_000))
            }),
        Mistake(
            testDescription: "empty fragments for ever", code: 1008,
            bytes: RawClient.frame(0x01, []) + (0..<5_000).flatMap { _ in RawClient.frame(0x00, []) }),
        Mistake(testDescription: "bad UTF-8", code: 1007, bytes: RawClient.frame(0x81, [0x61, 0xff, 0x61])),
        Mistake(
            testDescription: "a character cut short", code: 1007, bytes: RawClient.frame(0x81, [0xed, 0x95])),
        Mistake(
            testDescription: "a surrogate", code: 1007, bytes: RawClient.frame(0x81, [0xed, 0xa0, 0x80])),
        Mistake(testDescription: "a reserved bit", code: 1002, bytes: RawClient.frame(0xc1, [0x61])),
        Mistake(testDescription: "a reserved opcode", code: 1002, bytes: RawClient.frame(0x83, [0x61])),
        Mistake(testDescription: "a fragmented ping", code: 1002, bytes: RawClient.frame(0x09, [0x61])),
        Mistake(
            testDescription: "a continuation of nothing", code: 1002, bytes: RawClient.frame(0x80, [0x61])),
        Mistake(
            testDescription: "a message within a message", code: 1002,
            bytes: RawClient.frame(0x01, [0x61]) + RawClient.frame(0x81, [0x61])),
        Mistake(testDescription: "binary", code: 1003, bytes: RawClient.frame(0x82, [0x00])),
        Mistake(testDescription: "close code 999", code: 1002, bytes: RawClient.frame(0x88, [0x03, 0xe7])),
        Mistake(testDescription: "close code 1005", code: 1002, bytes: RawClient.frame(0x88, [0x03, 0xed])),
        Mistake(testDescription: "close code 2999", code: 1002, bytes: RawClient.frame(0x88, [0x0b, 0xb7])),
        Mistake(testDescription: "close code 5000", code: 1002, bytes: RawClient.frame(0x88, [0x13, 0x88])),
        Mistake(testDescription: "close code 65535", code: 1002, bytes: RawClient.frame(0x88, [0xff, 0xff])),
        Mistake(testDescription: "half a close code", code: 1002, bytes: RawClient.frame(0x88, [0x03])),
        Mistake(
            testDescription: "a reason that is not UTF-8", code: 1007,
            bytes: RawClient.frame(0x88, [0x03, 0xe8, 0xff])),
        Mistake(
            testDescription: "a ping of 126 bytes", code: 1002,
            bytes: RawClient.frame(0x89, Array(repeating: 0, count: 126))),
        Mistake(testDescription: "a frame without a mask", code: 1002, bytes: [0x81, 3, 0x61, 0x62, 0x63]),
        Mistake(testDescription: "a ping without a mask", code: 1002, bytes: [0x89, 0]),
    ]

    @Test(arguments: mistakes)
    func `a mistake of the client closes its connection with the mistake's code`(_ mistake: Mistake)
        async throws
    {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        // The server may close the connection before all bytes are sent.
        try? client.send(mistake.bytes)
        #expect(try client.closeCode() == Int(mistake.code))
        shutdown(client.fileDescriptor, CInt(SHUT_RDWR))
        await handler.wait { $0.contains { $0.closeCode != nil } }
        #expect(handler.closeCodes == [mistake.code])
        #expect(handler.texts.isEmpty)
        await server.drain()
        #expect(server.channels.statistics.connections == 0)
    }

    /// The server closes the connection because of a message, and finds the mistake behind the message in the
    /// same packet. So it waits for a close frame from a client whose frames it cannot parse.
    @Test(arguments: mistakes)
    func `a client that continues after its mistake harms nobody`(_ mistake: Mistake) async throws {
        let handler = Recorder(onReceived: { text, connection in
            if text == Array("close".utf8) {
                connection.close(code: CloseCode.policy, reason: "")
            } else {
                connection.send(text)
            }
        })
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let other = try RawClient(upgradingOn: door.port)
        let client = try RawClient(upgradingOn: door.port)
        try? client.send(RawClient.frame(0x81, Array("close".utf8)) + mistake.bytes)
        while try client.receive().opcode != 8 {}
        for _ in 0..<10 {
            try? client.send([0])
            try other.send(text: "alive")
            #expect(try other.receive().text == "alive")
        }
    }

    /// RFC 6455 §5.5.3 requires an answer only to the latest ping.
    @Test func `the server answers every ping of a packet, in order and at once`() async throws {
        let server = try WebSocketServer(loops: 1, handler: ServerTests.echo())
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        let payloads = (0..<10).map { Array("ping \($0)".utf8) }
        try client.send(payloads.flatMap { RawClient.frame(0x89, $0) })
        for payload in payloads {
            #expect(try client.receive() == RawClient.Frame(opcode: 0xa, payload: payload))
        }
    }

    @Test func `without a limit, a flood of pings is answered completely and does not delay other clients`()
        async throws
    {
        var settings = WebSocketSettings()
        // No limit, because the test measures a flood that the server does not end.
        settings.controlBurst = .max
        let server = try WebSocketServer(loops: 1, settings: settings, handler: ServerTests.echo())
        let door = try LoopbackDoor(to: server)
        let flooding = try RawClient(upgradingOn: door.port)
        let other = try RawClient(upgradingOn: door.port)
        let pings = (0..<1_000).flatMap { _ in RawClient.frame(0x89, Array(repeating: 0x70, count: 125)) }
        for round in 0..<20 {
            try flooding.send(pings)
            try other.send(text: "\(round)")
            #expect(try other.receive().text == "\(round)")
            for _ in 0..<1_000 { #expect(try flooding.receive().opcode == 0xa) }
        }
    }

    /// The client's pings stay in the kernel and use no memory of the server.
    @Test func `a client that sends pings and never reads is closed as slow`() async throws {
        var settings = WebSocketSettings()
        settings.controlBurst = .max
        settings.slowDeadline = .milliseconds(300)
        settings.kernelSendBuffer = 4_096
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, settings: settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port, receiveBuffer: 4_096)
        try client.send(
            (0..<2_000).flatMap { _ in RawClient.frame(0x89, Array(repeating: 0x70, count: 125)) })
        await handler.wait { $0.contains { $0.closeCode != nil } }
        #expect(handler.closeCodes == [4002])
        withExtendedLifetime(client) {}
    }

    @Test(arguments: [1000, 1001, 1012, 1013, 1014, 3000, 4999] as [UInt16])
    func `the server answers a valid close code with the same code`(code: UInt16) async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        try client.send(RawClient.frame(0x88, [UInt8(code >> 8), UInt8(code & 0xff)] + Array("bye".utf8)))
        #expect(try client.closeCode() == Int(code))
        #expect(handler.closeCodes == [code])
    }

    @Test func `the server answers the messages before a close or a mistake, and then closes`() async throws {
        let server = try WebSocketServer(loops: 1, handler: ServerTests.echo())
        let door = try LoopbackDoor(to: server)
        for (end, code) in [(RawClient.frame(0x88, [0x03, 0xe8]), 1000), ([0x81, 0], 1002)] {
            let client = try RawClient(upgradingOn: door.port)
            try client.send(RawClient.frame(0x81, Array("last words".utf8)) + end + RawClient.frame(0x89, []))
            #expect(try client.receive().text == "last words")
            #expect(try client.closeCode() == code)
        }
    }

    @Test func `the fragments of a message are joined, even with a ping between them`() async throws {
        let handler = ServerTests.echo()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        let client = try RawClient(upgradingOn: door.port)
        try client.send(
            RawClient.frame(0x01, Array("모".utf8)) + RawClient.frame(0x89, [1]) + RawClient.frame(0x00, []))
        try client.send(RawClient.frame(0x00, Array("임".utf8.prefix(1))))
        try client.send(RawClient.frame(0x80, Array("임".utf8.dropFirst(1)) + Array("!".utf8)))
        #expect(try client.receive() == RawClient.Frame(opcode: 0xa, payload: [1]))
        #expect(try client.receive().text == "모임!")
        try client.send(text: "next")
        #expect(try client.receive().text == "next")
    }

    @Test func `an upgrade without the subprotocol, or with a different one, is refused`() async throws {
        let handler = Recorder()
        let server = try WebSocketServer(loops: 1, handler: handler)
        let door = try LoopbackDoor(to: server)
        #expect(throws: Loopback.Failure.self) { try RawClient(upgradingOn: door.port, headers: []) }
        #expect(throws: Loopback.Failure.self) {
            try RawClient(upgradingOn: door.port, headers: ["Sec-WebSocket-Protocol: other"])
        }
        let client = try RawClient(upgradingOn: door.port)
        _ = await handler.connections(1)
        #expect(handler.events.count == 1)
        try client.send(RawClient.frame(0x88, [0x03, 0xe8]))
        #expect(try client.closeCode() == 1000)
    }

    @Test func `the server closes a connection with a plain request, half an upgrade or no bytes`()
        async throws
    {
        let handler = Recorder()
        var settings = WebSocketSettings()
        settings.handshakeDeadline = .milliseconds(200)
        let server = try WebSocketServer(loops: 1, settings: settings, handler: handler)
        let door = try LoopbackDoor(to: server)
        for text in ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /rooms HTTP/1.1\r\nUpgrade: webso", ""] {
            let client = try RawClient(port: door.port)
            try client.send(Array(text.utf8))
            #expect(throws: Loopback.Failure.self) { try client.receive() }
        }
        #expect(handler.events.isEmpty)
    }
}
