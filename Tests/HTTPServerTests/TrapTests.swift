import HTTPServer
import Testing

/// Checks the server with broken, hostile and unlucky clients.
@Suite(.timeLimit(.minutes(1)))
struct TrapTests {
    private static func post(_ headers: String) -> String { "POST /x HTTP/1.1\r\nHost: h\r\n\(headers)\r\n" }

    @Test(arguments: [
        ("two lengths", post("Content-Length: 3\r\nContent-Length: 3\r\n"), 400),
        ("a length beside chunked", post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"), 400),
        ("another coding", post("Transfer-Encoding: gzip, chunked\r\n"), 501),
        ("two codings", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 501),
        ("a length of 18 digits", post("Content-Length: 999999999999999999\r\n"), 413),
        ("no host", "GET /x HTTP/1.1\r\n\r\n", 400),
        ("two hosts", "GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("a NUL in the path", "GET /a\0b HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("an escaped NUL in the path", "GET /a%00b HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("half an escape", "GET /a%2 HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("an escape of no digits", "GET /?a=%zz HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("a space in the path", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("no slash", "GET a HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("a header's name with a space", "GET /x HTTP/1.1\r\nHost: h\r\nContent-Length : 3\r\n\r\n", 400),
        ("a method of 21 bytes", "\(String(repeating: "A", count: 21)) /x HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("an escape in the method", "G\u{1b}[2JET /x HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("a letter beyond ASCII in the method", "GÉT /x HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("a separator in the method", "GET: /x HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("a version to come", "GET /x HTTP/1.7\r\nHost: h\r\n\r\n", 400),
        (
            "9 KB of headers",
            "GET /x HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "a", count: 9_000))\r\n\r\n", 431
        ),
        ("a list of lengths", post("Content-Length: 3, 3\r\n"), 400),
        ("a signed length", post("Content-Length: +3\r\n"), 400),
        ("a negative length", post("Content-Length: -3\r\n"), 400),
        ("a length of no digits", post("Content-Length: abc\r\n") + "abc", 400),
        ("a length beyond 64 bits", post("Content-Length: 99999999999999999999999\r\n"), 413),
        ("a chunked HTTP/1.0", "POST /x HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
    ])
    func `a malformed request gets an answer from the responder, and the connection ends`(
        name: String, request: String, status: Int
    )
        async throws
    {
        let test = try TestServer()
        let client = try test.connect()
        let answer = try await client.ask(request)
        #expect(answer.status == status, "\(name)")
        #expect(answer.body.hasPrefix("refused: "), "\(name)")
        #expect(answer.headers["connection"] == "close", "\(name)")
        #expect(try await client.remainder() == "", "\(name)")
        let exchange = await test.responder.over.take()
        #expect(exchange.status == status && exchange.head.peer == "192.0.2.7", "\(name)")
    }

    @Test func `a malformed length is refused on its own connection, even if its head arrives in parts`()
        async throws
    {
        let test = try TestServer()
        let waiting = try test.connect()
        let client = try test.connect()
        let last = try test.connect()
        client.send("POST /late HTTP/1.1\r\nHost: h\r\n")
        for other in [waiting, last] {
            other.send("POST /x HTTP/1.1\r\nHost: h\r\n")
            // When the server has answered this request, it has also read the line above.
            _ = try await test.connect().ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = await test.responder.over.take()
        }
        #expect(try await client.ask("Content-Length: x\r\n\r\n").status == 400)
        #expect(await test.responder.over.take().head.path == "/late")
        for other in [waiting, last] {
            #expect(try await other.ask("Content-Length: 0\r\n\r\n").status == 200)
        }
    }

    @Test func `each request that libmicrohttpd refuses is reported once, with the client's address`()
        async throws
    {
        let test = try TestServer()
        for (request, path) in [
            ("GARBAGE\r\n\r\n", "-"), ("GET /x HTTP/1.1\r\nHost\r\n\r\n", "/x"), ("GET /x\r\n\r\n", "-"),
        ] {
            for keepsAlive in [false, true] {
                let client = try test.connect()
                if keepsAlive {
                    #expect(try await client.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
                    #expect(await test.responder.over.take().status == 200)
                }
                client.send(request)
                _ = try await client.remainder()
                let exchange = await test.responder.over.take()
                #expect(
                    exchange.status == 400 && exchange.head.path == path && exchange.head.peer == "192.0.2.7",
                    "\(request)")
            }
        }
        // None of these clients is reported as refused: clients that disconnect with or without a request,
        // and clients whose connection the server closes.
        for request in [
            "", "GET /now HTTP/1.1\r\nHost: h\r\n\r\n", "GET /now HTTP/1.0\r\n\r\n",
            "GET /now HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
        ] {
            let client = try test.connect()
            client.send(request)
            if !request.isEmpty {
                #expect(try await client.answer().status == 200)
                #expect(await test.responder.over.take().status == 200)
            }
            client.close()
        }
        let client = try test.connect()
        #expect(
            try await client.ask("GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").status == 200)
        #expect(try await client.remainder() == "")
        #expect(await test.responder.over.take().head.path == "/last")
    }

    /// These requests never reach the responder, because libmicrohttpd refuses them with its own page.
    @Test(arguments: [
        ("no colon", "GET /x HTTP/1.1\r\nHost\r\n\r\n", "400"),
        ("HTTP/2 with prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505"),
        ("no version", "GET /x\r\n\r\n", "400"),
        (
            "40 KB of headers",
            "GET /x HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n", "431"
        ),
        ("40 KB of path", "GET /\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\nHost: h\r\n\r\n", "414"),
        ("a chunk of no size", post("Transfer-Encoding: chunked\r\n") + "zz\r\n", "400"),
    ])
    func `a request that libmicrohttpd cannot read is refused, and the connection ends`(
        name: String, request: String, status: String
    )
        async throws
    {
        let test = try TestServer()
        let client = try test.connect()
        client.send(request)
        let all = try await client.remainder()
        // If the client is still sending, a reset may arrive before the answer. The test then checks only
        // that the connection has ended.
        if !request.utf8.isEmpty, request.utf8.count < 16_384 {
            #expect(all.hasPrefix("HTTP/1.1 \(status) "), "\(name): \(all)")
        }
        #expect(all.utf8.count < 1_024, "\(name)")
    }

    @Test func `a head of 8,192 bytes is accepted, and a head of 8,193 bytes gets 431`() async throws {
        let start = "GET /now HTTP/1.1\r\nHost: h\r\nX: "
        for (size, status) in [(8_192, 200), (8_193, 431)] {
            let test = try TestServer()
            let padding = String(repeating: "a", count: size - start.utf8.count - 4)
            #expect(try await test.connect().ask(start + padding + "\r\n\r\n").status == status)
        }
    }

    @Test func `a body of exactly the limit is accepted, and a longer body gets 413 on an open connection`()
        async throws
    {
        let test = try TestServer(TestResponder(bodyLimit: 100))
        let client = try test.connect()
        for framing in ["length", "chunked"] {
            for (count, status) in [(100, 200), (101, 413)] {
                let body = String(repeating: "b", count: count)
                let rest =
                    framing == "length"
                    ? "Content-Length: \(count)\r\n\r\n\(body)"
                    : "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
                #expect(
                    try await client.ask("POST /x HTTP/1.1\r\nHost: h\r\n\(rest)").status == status,
                    "\(framing) \(count)")
            }
        }
        #expect(try await client.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
    }

    @Test func `an endless body gets 413, and the connection is closed`() async throws {
        var settings = HTTPSettings()
        settings.swallowLimit = 1_000
        let test = try TestServer(TestResponder(bodyLimit: 100), settings: settings)
        let client = try test.connect()
        client.send("POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<20 { client.send("64\r\n\(String(repeating: "c", count: 100))\r\n") }
        _ = try await client.remainder()
        #expect(await test.responder.over.take().status == 413)
    }

    @Test func `a request without a length has no body`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        #expect(try await client.ask("POST /x HTTP/1.1\r\nHost: h\r\n\r\n").body == "POST /x [] 192.0.2.7 ")
        #expect(try await client.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
    }

    @Test func `a request that is not complete at its deadline ends with 408, even if bytes still arrive`()
        async throws
    {
        var settings = HTTPSettings()
        settings.requestDeadline = .milliseconds(200)
        let test = try TestServer(settings: settings)
        let head = try test.connect()
        let body = try test.connect()
        let line = try test.connect()
        head.send("GET /x HTTP/1.1\r\nX: ")
        body.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
        line.send("GET /")
        // Sends one byte every 5 ms on each connection until all connections have ended.
        let trickle = Task {
            try await offPool { Pace.run { [head, body, line].map { $0.sendOne("a") }.contains(true) } }
        }
        #expect(try await head.remainder().hasPrefix("HTTP/1.1 408 "))
        #expect(try await body.remainder().hasPrefix("HTTP/1.1 408 "))
        _ = try await line.remainder()
        #expect(test.server.statistics.timeouts == 3)
        try await trickle.value
    }

    @Test func `the server closes a connection that is silent before its first request or between two`()
        async throws
    {
        var settings = HTTPSettings()
        settings.requestDeadline = .milliseconds(100)
        settings.idleLimit = .milliseconds(100)
        let test = try TestServer(settings: settings)
        let silent = try test.connect()
        let kept = try test.connect()
        #expect(try await kept.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
        #expect(try await silent.remainder() == "")
        #expect(try await kept.remainder() == "")
        #expect(test.server.statistics.timeouts == 2)
    }

    @Test func `the server closes the connection of a client that does not read its answer`() async throws {
        var settings = HTTPSettings()
        settings.answerDeadline = .milliseconds(200)
        let test = try TestServer(TestResponder(bigBody: 20_000_000), settings: settings)
        let client = try test.connect()
        client.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
        let exchange = await test.responder.over.take()
        #expect(exchange.status == 200 && !exchange.isComplete)
    }

    @Test func `a client that disconnects before its answer does not disturb other clients`() async throws {
        let test = try TestServer()
        let leaving = try test.connect()
        leaving.send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n")
        await test.responder.gate.hasWaiting(1)
        leaving.close()
        let staying = try test.connect()
        #expect(try await staying.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
        _ = await test.responder.over.take()
        test.responder.gate.open()
        _ = await test.responder.over.take()
        #expect(test.server.statistics.inFlight == 0)
        #expect(try await staying.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
    }

    @Test func `a request beyond the in-flight limit gets 503 with Retry-After on an open connection`()
        async throws
    {
        var settings = HTTPSettings()
        settings.inFlightLimit = 2
        let test = try TestServer(settings: settings)
        let held = try (0..<2).map { _ in try test.connect() }
        for client in held { client.send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n") }
        await test.responder.gate.hasWaiting(2)
        let client = try test.connect()
        let refused = try await client.ask("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(refused.status == 503 && refused.headers["retry-after"] == "1")
        test.responder.gate.open()
        for client in held { #expect(try await client.answer().body == "held") }
        #expect(try await client.ask("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n").body == "held")
        #expect(test.server.statistics.overloads == 1)
    }

    @Test func `a connection beyond the limit gets 503 and is closed`() async throws {
        var settings = HTTPSettings()
        settings.connectionLimit = 1
        let test = try TestServer(settings: settings)
        let first = try test.connect()
        #expect(try await first.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
        let second = try test.connect()
        #expect(try await second.remainder().hasPrefix("HTTP/1.1 503 "))
        #expect(test.server.statistics.turnedAwayConnections == 1)
        #expect(try await first.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
    }
}
