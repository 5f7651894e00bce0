import HTTPServer
import Synchronization
import Testing

/// Checks what happens before and while the server stores the body of a request.
@Suite(.timeLimit(.minutes(1)))
struct BodyTests {
    private static func post(
        _ path: String, _ size: Int, _ headers: String = "", isChunked: Bool = false
    ) -> String {
        let body = String(repeating: "b", count: size)
        let head = "POST \(path) HTTP/1.1\r\nHost: h\r\n\(headers)"
        return isChunked
            ? head + "Transfer-Encoding: chunked\r\n\r\n\(String(size, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
            : head + "Content-Length: \(size)\r\n\r\n\(body)"
    }

    @Test(arguments: [false, true])
    func
        `a client whose large body is refused by the check gets the answer, although it sends the whole body`(
            isChunked: Bool
        ) async throws
    {
        let test = try TestServer(TestResponder(bodyLimit: 2_000_000))
        test.responder.checks.open()
        let client = try test.connect()
        let request = Self.post("/checked", 1_500_000, isChunked: isChunked)
        async let sent: Void = offPool { client.send(request) }
        #expect(try await client.answer().status == 401)
        try await sent
        // The connection carries the next request, and the next body is stored.
        #expect(try await client.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
        async let again: Void = offPool {
            client.send(Self.post("/checked", 1_500_000, "Token: good\r\n", isChunked: isChunked))
        }
        #expect(try await client.answer().body.utf8.count > 1_500_000)
        try await again
        #expect(test.server.statistics.bodyBytes == 0)
    }

    @Test func `a client that waits for 100 is refused by the check before it sends its body`() async throws {
        let test = try TestServer()
        test.responder.checks.open()
        let head = "POST /checked HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\nExpect: 100-continue\r\n"
        let refused = try test.connect()
        let answer = try await refused.ask(head + "\r\n")
        #expect(answer.status == 401 && answer.headers["connection"] == "close")
        #expect(try await refused.remainder() == "")
        let client = try test.connect()
        client.send(head + "Token: good\r\n\r\n" + String(repeating: "b", count: 60_000))
        #expect(try await client.answer().status == 200)
    }

    @Test func `only a body over 4,096 bytes, or of unknown length, is checked first`() async throws {
        let test = try TestServer()
        test.responder.checks.open()
        let client = try test.connect()
        for (size, isChunked, checks) in [(4_096, false, 0), (4_097, false, 1), (10, true, 2)] {
            let answer = try await client.ask(
                Self.post("/checked", size, "Token: good\r\n", isChunked: isChunked))
            #expect(answer.status == 200)
            #expect(test.responder.checkCount.withLock { $0 } == checks)
        }
    }

    @Test func `a drained server ends a request whose check has not ended`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        client.send(Self.post("/checked", 60_000))
        await test.responder.checks.hasWaiting(1)
        await test.server.drain(within: .zero)
        #expect(try await client.answer().status == 503)
        test.responder.checks.open()
    }

    @Test(arguments: [false, true])
    func `a full share refuses further bodies of its size, and no others`(isChunked: Bool) async throws {
        var settings = HTTPSettings()
        settings.mediumBody = 10_000
        settings.mediumBodiesShare = 15_000
        settings.largeBodiesShare = 100_000
        let test = try TestServer(
            TestResponder(bodyLimit: isChunked ? 80_000 : 1_000_000), settings: settings)
        let (holder, client) = (try test.connect(), try test.connect())
        holder.send(Self.post("/hold", 80_000, isChunked: isChunked))
        await test.responder.gate.hasWaiting(1)
        #expect(test.server.statistics.bodyBytes == 80_000)
        let (most, over) = (
            Self.post("/x", 20_000, isChunked: isChunked), Self.post("/x", 20_001, isChunked: isChunked)
        )
        #expect(try await client.ask(most).status == 200)
        let refused = try await client.ask(over)
        #expect(refused.status == 503 && refused.headers["retry-after"] == "1")
        #expect(refused.body == "refused: tooManyBodyBytes")
        // The connection carries further requests, and other sizes have their own shares.
        #expect(try await client.ask(Self.post("/x", 4_096)).status == 200)
        #expect(try await client.ask(Self.post("/x", 10_000)).status == 200)
        #expect(test.server.statistics.overloads == 1)
        test.responder.gate.open()
        #expect(try await holder.answer().status == 200)
        #expect(try await client.ask(over).status == 200)
        #expect(test.server.statistics.bodyBytes == 0)
    }

    @Test func `a client that announces a large body and sends nothing occupies no share`() async throws {
        var settings = HTTPSettings()
        settings.largeBodiesShare = 100_000
        let test = try TestServer(TestResponder(bodyLimit: 1_000_000), settings: settings)
        let silent = try test.connect()
        silent.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
        #expect(try await test.connect().ask(Self.post("/x", 100_000)).status == 200)
    }

    @Test func `the bytes of a client that disconnects return to their share`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\n\r\n")
        client.send(String(repeating: "b", count: 50_000))
        client.close()
        _ = await test.responder.over.take()
        #expect(test.server.statistics.bodyBytes == 0)
    }
}
