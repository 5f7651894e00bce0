import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DrainingTests {
    @Test func `draining closes idle connections, and closes busy connections after their answer`()
        async throws
    {
        let test = try TestServer()
        let silent = try test.connect()
        let kept = try test.connect()
        let held = try test.connect()
        #expect(try await kept.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").headers["connection"] == nil)
        held.send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n")
        await test.responder.gate.hasWaiting(1)
        async let drained: Void = test.server.drain(within: .seconds(20))
        #expect(try await silent.remainder() == "")
        #expect(try await kept.remainder() == "")
        test.responder.gate.open()
        let answer = try await held.answer()
        #expect(answer.body == "held" && answer.headers["connection"] == "close")
        #expect(try await held.remainder() == "")
        await drained
        #expect(test.server.statistics.openConnections == 0)
    }

    @Test func `a request that is unanswered at the drain's deadline gets 503, and a late answer is dropped`()
        async throws
    {
        let test = try TestServer()
        let held = try test.connect()
        held.send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n")
        await test.responder.gate.hasWaiting(1)
        await test.server.drain(within: .milliseconds(50))
        let answer = try await held.answer()
        #expect(
            answer.status == 503 && answer.headers["retry-after"] == "1"
                && answer.headers["connection"] == "close")
        #expect(test.server.statistics.inFlight == 0)
        test.responder.gate.open()
    }

    @Test func `an incomplete request does not delay the end of draining`() async throws {
        let test = try TestServer()
        let half = try test.connect()
        let trickling = try test.connect()
        half.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
        trickling.send("GET /now HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try await trickling.answer()
        await test.server.drain(within: .milliseconds(50))
        #expect(test.server.statistics.openConnections == 0)
        _ = try await half.remainder()
    }

    @Test func `a drained server closes new connections, and can be drained again`() async throws {
        let test = try TestServer()
        await test.server.drain(within: .seconds(1))
        await test.server.drain(within: .seconds(1))
        #expect(try await test.connect().remainder() == "")
    }

    @Test func `a server closes its connections when the last reference to the server is released`()
        async throws
    {
        var test: TestServer? = try TestServer()
        let client = try test?.connect()
        #expect(try await client?.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
        test = nil
        #expect(try await client?.remainder() == "")
    }
}
