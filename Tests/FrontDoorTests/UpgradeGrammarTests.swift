import FrontDoor
import Testing

@Suite struct UpgradeGrammarTests {
    private let grammar = UpgradeGrammar()

    static let fields = [
        "Host: example.test", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: qring.v1",
    ]

    static func request(_ fields: [String] = fields, line: String = "GET /rooms HTTP/1.1") -> [UInt8] {
        Array((([line] + fields).joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func replacing(_ index: Int, by field: String) -> [String] {
        var fields = fields
        fields[index] = field
        return fields
    }

    @Test func `a complete upgrade request is an upgrade, and every shorter part is incomplete`() {
        let request = Self.request()
        #expect(grammar.judge(request) == .upgrade)
        for length in 0..<request.count {
            #expect(grammar.judge(Array(request[..<length])) == .incomplete, "\(length) bytes")
        }
    }

    @Test(arguments: [
        fields + [
            "Cookie: a=b", "Origin: https://example.test", "Sec-WebSocket-Extensions: permessage-deflate",
        ],
        replacing(0, by: "hOsT:example.test"),
        replacing(1, by: "Upgrade: \t WebSocket \t"),
        replacing(2, by: "Connection: keep-alive, Upgrade"),
        replacing(5, by: "Sec-WebSocket-Protocol: other, qring.v1 ,x"),
        replacing(0, by: "Host: \u{e9}.test"),
        Array(fields.reversed()),
    ])
    func `upgrade requests as browsers and libraries send them are upgrades`(fields: [String]) {
        #expect(grammar.judge(Self.request(fields)) == .upgrade)
    }

    @Test(arguments: [
        replacing(1, by: "Upgrade: bogus"), replacing(1, by: "Upgrade: websocket, h2c"),
        replacing(1, by: "Upgrade: h2c"),
        replacing(2, by: "Connection: keep-alive"), replacing(2, by: "Connection: Upgraded"),
        replacing(3, by: "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ="),
        replacing(3, by: "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==="),
        replacing(3, by: "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZ-=="),
        replacing(3, by: "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQAA"),
        replacing(4, by: "Sec-WebSocket-Version: 8"), replacing(4, by: "Sec-WebSocket-Version: 13, 8"),
        replacing(5, by: "Sec-WebSocket-Protocol: qring.v2"),
        replacing(5, by: "Sec-WebSocket-Protocol: QRING.V1"),
        replacing(0, by: "Host:"), replacing(0, by: "Host : example.test"),
        replacing(0, by: " Host: example.test"),
        fields + ["Host: again.test"], fields + ["upgrade: websocket"],
        fields + ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
        fields + ["Content-Length: 0"], fields + ["Transfer-Encoding: chunked"],
        fields + ["HTTP2-Settings: AAMAAABkAAQAAP__"],
        fields + ["Expect: 100-continue"], fields + [" folded"], fields + ["\tfolded"], fields + ["no colon"],
        fields + [": no name"],
        fields + ["X: a\0b"], fields + ["X: a\u{1}b"], fields + ["X: a\u{7f}b"], fields + ["X: a\nY: b"],
        fields + ["X: a\rY: b"],
        Array(fields.dropLast()), [],
    ])
    func `a missing, repeated, foreign or malformed field makes the request plain HTTP`(fields: [String]) {
        #expect(grammar.judge(Self.request(fields)) == .http)
    }

    @Test(arguments: [
        "GET /rooms HTTP/1.0", "GET /rooms?lang=ko HTTP/1.1", "GET /rooms/ HTTP/1.1", "get /rooms HTTP/1.1",
        "POST /rooms HTTP/1.1",
        "GET  /rooms HTTP/1.1", "GET /rooms HTTP/1.1 ", "", "\u{16}\u{3}\u{1}",
    ])
    func `a request with any other request line is plain HTTP`(line: String) {
        #expect(grammar.judge(Self.request(line: line)) == .http)
    }

    @Test func `plain HTTP is recognised at the first byte that differs from an upgrade`() {
        #expect(grammar.judge(Array("P".utf8)) == .http)
        #expect(grammar.judge(Array("GET /r".utf8)) == .incomplete)
        #expect(grammar.judge(Array("GET /x".utf8)) == .http)
        #expect(grammar.judge(Array("\n".utf8)) == .http)
        #expect(grammar.judge(Array("GET /rooms HTTP/1.1\n".utf8)) == .http)
        #expect(grammar.judge(Array("GET /rooms HTTP/1.1\r\nHost: a\n".utf8)) == .http)
        #expect(grammar.judge(Array("GET /rooms HTTP/1.1\r\nHost: a\0".utf8)) == .http)
    }

    @Test(arguments: ["x", "\r\n", "GET / HTTP/1.1\r\n\r\n", "\u{81}\u{80}"])
    func `bytes after the end of the head make the request plain HTTP`(more: String) {
        #expect(grammar.judge(Self.request() + Array(more.utf8)) == .http)
    }

    @Test
    func
        `a head of exactly the limit is an upgrade, and a longer or endless head is plain HTTP`()
    {
        let size = Self.request(Self.fields + ["X: "]).count
        for (total, verdict) in [(8_192, UpgradeGrammar.Verdict.upgrade), (8_193, .http)] {
            let padded = Self.request(Self.fields + ["X: " + String(repeating: "a", count: total - size)])
            #expect(padded.count == total && grammar.judge(padded) == verdict)
        }
        let endless =
            Array(Self.request().dropLast(2)) + Array(("X: " + String(repeating: "a", count: 9_000)).utf8)
        #expect(grammar.judge(Array(endless.prefix(8_191))) == .incomplete)
        #expect(grammar.judge(Array(endless.prefix(8_192))) == .http)
    }

    private let others = UpgradeGrammar(others: [
        .eventStream("/rooms/events"), .webSocket("/socket.io/", subprotocol: nil, allowsQuery: true),
    ])

    @Test(arguments: [
        "GET /rooms/events HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /rooms/events?ticket=x&room=session:1 HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n",
        "GET /rooms/events? HTTP/1.1\r\nConnection: keep-alive\r\nhost: a\r\n\r\n",
    ])
    func `the request of an event stream is an upgrade, and every shorter part is incomplete`(text: String) {
        let request = Array(text.utf8)
        #expect(others.judge(request) == .upgrade)
        #expect(grammar.judge(request) == .http)
        for length in 0..<request.count {
            #expect(others.judge(Array(request[..<length])) == .incomplete, "\(length) bytes")
        }
        #expect(others.judge(request + [0x20]) == .http)
    }

    @Test(arguments: [
        "GET /rooms/events HTTP/1.0\r\nHost: a\r\n\r\n",
        "POST /rooms/events HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /rooms/event HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /rooms/events/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /rooms/events?a b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /rooms/events?a\u{7f} HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /rooms/events HTTP/1.1\r\n\r\n",
        "GET /rooms/events HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET /rooms/events HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
        "GET /rooms/events HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "GET /rooms/events HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET /rooms?x HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func `a request of another form is plain HTTP`(text: String) {
        #expect(others.judge(Array(text.utf8)) == .http)
    }

    @Test func `an endpoint without a subprotocol takes an upgrade with or without one, and with a query`() {
        for line in ["GET /socket.io/?EIO=4 HTTP/1.1", "GET /socket.io/ HTTP/1.1"] {
            #expect(others.judge(Self.request(line: line)) == .upgrade)
            #expect(others.judge(Self.request(Array(Self.fields.dropLast()), line: line)) == .upgrade)
            #expect(others.judge(Self.request(Array(Self.fields.dropLast(2)), line: line)) == .http)
        }
        #expect(others.judge(Self.request(Array(Self.fields.dropLast()))) == .http)
        #expect(others.judge(Self.request(line: "GET /rooms?x HTTP/1.1")) == .http)
    }
}
